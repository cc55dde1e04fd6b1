/** Counts the calls of each resolver by the place of its field in the response. */

import { type GraphQLSchema, isObjectType, responsePathAsArray } from 'graphql';

/**
 * Changes the resolvers of a schema.
 *
 * @returns the number of calls by path, such as `things.0.name`; who reads it empties it
 */
export function countCalls(schema: GraphQLSchema): Map<string, number> {
  const calls = new Map<string, number>();
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      const { resolve } = field;
      if (resolve === undefined) continue;
      field.resolve = (source, args, context, info) => {
        const place = responsePathAsArray(info.path).join('.');
        calls.set(place, (calls.get(place) ?? 0) + 1);
        return resolve(source, args, context, info);
      };
    }
  }
  return calls;
}

/** @returns the places whose resolvers were called more than once; forgets all calls */
export function calledAgain(calls: Map<string, number>): readonly string[] {
  const again = [...calls].filter(([, count]) => count > 1).map(([place]) => place);
  calls.clear();
  return again;
}
