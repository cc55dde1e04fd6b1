/** Reads the variables of a compiled query through graphql-js, and the arguments of its fields: simple ones directly. */

import {
  type FieldNode,
  type GraphQLField,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import {
  type Coerced,
  type Variables,
  argumentsOf,
  coercedVariables,
  defaultOf,
  valueOf,
} from './graphql-values.js';

/** @returns undefined for variables that do not fit */
type ReadVariables = (given: Variables | undefined) => Coerced | undefined;

export function compileVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
): ReadVariables {
  const read: ReadVariables = (given) => coercedVariables(schema, variableDefinitions, given ?? {}).variables;
  if (variableDefinitions.length > 0) return read;
  const none = read({});
  return () => none;
}

const LITERALS: ReadonlySet<string> = new Set([
  Kind.INT,
  Kind.FLOAT,
  Kind.STRING,
  Kind.BOOLEAN,
  Kind.ENUM,
  Kind.NULL,
]);

function isPrimitive(value: unknown): boolean {
  return value === null || (typeof value !== 'object' && typeof value !== 'function');
}

type ReadArguments = (variables: Coerced) => Record<string, unknown>;

/** @returns a function that throws when an argument does not fit */
export function compileArguments(field: GraphQLField<unknown, unknown>, node: FieldNode): ReadArguments {
  const given = node.arguments ?? [];
  if (field.args.length === 0) return () => ({});
  const readAll: ReadArguments = (variables) => argumentsOf(field, node, variables);
  if (given.every(({ value }) => LITERALS.has(value.kind))) {
    const values = argumentsOf(field, node, undefined);
    // Lists and objects are read again for each call, because a resolver may change its own.
    if (Object.values(values).every(isPrimitive)) return () => ({ ...values });
  }
  const isComplete = field.args.every(
    (input) => defaultOf(input) === undefined || given.some((argument) => argument.name.value === input.name),
  );
  const names: (readonly [argument: string, variable: string])[] = [];
  for (const { name, value } of given) {
    if (value.kind === Kind.VARIABLE) names.push([name.value, value.name.value]);
  }
  if (!isComplete || names.length !== given.length) return readAll;
  return (variables) => {
    const values: Record<string, unknown> = {};
    for (const [name, variable] of names) {
      const value = valueOf(variables, variable);
      // Without a value, the default or the nullability of the type decides: graphql-js applies these rules.
      if (value === undefined || value === null) return readAll(variables);
      values[name] = value;
    }
    return values;
  };
}
