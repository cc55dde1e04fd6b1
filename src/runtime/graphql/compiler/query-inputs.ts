/** Reads the variables of a compiled query and the arguments of its fields: simple ones at once, all others as graphql-js does. */

import {
  type FieldNode,
  type GraphQLField,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type TypeNode,
  getArgumentValues,
  getVariableValues,
  versionInfo,
} from 'graphql';

/** The variables of a request, as the client sent them. */
export type Variables = Readonly<Record<string, unknown>>;

/** Coerced variables as graphql-js hands them out, and takes them back. */
export type Coerced = Readonly<Record<string, unknown>>;

/** What graphql-js makes of variables; version 17 has another name for it, and another form. */
interface MadeByGraphql {
  readonly coerced?: Coerced;
  readonly variableValues?: Coerced;
}

const isText = (value: unknown): boolean => typeof value === 'string';

/** Of the built-in scalars: whether a value is one that graphql-js takes as it is. */
const TAKEN_AS_THEY_ARE: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ['ID', isText],
  ['String', isText],
  ['Boolean', (value) => typeof value === 'boolean'],
  ['Int', (value) => typeof value === 'number' && (value | 0) === value],
]);

/** Version 17 wraps the values, and its wrapper is left to it. */
const HAS_PLAIN_VALUES = versionInfo.major < 17;

/** @returns undefined for variables that do not fit */
export type ReadVariables = (given: Variables | undefined) => Coerced | undefined;

export function compileVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
): ReadVariables {
  const readAll: ReadVariables = (given) => {
    const made: MadeByGraphql = getVariableValues(schema, variableDefinitions, given ?? {});
    return made.coerced ?? made.variableValues;
  };
  if (variableDefinitions.length === 0) {
    const none = readAll({});
    return () => none;
  }
  if (!HAS_PLAIN_VALUES) return readAll;
  const checks = variableDefinitions.map(({ variable, type }) => {
    return { name: variable.name.value, isTaken: TAKEN_AS_THEY_ARE.get(scalarOf(type)) };
  });
  return (given) => {
    // Clients choose the names, such as `__proto__`, which only an object without a prototype can be given.
    const values = Object.create(null) as Record<string, unknown>;
    for (const { name, isTaken } of checks) {
      const value = given?.[name];
      if (isTaken?.(value) !== true) return readAll(given);
      values[name] = value;
    }
    return { ...values };
  };
}

/** @returns an empty name for a list */
function scalarOf(type: TypeNode): string {
  if (type.kind === Kind.NON_NULL_TYPE) return scalarOf(type.type);
  return type.kind === Kind.NAMED_TYPE ? type.name.value : '';
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

export type ReadArguments = (variables: Coerced) => Record<string, unknown>;

/** @returns a function that throws where arguments do not fit */
export function compileArguments(field: GraphQLField<unknown, unknown>, node: FieldNode): ReadArguments {
  const given = node.arguments ?? [];
  if (field.args.length === 0) return () => ({});
  const readAll: ReadArguments = (variables) => getArgumentValues(field, node, variables);
  if (given.every(({ value }) => LITERALS.has(value.kind))) {
    const values = readAll({});
    // Of lists and objects each resolver gets its own.
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
      const value = Object.hasOwn(variables, variable) ? variables[variable] : undefined;
      // Without a value the default counts, or the type, and graphql-js knows which.
      if (value === undefined || value === null) return readAll(variables);
      values[name] = value;
    }
    return values;
  };
}
