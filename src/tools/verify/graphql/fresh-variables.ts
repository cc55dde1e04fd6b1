/** Replaces values of variables: ids become known ones, and texts get a unique part. */

import type { Json } from '@concordat/runtime';
import {
  type DocumentNode,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
  TypeInfo,
  getNullableType,
  isInputObjectType,
  isListType,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { type Random, freshText } from '../run/random.js';
import type { KnownIds } from './known-ids.js';

/** The argument or input field that gets a value. */
interface Use {
  readonly field: GraphQLField<unknown, unknown>;
  readonly name: string;
  readonly type: GraphQLInputType;
}

export interface FreshOptions {
  readonly known: KnownIds;
  readonly random: Random;
  /** Whether to choose the newest resource, because the operation deletes it. */
  readonly newest: boolean;
  /** Ids that must not be chosen. */
  readonly forbidden: readonly string[];
  /** The place that keeps its value. */
  readonly kept: readonly (string | number)[] | undefined;
}

export function freshVariables(
  schema: GraphQLSchema,
  document: DocumentNode,
  variables: Readonly<Record<string, Json>>,
  options: FreshOptions,
): Readonly<Record<string, Json>> {
  const uses = usesOf(schema, document);
  const entries = Object.entries(variables).map(([name, value]): [string, Json] => {
    const use = uses.get(name);
    return [name, use === undefined ? value : fresh(value, use, [name], options)];
  });
  return Object.fromEntries(entries);
}

/** The argument that each variable is passed to. */
function usesOf(schema: GraphQLSchema, document: DocumentNode): ReadonlyMap<string, Use> {
  const info = new TypeInfo(schema);
  const uses = new Map<string, Use>();
  visit(
    document,
    visitWithTypeInfo(info, {
      Variable: ({ name }) => {
        const [field, argument] = [info.getFieldDef(), info.getArgument()];
        if (field && argument) uses.set(name.value, { field, name: argument.name, type: argument.type });
      },
    }),
  );
  return uses;
}

function fresh(value: Json, use: Use, path: readonly (string | number)[], options: FreshOptions): Json {
  const type = getNullableType(use.type);
  if (Array.isArray(value) && isListType(type)) {
    const item = { ...use, type: type.ofType };
    return value.map((each: Json, index) => fresh(each, item, [...path, index], options));
  }
  if (typeof value === 'object' && value !== null) {
    const fields = isInputObjectType(type) ? type.getFields() : {};
    const members = Object.entries(value as Readonly<Record<string, Json>>).map(
      ([name, member]): [string, Json] => {
        const field = fields[name];
        const inner = field && { ...use, name, type: field.type };
        return [name, inner === undefined ? member : fresh(member, inner, [...path, name], options)];
      },
    );
    return Object.fromEntries(members);
  }
  if (options.kept?.join('/') === path.join('/') || (typeof value !== 'string' && typeof value !== 'number'))
    return value;
  const { field, name } = use;
  const id = options.known.for(field, name, use.type, options.newest, options.forbidden);
  if (id !== undefined) return id;
  return typeof value === 'string' && String(type) === 'String' ? freshText(value, options.random) : value;
}
