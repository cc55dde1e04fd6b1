/** Compiles queries with graphql-jit, but only those for which its results equal those of `graphql`. */

import {
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInputType,
  isSpecifiedScalarType,
  Kind,
  TypeInfo,
  typeFromAST,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import type { CompiledQuery, QueryCompiler } from '../graphql/index.js';

/**
 * A compiler for `graphqlEngine`. Running both on random queries of random schemas showed which features it must leave to
 * `graphql`:
 *
 * - `@skip` and `@include`, because graphql-jit accumulates their conditions on nodes that fragments share;
 * - variables of input types, because it writes code for each field, without an end where a type contains itself, and takes a
 *   list for an object, and any number of fields for a `@oneOf` type;
 * - variables within an input object or list, because it ignores their defaults;
 * - literals and defaults of custom scalars, and of enums whose internal values are objects, because it writes values into its
 *   code as JSON, which loses their class and identity;
 * - selections on interfaces and unions, and an alias that an object literal would use as its prototype.
 *
 * @example
 * ```ts
 * const engine = graphqlEngine({ schema, explain, report, compile: graphqlJit });
 * ```
 */
export const graphqlJit: QueryCompiler = (schema, document, operationName): CompiledQuery | undefined => {
  if (!isServed(schema, document)) return undefined;
  // The compiler modifies the syntax tree, which other code reads.
  const compiled = compileQuery(schema, structuredClone(document), operationName, {
    disablingCapturingStackErrors: true,
  });
  if (!isCompiledQuery(compiled)) return undefined;
  return (context, variables) => compiled.query(undefined, context, variables);
};

const WITHIN_VALUES: ReadonlySet<string> = new Set([Kind.OBJECT, Kind.LIST]);

function isServed(schema: GraphQLSchema, document: DocumentNode): boolean {
  const types = new TypeInfo(schema);
  let served = true;
  const visitor = visitWithTypeInfo(types, {
    Directive: () => void (served = false),
    VariableDefinition: ({ type: node, defaultValue }) => {
      const type = typeFromAST(schema, node);
      served &&=
        isInputType(type) &&
        !isInputObjectType(getNamedType(type)) &&
        (defaultValue === undefined || isWritable(type));
    },
    Variable: (_node, _key, _parent, _path, ancestors) => {
      served &&= !ancestors.some((ancestor) => 'kind' in ancestor && WITHIN_VALUES.has(ancestor.kind));
    },
    Field: (node) => {
      served &&= node.alias?.value !== '__proto__' && hasServedArguments(node, types.getFieldDef());
    },
    [Kind.SELECTION_SET]: () => void (served &&= !isAbstractType(types.getParentType())),
  });
  visit(document, visitor);
  return served;
}

/** A default value is used in place of a variable that is not given, and is written like a literal. */
function hasServedArguments(
  node: FieldNode,
  field: GraphQLField<unknown, unknown> | null | undefined,
): boolean {
  return (field?.args ?? []).every(({ name, type, defaultValue }) => {
    const given = node.arguments?.find((argument) => argument.name.value === name)?.value;
    const isLiteral = given !== undefined && given.kind !== Kind.VARIABLE;
    return (!isLiteral && defaultValue === undefined) || isWritable(type);
  });
}

/** Whether a coerced value of the type is the same after it was written as JSON. */
function isWritable(type: GraphQLInputType, seen = new Set<GraphQLNamedType>()): boolean {
  const named = getNamedType(type);
  if (seen.has(named)) return true;
  seen.add(named);
  if (isEnumType(named)) return named.getValues().every(({ value }) => isPrimitive(value));
  if (!isInputObjectType(named)) return isSpecifiedScalarType(named);
  return Object.values(named.getFields()).every((field) => isWritable(field.type, seen));
}

function isPrimitive(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}
