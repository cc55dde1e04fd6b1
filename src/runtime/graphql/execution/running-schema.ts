/** Prepares a schema for executions that carry a {@link Run}: its resolvers stop when the run has ended. */

import {
  type GraphQLFieldResolver,
  type GraphQLResolveInfo,
  GraphQLScalarType,
  type GraphQLSchema,
  Kind,
  defaultFieldResolver,
  extendSchema,
  getNamedType,
  isAbstractType,
  isIntrospectionType,
  isLeafType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql';
import { disown } from '../compiler/disowned.js';
import { type Outcomes, placeOf, Thrown } from '../compiler/outcomes.js';
import { type ConstraintChecks, addConstraints } from './constraints.js';
import { readDefaults } from './default-values.js';
import { received } from './received.js';
import type { Run } from './running-operation.js';

type Resolver = GraphQLFieldResolver<unknown, unknown>;
type RunningResolver = GraphQLFieldResolver<unknown, Run<unknown>>;

/**
 * @returns a copy whose functions take a {@link Run} in place of the context, and whose arguments are checked; the given schema does not change
 * @throws an error that names the fields whose constraints would not be checked
 */
export function runningSchema(schema: GraphQLSchema, constraints: ConstraintChecks = {}): GraphQLSchema {
  // An extension, even an empty one, makes graphql-js copy every type.
  const nothing = { kind: Kind.DOCUMENT, definitions: [{ kind: Kind.SCHEMA_EXTENSION }] } as const;
  const copy = extendSchema(schema, nothing, { assumeValid: true });
  readDefaults(copy);
  addConstraints(copy, constraints);
  for (const type of Object.values(copy.getTypeMap())) {
    // The introspection types belong to graphql-js, and all schemas share them.
    if (isIntrospectionType(type)) continue;
    if (isObjectType(type)) {
      for (const field of Object.values(type.getFields())) {
        const { resolve, subscribe } = field;
        if (resolve) {
          const { type } = field;
          const isLeaf = isLeafType(getNamedType(type));
          const running: RunningResolver = (source, args, run, info) => {
            try {
              run.check();
              if (run.earlier?.has(placeOf(info.path))) return known(run.earlier, info, run);
              return received(resolve(source, args, run.context, info), type, isLeaf, run);
            } catch (error) {
              return run.refused(error);
            }
          };
          field.resolve = running as Resolver;
        }
        if (subscribe) {
          const resolveStream: RunningResolver = (source, args, run, info) =>
            subscribe(source, args, run.context, info);
          field.subscribe = resolveStream as Resolver;
        }
      }
      const { isTypeOf } = type;
      // Some compilers pass only the value.
      if (isTypeOf) {
        type.isTypeOf = (value, run: Run<unknown> | undefined, info) =>
          disown(isTypeOf(value, run?.context, info));
      }
    } else if (isAbstractType(type)) {
      const { resolveType } = type;
      if (resolveType) {
        type.resolveType = (value, run: Run<unknown>, info, abstractType) =>
          disown(resolveType(value, run.context, info, abstractType));
      }
    }
  }
  return copy;
}

/** @returns what a resolver gave to a compiled query, which has counted it. @throws what the resolver threw */
function known(earlier: Outcomes, { path, returnType }: GraphQLResolveInfo, run: Run<unknown>): unknown {
  const value = earlier.get(placeOf(path));
  if (value instanceof Thrown) throw value.error;
  return received(value, returnType, false, run);
}

/** Resolves fields without a resolver when a query is interpreted. Compiled queries read the properties directly. */
export const runningDefaultResolver: RunningResolver = (source, args, run, info) => {
  try {
    run.check();
    const value = defaultFieldResolver(source, args, run.context, info);
    return received(value, info.returnType, isLeafType(getNamedType(info.returnType)), run);
  } catch (error) {
    return run.refused(error);
  }
};

/** A scalar as graphql-js builds it from SDL: its functions return their input. */
const bare = new GraphQLScalarType({ name: 'Bare' });

/**
 * Requires an implementation of every custom scalar: without one, graphql-js would accept every value.
 *
 * @throws an error that names every custom scalar without an implementation
 */
export function requireScalars(schema: GraphQLSchema): void {
  const missing = Object.values(schema.getTypeMap()).filter(
    (type) =>
      isScalarType(type) &&
      !isSpecifiedScalarType(type) &&
      type.serialize === bare.serialize &&
      type.parseValue === bare.parseValue,
  );
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name).join(', ');
  throw new Error(
    `the schema has scalars that nothing implements: ${names}; give each a GraphQLScalarType among the resolvers`,
  );
}
