/** Gives resolvers the inner values of enums in the defaults of the schema too. */

import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isObjectType,
  valueFromAST,
} from 'graphql';

/**
 * Reads the defaults of arguments and input fields again, in place: `makeExecutableSchema` reads them before it gives enums and scalars
 * their values, and afterwards changes only those that are no objects.
 */
export function readDefaults(schema: GraphQLSchema): void {
  const seen = new Set<GraphQLInputType>();
  const read = (inputs: readonly (GraphQLArgument | GraphQLInputField)[]): void => {
    for (const input of inputs) {
      const named = getNamedType(input.type);
      if (!isInputObjectType(named)) continue;
      // The default of an object has those of its fields.
      if (!seen.has(named)) readFields(named);
      const literal = input.astNode?.defaultValue;
      if (literal === undefined || input.defaultValue === undefined) continue;
      input.defaultValue = valueFromAST(literal, input.type) ?? input.defaultValue;
    }
  };
  const readFields = (type: ReturnType<typeof getNamedType>): void => {
    if (!isInputObjectType(type)) return;
    seen.add(type);
    read(Object.values(type.getFields()));
  };
  for (const type of Object.values(schema.getTypeMap()))
    for (const field of isObjectType(type) ? Object.values(type.getFields()) : []) read(field.args);
}
