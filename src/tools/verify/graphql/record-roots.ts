/** Finds the root fields of a schema that create, read, change, list and delete the records of one type. */

import {
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import type { Field, RootField } from '../../values/graphql/operation-draft.js';
import type { Id, Kinds, KnownIds, Variables } from './resources.js';

/** The operations that create, read and delete objects of one type. */
export interface RecordRoots {
  readonly type: string;
  readonly create: RootField;
  readonly read: RootField;
  readonly remove: RootField | undefined;
  readonly change: RootField | undefined;
  /** The queries that list them without a required argument. */
  readonly lists: readonly RootField[];
  /** The queries that list those of one parent, with the argument and the member of a new record that name it. */
  readonly children: readonly (readonly [list: RootField, argument: string, member: string])[];
  /** The fields that may be null. */
  readonly nullable: readonly string[];
  /** The arguments that name a record for `read` and `remove`. */
  readonly named: (root: RootField, id: Id) => Variables;
}

const CHANGES = /^(?:update|edit|change|patch|modify)|(?:Update|Edit|Change)$/;

export function lifecyclesOf(
  { queries, creators, removers, changes }: Kinds,
  schema: GraphQLSchema,
  known: KnownIds,
): readonly RecordRoots[] {
  const isOf = (type: string, { field }: RootField): boolean => {
    const [argument, ...more] = field.args.filter(isRequiredArgument);
    return argument !== undefined && more.length === 0 && known.typesOf(field, argument.name)[0] === type;
  };
  return creators.flatMap((create) => {
    const type = createdType(schema, create.field);
    if (type === undefined) return [];
    const read = queries.find((each) => getNamedType(each.field.type).name === type && isOf(type, each));
    if (read === undefined) return [];
    const change = changes.find(
      ({ field }) => CHANGES.test(field.name) && createdType(schema, field) === type,
    );
    const listing = queries.filter((each) => each !== read);
    const lists = listing.filter(
      ({ field }) => !field.args.some(isRequiredArgument) && listsType(field.type, type, false),
    );
    const members = create.field.args.flatMap((argument) => {
      const named = getNamedType(argument.type);
      return isInputObjectType(named) ? Object.keys(named.getFields()) : [argument.name];
    });
    const children = listing.flatMap((list) => {
      const [argument, ...more] = list.field.args.filter(isRequiredArgument);
      const parent = argument && known.typesOf(list.field, argument.name)[0];
      const isOfParent = (name: string): boolean => known.typesOf(create.field, name)[0] === parent;
      const member = members.find((name) => /.ids?$/i.test(name) && isOfParent(name));
      if (argument === undefined || more.length > 0 || parent === type || member === undefined) return [];
      if (!listsType(list.field.type, type, true)) return [];
      return [[list, argument.name, member] as const];
    });
    const remove = removers.find((each) => isOf(type, each));
    const object = schema.getType(type);
    const nullable = Object.values(isObjectType(object) ? object.getFields() : {}).flatMap((each) =>
      isNonNullType(each.type) ? [] : each.name,
    );
    return [{ type, create, read, remove, change, lists, children, nullable, named: namedBy }];
  });
}

/**
 * Whether a result is a list of a type, or has one in its fields, as a page has.
 *
 * @param isBelow - whether the list may also be that of another record, which has an id
 */
function listsType(given: GraphQLOutputType, type: string, isBelow: boolean, depth = 2): boolean {
  const named = getNamedType(given);
  const isList = isListType(getNullableType(given));
  if (named.name === type) return isList;
  if (!isObjectType(named) || depth === 0) return false;
  const { id, node, ...others } = named.getFields();
  // The edges of a connection.
  if (isList) return node !== undefined && getNamedType(node.type).name === type;
  if (id !== undefined && !isBelow) return false;
  const fields = Object.values(others).filter(({ args }) => !args.some(isRequiredArgument));
  return fields.some((each) => listsType(each.type, type, isBelow && depth > 1, depth - 1));
}

/** The type of the object that a mutation returns, or that its payload holds. */
function createdType(schema: GraphQLSchema, field: Field): string | undefined {
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
export function namedBy({ field }: RootField, id: Id): Variables {
  const argument = field.args.find(isRequiredArgument);
  if (argument === undefined) return {};
  return { [argument.name]: getNamedType(argument.type).name === 'Int' ? Number(id) : String(id) };
}
