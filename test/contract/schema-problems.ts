/** Checks that the GraphQL contract is a valid schema with a description on everything. */
import { type ASTNode, buildSchema, Kind, parse, visit } from 'graphql';
import type { Problem } from './problem.js';

/**
 * The types, fields, arguments and values without a description.
 *
 * @throws GraphQLError when the text is not a valid schema
 */
export function schemaProblems(sdl: string): Problem[] {
  buildSchema(sdl);
  const problems: Problem[] = [];
  const names: string[] = [];
  visit(parse(sdl), {
    enter(node) {
      const definition = describable(node);
      if (definition === undefined) return;
      names.push(definition.name.value);
      if (definition.description === undefined) {
        problems.push({
          rule: 'schema-is-described',
          place: names.join('.'),
          message: 'Has no description.',
        });
      }
    },
    leave(node) {
      if (describable(node) !== undefined) names.pop();
    },
  });
  return problems;
}

/** The node, if it can have a name and a description (GraphQL, section 3.1). */
function describable(node: ASTNode) {
  switch (node.kind) {
    case Kind.SCALAR_TYPE_DEFINITION:
    case Kind.OBJECT_TYPE_DEFINITION:
    case Kind.INTERFACE_TYPE_DEFINITION:
    case Kind.UNION_TYPE_DEFINITION:
    case Kind.ENUM_TYPE_DEFINITION:
    case Kind.INPUT_OBJECT_TYPE_DEFINITION:
    case Kind.DIRECTIVE_DEFINITION:
    case Kind.FIELD_DEFINITION:
    case Kind.INPUT_VALUE_DEFINITION:
    case Kind.ENUM_VALUE_DEFINITION:
      return node;
    default:
      return undefined;
  }
}
