/** A type of a GraphQL schema whose objects are the records of a collection. */

import type { Json } from '@concordat/runtime';
import type { OperationModel } from 'concordat/contract';
import { type GraphQLObjectType, getNamedType, isLeafType } from 'graphql';
import { type Entity, isEntity, isSameName, listParametersOf, singular } from '../../running/resources.js';
import { propertyParts } from '../../values/inner-parts.js';
import { listedValues } from '../../values/parts.js';
import { type Collection, type StoredRecord, isKey } from './collection.js';
import { closest } from './fitted.js';
import { type Page, pageOf } from './lists.js';

export type Args = Readonly<Record<string, unknown>>;

export class RecordType {
  readonly #known = new Map<string, unknown>();

  constructor(
    readonly type: GraphQLObjectType,
    readonly collection: Collection,
  ) {}

  /** The records of a type with an id: those of the collection that has its name, and its fields as members. */
  static of(type: GraphQLObjectType, collections: readonly Collection[]): RecordType | undefined {
    const fields = Object.values(type.getFields()).filter((field) => isLeafType(getNamedType(field.type)));
    const isNamed = ({ parts: { name, item } }: Collection): boolean =>
      [singular(name), ...item.map(({ at }) => at.replace(/.*\//, ''))].some((each) =>
        isSameName(each, type.name),
      );
    return collections
      .filter((each) => isNamed(each) && 'id' in type.getFields())
      .map((each) => new RecordType(type, each))
      .find((each) => fields.every(({ name }) => each.member(name) !== undefined));
  }

  /** The member that has the name of a field or an argument, which may begin with the name of the type: `id` for `userId`. */
  member(name: string): string | undefined {
    const isNamed = (member: string): boolean =>
      [member, this.type.name + member].some((each) => isSameName(each, name));
    return this.#once(`member ${name}`, () => [...this.collection.names].find(isNamed));
  }

  #once<T>(key: string, make: () => T): T {
    if (!this.#known.has(key)) this.#known.set(key, make());
    return this.#known.get(key) as T;
  }

  /** The values of members in arguments, also inside objects such as `where` and `input`. */
  values(args: Args): Entity {
    const entries = Object.entries(args as Entity).map(([name, given]): Entity => {
      const member = this.member(name);
      if (member === undefined) return isEntity(given) ? this.values(given) : {};
      return { [member]: typeof given === 'string' ? this.#listed(member, given) : given };
    });
    return Object.assign({}, ...entries) as Entity;
  }

  /** A value of an enum as the document writes it, which may be in another case. */
  #listed(member: string, given: string): Json {
    const known = this.#once(`values ${member}`, () =>
      listedValues(closest(propertyParts(closest(this.collection.parts.item), member) ?? [])),
    );
    return known?.find((each) => typeof each === 'string' && isSameName(each, given)) ?? given;
  }

  /** The page that arguments choose, as the parameters of a list in a document do. */
  page(args: Args, given?: readonly StoredRecord[]): Page {
    const query = withoutNulls({ ...(args as Entity), ...this.values(args) });
    const { collection } = this;
    const key = query[collection.parts.idMember ?? ''];
    const named = isKey(key) ? [collection.get([key]) ?? []].flat() : collection.below([]);
    const parameters = this.parametersOf(Object.keys(query));
    return pageOf(parameters, collection, given ?? named, query, { path: '', query: '' });
  }

  /** The parameters of a list of a document that have these names. */
  parametersOf(names: readonly string[]) {
    return this.#once(`list ${names.join(' ')}`, () => {
      const inQuery = { in: 'query', style: 'form', node: { certain: [], object: {} } };
      const parameters = names.map((name) => ({
        name,
        ...inQuery,
      })) as unknown as OperationModel['parameters'];
      return listParametersOf({ parameters }, this.collection.names);
    });
  }
}

export function withoutNulls(values: Entity): Entity {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}
