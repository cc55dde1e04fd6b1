/**
 * Finds the root fields of a schema that create, read and delete resources, remembers the ids that a server's answers give to these, and puts
 * the ids into the variables of requests.
 */

import type { Json } from '@concordat/runtime';
import {
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  TypeInfo,
  getNamedType,
  getNullableType,
  isAbstractType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isObjectType,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { failuresOf } from '@concordat/runtime/parts';
import { type GraphqlInput, constraintSchema } from 'concordat/contract';
import type { Field, RootField } from '../../values/graphql/operation-draft.js';
import { KnownValues, type Random, freshText } from '../run/known-values.js';
import type { SeenId } from './answers/result-problems.js';

export type Id = string | number;
export type Variables = Readonly<Record<string, Json>>;

export class KnownIds {
  readonly #byType = new KnownValues<Id>((a, b) => a === b);
  /** The types to which the id may belong, likeliest first, by field and argument. */
  readonly #types = new Map<string, readonly string[]>();

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly random: Random,
  ) {}

  add({ type, id }: SeenId): void {
    this.#byType.add(type, id);
  }

  /** The ids of a type, the oldest first. */
  of(type: string): readonly Id[] {
    return this.#byType.of(type);
  }

  forget(id: Id): void {
    this.#byType.forget((each) => each === id);
  }

  /**
   * An id for an argument or an input field.
   *
   * @param newest - whether to choose the latest id, so that older ones remain after a deletion
   * @param forbidden - ids that must not be chosen
   * @returns undefined if none is known, or the value is no id
   */
  for(
    field: Field,
    name: string,
    type: GraphQLInputType,
    newest: boolean,
    forbidden: readonly string[],
  ): Id | undefined {
    const leaf = getNamedType(type).name;
    if (leaf !== 'ID' && !(/ids?$/i.test(name) && ['Int', 'String'].includes(leaf))) return undefined;
    for (const each of this.typesOf(field, name)) {
      const known = this.#byType.of(each).filter((id) => !forbidden.includes(String(id)));
      const id = newest ? known.at(-1) : known[this.random.below(known.length)];
      if (id === undefined) continue;
      if (leaf !== 'Int') return String(id);
      if (Number.isInteger(Number(id))) return Number(id);
    }
    return undefined;
  }

  /** The types to which an id may belong: those that its name suggests, the result's, those in the field's name, those in the result. */
  typesOf(field: Field, name: string): readonly string[] {
    const key = `${field.name} ${name}`;
    const known = this.#types.get(key);
    if (known !== undefined) return known;
    const stem = name.replace(/_?ids?$/i, '').toLowerCase();
    const all = Object.values(this.schema.getTypeMap()).filter((type) => !type.name.startsWith('__'));
    const fieldsOf = (type: GraphQLNamedType): readonly Field[] =>
      isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [];
    const named = all.filter((type) => stem !== '' && type.name.toLowerCase() === stem);
    const referred = all.flatMap(fieldsOf).filter((each) => stem !== '' && each.name.toLowerCase() === stem);
    const result = getNamedType(field.type);
    const inField = all.filter((type) => field.name.toLowerCase().includes(type.name.toLowerCase()));
    const found = [
      ...named,
      ...referred.map((each) => getNamedType(each.type)),
      result,
      ...inField.sort((a, b) => b.name.length - a.name.length),
      ...fieldsOf(result).map((each) => getNamedType(each.type)),
    ].flatMap((type) =>
      isAbstractType(type) ? this.schema.getPossibleTypes(type) : isObjectType(type) ? [type] : [],
    );
    const types = [...new Set(found.map((type) => type.name))];
    this.#types.set(key, types);
    return types;
  }
}

/** The argument or input field that gets a value. */
interface Use extends GraphqlInput {
  readonly field: Field;
}

const useOf = ({ name, type, astNode }: GraphqlInput, field: Field): Use => ({ name, type, astNode, field });

interface FreshOptions {
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
  variables: Variables,
  options: FreshOptions,
): Variables {
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
        if (field && argument) uses.set(name.value, useOf(argument, field));
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
    const members = Object.entries(value as Readonly<Record<string, Json>>);
    const changed = members.map(([name, member]): [string, Json] => {
      const field = fields[name];
      const inner = field && useOf(field, use.field);
      return [name, inner === undefined ? member : fresh(member, inner, [...path, name], options)];
    });
    return Object.fromEntries(changed);
  }
  if (options.kept?.join('/') === path.join('/') || (typeof value !== 'string' && typeof value !== 'number'))
    return value;
  const { field, name } = use;
  const id = options.known.for(field, name, use.type, options.newest, options.forbidden);
  if (id !== undefined) return id;
  if (typeof value !== 'string' || String(type) !== 'String') return value;
  const made = freshText(value, options.random);
  const constraint = constraintSchema(use);
  const check = Object.assign(() => constraint === undefined, { schema: () => constraint });
  return failuresOf(check, made).length === 0 ? made : value;
}

const REMOVES = /^(?:delete|remove|destroy|drop|erase|cancel)|(?:Delete|Remove|Destroy)$/;
const CREATES = /^(?:create|add|new|register|insert|make|open|publish|sign_?up)|(?:Create|Add|Insert)$/;

/** The operations by what they seem to do. */
export interface Kinds {
  readonly queries: readonly RootField[];
  readonly mutations: readonly RootField[];
  readonly subscriptions: readonly RootField[];
  readonly creators: readonly RootField[];
  readonly removers: readonly RootField[];
  readonly changes: readonly RootField[];
}

export function kindsOf(roots: readonly RootField[]): Kinds {
  const mutations = roots.filter(({ kind }) => kind === 'mutation');
  const removers = mutations.filter(({ field }) => REMOVES.test(field.name));
  const creators = mutations.filter(({ field }) => CREATES.test(field.name));
  return {
    queries: roots.filter(({ kind }) => kind === 'query'),
    mutations,
    subscriptions: roots.filter(({ kind }) => kind === 'subscription'),
    creators,
    removers,
    changes: mutations.filter((each) => !removers.includes(each) && !creators.includes(each)),
  };
}

export const removes = ({ field }: RootField): boolean => REMOVES.test(field.name);
