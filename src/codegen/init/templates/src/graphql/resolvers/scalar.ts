/** The scalar `__TYPE__`: its values pass unchanged until these functions check them. */

import { GraphQLScalarType } from 'graphql';

export const __NAME__ = new GraphQLScalarType({
  name: '__TYPE__',
  serialize: (value) => value,
  parseValue: (value) => value,
});
