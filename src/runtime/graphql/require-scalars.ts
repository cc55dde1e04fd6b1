/** Refuses to start with a custom scalar that nothing implements: graphql-js would let every value through. */

import { GraphQLScalarType, type GraphQLSchema, isScalarType, isSpecifiedScalarType } from 'graphql';

/** A scalar as graphql-js makes it from an SDL: its functions return what they are given. */
const bare = new GraphQLScalarType({ name: 'Bare' });

/** @throws an error that names every custom scalar without functions of its own */
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
