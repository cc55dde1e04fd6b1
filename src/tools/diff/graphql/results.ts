/** Makes results that one version of a schema may give, and checks them against the other. */

import type { Json } from '@concordat/runtime';
import {
  type DocumentNode,
  type GraphQLOutputType,
  type GraphQLSchema,
  execute,
  getNullableType,
  isEnumType,
  isListType,
} from 'graphql';
import { exampleOutput } from '../../values/graphql/sample-values.js';

/** The values to try at one place of a result. `depth` is the number of lists around a null. */
const TRIED: readonly (readonly [value: Json, depth: number])[] = [
  ...[0, 1, 2].map((depth) => [null, depth] as const),
  ...['text', 1, 1.5, true].map((value) => [value, 0] as const),
];

/**
 * Results of a document in which the field or the enum of a coordinate has the tried values.
 *
 * @param coordinate - `Type.field` or `Enum.VALUE`
 */
export async function* resultsOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  coordinate: string,
): AsyncGenerator<Json> {
  const [name, member = ''] = coordinate.split('.');
  const isEnum = isEnumType(schema.getType(name ?? ''));
  const tried = isEnum ? [[member, 0] as const] : TRIED;
  for (const [value, depth] of tried) {
    const result = await execute({
      schema,
      document,
      fieldResolver: (_source, _args, _context, { parentType, fieldName, returnType }) => {
        const isMeant = isEnum
          ? String(named(returnType)) === name
          : parentType.name === name && fieldName === member;
        return isMeant ? wrapped(returnType, value, depth) : exampleOutput(schema, returnType, fieldName, 1);
      },
    });
    if (result.errors === undefined && result.data) yield JSON.parse(JSON.stringify(result.data)) as Json;
  }
}

function named(type: GraphQLOutputType): GraphQLOutputType {
  const inner = getNullableType(type);
  return isListType(inner) ? named(inner.ofType) : inner;
}

/** Wraps a value in the lists of its type, and null only in the outer ones. */
function wrapped(type: GraphQLOutputType, value: Json, depth: number): Json {
  const inner = getNullableType(type);
  if (!isListType(inner) || (value === null && depth === 0)) return value;
  return [wrapped(inner.ofType, value, depth - 1)];
}

/** Checks whether a schema may give a result. @returns the objection, if there is one */
export async function objectionTo(
  schema: GraphQLSchema,
  document: DocumentNode,
  data: Json,
): Promise<string | undefined> {
  const { errors } = await execute({ schema, document, rootValue: data });
  return errors?.[0]?.message;
}
