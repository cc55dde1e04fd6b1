/** Reads the variables of a compiled query through graphql-js, and the arguments of its fields: simple ones directly. */

import {
  type FieldNode,
  type GraphQLField,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  getArgumentValues,
  getVariableValues,
  versionInfo,
} from 'graphql';

/** The variables of a request, as the client sent them. */
export type Variables = Readonly<Record<string, unknown>>;

/** Coerced variables, in the form that graphql-js returns and accepts. */
export type Coerced = Readonly<Record<string, unknown>>;

/** The result of graphql-js for variables; version 17 gives it another name and form. */
interface MadeByGraphql {
  readonly coerced?: Coerced;
  readonly variableValues?: Coerced;
}

/** graphql-js 17 wraps the values; only graphql-js builds and reads its wrapper. */
const HAS_PLAIN_VALUES = versionInfo.major < 17;

/** @returns the value of a variable; undefined if it has none */
export function valueOf(variables: Coerced, name: string): unknown {
  const values = HAS_PLAIN_VALUES ? variables : (variables['coerced'] as Coerced);
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** @returns undefined for variables that do not fit */
type ReadVariables = (given: Variables | undefined) => Coerced | undefined;

export function compileVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
): ReadVariables {
  const read: ReadVariables = (given) => {
    const made: MadeByGraphql = getVariableValues(schema, variableDefinitions, given ?? {});
    return made.coerced ?? made.variableValues;
  };
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
  const readAll: ReadArguments = (variables) => getArgumentValues(field, node, variables);
  if (given.every(({ value }) => LITERALS.has(value.kind))) {
    const values = readAll({});
    // Lists and objects are read again for each call, because a resolver may change its own.
    if (Object.values(values).every(isPrimitive)) return () => ({ ...values });
  }
  const isComplete = field.args.every(
    ({ name, defaultValue }) =>
      defaultValue === undefined || given.some((argument) => argument.name.value === name),
  );
  const names: (readonly [argument: string, variable: string])[] = [];
  for (const { name, value } of given) {
    if (value.kind === Kind.VARIABLE) names.push([name.value, value.name.value]);
  }
  if (!HAS_PLAIN_VALUES || !isComplete || names.length !== given.length) return readAll;
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
