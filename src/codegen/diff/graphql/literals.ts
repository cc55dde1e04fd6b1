/** Writes values of GraphQL input types as literals. */

import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  isRequiredInputField,
  print,
} from 'graphql';
import { exampleInput, literalOf as valueNode } from '../../graphql/input-examples.js';

/** The plainest literal of a type; undefined for an input object that requires itself. */
export function literalOf(type: GraphQLInputType): string | undefined {
  const value = exampleInput(type, 'text', false);
  return value === undefined ? undefined : print(valueNode(value, type));
}

/** Literals of a type that have the given literal where they hold a value of the type with the name. */
export function literalWith(
  type: GraphQLInputType,
  name: string,
  given: string,
  seen: ReadonlySet<string> = new Set(),
): string | undefined {
  if (isNonNullType(type)) return literalWith(type.ofType, name, given, seen);
  if (isListType(type)) return listed(literalWith(type.ofType, name, given, seen));
  if (type.name === name) return given;
  if (!isInputObjectType(type) || seen.has(type.name)) return undefined;
  const fields = Object.values(type.getFields());
  for (const field of fields) {
    const inner = literalWith(field.type, name, given, new Set(seen).add(type.name));
    if (inner !== undefined) return objectOf(fields, { [field.name]: inner });
  }
  return undefined;
}

function listed(item: string | undefined): string | undefined {
  return item === undefined ? undefined : `[${item}]`;
}

/** An object with its required fields and the given ones. */
export function objectOf(
  fields: readonly GraphQLInputField[],
  given: Readonly<Record<string, string>>,
): string | undefined {
  const members: string[] = [];
  for (const field of fields) {
    if (!isRequiredInputField(field) && given[field.name] === undefined) continue;
    const value = given[field.name] ?? literalOf(field.type);
    if (value === undefined) return undefined;
    members.push(`${field.name}: ${value}`);
  }
  return `{ ${members.join(', ')} }`;
}

/** The arguments of a field: those that are required, and the given ones. */
export function argumentsOf(
  { args }: GraphQLField<unknown, unknown>,
  given: Readonly<Record<string, string>> = {},
): string {
  const wanted = args.filter((each) => isRequiredArgument(each) || given[each.name] !== undefined);
  const texts = wanted.map(
    ({ name, type }: GraphQLArgument) => `${name}: ${given[name] ?? literalOf(type) ?? 'null'}`,
  );
  return texts.length === 0 ? '' : `(${texts.join(', ')})`;
}
