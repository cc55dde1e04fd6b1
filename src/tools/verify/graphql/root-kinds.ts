/** What the root fields of a schema seem to do, by their names and types: which ones create, read and delete a resource. */

import type { Json } from '@concordat/runtime';
import {
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import type { RootField } from '../../values/graphql/operation-draft.js';
import type { KnownIds } from './known-ids.js';

export type Variables = Readonly<Record<string, Json>>;

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

export function removes({ field }: RootField): boolean {
  return REMOVES.test(field.name);
}

/** The operations that create, read and delete objects of one type. */
interface TypeLifecycle {
  readonly type: string;
  readonly create: RootField;
  readonly read: RootField;
  readonly remove: RootField | undefined;
}

export function lifecyclesOf(
  { queries, creators, removers }: Kinds,
  schema: GraphQLSchema,
  known: KnownIds,
): readonly TypeLifecycle[] {
  const isOf = (type: string, { field }: RootField): boolean => {
    const [argument, ...more] = field.args.filter(isRequiredArgument);
    return argument !== undefined && more.length === 0 && known.typesOf(field, argument.name)[0] === type;
  };
  return creators.flatMap((create) => {
    const type = createdType(schema, create.field);
    const read = queries.find(
      (each) => type !== undefined && getNamedType(each.field.type).name === type && isOf(type, each),
    );
    if (type === undefined || read === undefined) return [];
    return [{ type, create, read, remove: removers.find((each) => isOf(type, each)) }];
  });
}

/** The type of the object that a mutation returns, or that its payload holds. */
function createdType(schema: GraphQLSchema, field: GraphQLField<unknown, unknown>): string | undefined {
  const named = getNamedType(field.type);
  const result = isAbstractType(named) ? schema.getPossibleTypes(named)[0] : named;
  if (!isObjectType(result)) return undefined;
  const fields = Object.values(result.getFields());
  const inner = [result, ...fields.map((each) => getNamedType(each.type))].find(
    (type) => isObjectType(type) && type.getFields()['id'] !== undefined,
  );
  return inner?.name;
}

/** The id as a variable, for the required argument. */
export function namedBy({ field }: RootField, id: string | number): Variables {
  const argument = field.args.find(isRequiredArgument);
  if (argument === undefined) return {};
  return { [argument.name]: getNamedType(argument.type).name === 'Int' ? Number(id) : String(id) };
}
