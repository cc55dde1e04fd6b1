/** Compiles queries with graphql-jit, but only those for which its results equal those of `graphql`. */

import {
  type DocumentNode,
  type GraphQLSchema,
  isAbstractType,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import type { CompiledQuery, QueryCompiler } from '../graphql/index.js';

/**
 * A compiler for `graphqlEngine`. Running both on random queries showed which features it must leave to `graphql`:
 * `@skip` and `@include`, because graphql-jit accumulates their conditions on nodes that fragments share; variables within
 * an input object or list, because it ignores their defaults; selections on interfaces and unions; and an alias that an
 * object literal would use as its prototype.
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
    Variable: (_node, _key, _parent, _path, ancestors) => {
      served &&= !ancestors.some((ancestor) => 'kind' in ancestor && WITHIN_VALUES.has(ancestor.kind));
    },
    Field: ({ alias }) => void (served &&= alias?.value !== '__proto__'),
    [Kind.SELECTION_SET]: () => void (served &&= !isAbstractType(types.getParentType())),
  });
  visit(document, visitor);
  return served;
}
