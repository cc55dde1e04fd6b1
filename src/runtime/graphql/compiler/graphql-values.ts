/** Reads variables and arguments through graphql-js, whose versions 16 and 17 have coerced variables in two forms. */

import {
  type DirectiveNode,
  type FieldNode,
  type GraphQLArgument,
  type GraphQLDirective,
  type GraphQLError,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLLeafType,
  type GraphQLSchema,
  type ValueNode,
  type VariableDefinitionNode,
  getArgumentValues,
  getDirectiveValues,
  getVariableValues,
  valueFromAST,
  versionInfo,
} from 'graphql';

/** The variables of a request, as the client sent them. */
export type Variables = Readonly<Record<string, unknown>>;

declare const coerced: unique symbol;

/** Coerced variables, in the form that graphql-js returns and accepts: an object of another origin does not compile. */
export interface Coerced {
  readonly [coerced]: true;
}

/** Coerced variables in the types of the installed graphql-js. */
type OfGraphql = Parameters<typeof getArgumentValues>[2];

/** The result of graphql-js for variables; version 17 gives them another name and form. */
interface MadeByGraphql {
  readonly coerced?: Coerced;
  readonly variableValues?: Coerced;
  readonly errors?: readonly GraphQLError[];
}

/** Whether graphql-js is one before 17. */
const IS_BEFORE_17 = versionInfo.major < 17;

/** graphql-js 17 wraps the values; only graphql-js builds its wrapper. */
type Wrapped = Readonly<Record<'coerced', unknown>>;

/** @returns the coerced variables, or the errors of those that do not fit */
export function coercedVariables(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
  given: Variables,
):
  | { readonly variables: Coerced }
  | { readonly variables: undefined; readonly errors: readonly GraphQLError[] } {
  const made = getVariableValues(schema, definitions, given) as MadeByGraphql;
  const variables = made.coerced ?? made.variableValues;
  return variables === undefined ? { variables, errors: made.errors ?? [] } : { variables };
}

/** @returns the value of a variable; undefined if it has none */
export function valueOf(variables: Coerced, name: string): unknown {
  const values = (IS_BEFORE_17 ? variables : (variables as object as Wrapped).coerced) as Variables;
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** @throws GraphQLError when an argument does not fit */
export function argumentsOf(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
  variables: Coerced | undefined,
): Record<string, unknown> {
  return getArgumentValues(field, node, variables as OfGraphql);
}

/** @returns undefined for a node without the directive */
export function directiveValues(
  directive: GraphQLDirective,
  node: { readonly directives?: readonly DirectiveNode[] | undefined },
  variables: Coerced,
): Readonly<Record<string, unknown>> | undefined {
  return getDirectiveValues(directive, node, variables as object as OfGraphql);
}

/** @returns the default of an argument or an input field as resolvers get it; undefined if it has none */
export function defaultOf(input: GraphQLArgument | GraphQLInputField): unknown {
  // graphql-js 17 keeps a literal of SDL as it is.
  const { default: later } = input as {
    default?: { readonly value?: unknown; readonly literal?: ValueNode };
  };
  if (later === undefined) return input.defaultValue;
  return later.literal === undefined ? later.value : valueFromAST(later.literal, input.type);
}

/** Writes a value of a scalar or an enum as graphql-js does when it executes. */
export function outputOf(type: GraphQLLeafType, value: unknown): unknown {
  return IS_BEFORE_17 ? type.serialize(value) : type.coerceOutputValue(value);
}
