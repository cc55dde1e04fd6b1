/** A type of a GraphQL schema whose objects are the records of a collection. */

import type { Json } from '@concordat/runtime';
import type { OperationModel } from 'concordat/contract';
import { type GraphQLObjectType, getNamedType, isLeafType } from 'graphql';
import { type Entity, isEntity, isSameName, singular } from '../../running/resources.js';
import { propertyParts } from '../../values/inner-parts.js';
import { listedValues } from '../../values/parts.js';
import { type Collection, type StoredRecord, isKey } from './collection.js';
import { closest } from './fitted.js';
import { type Page, pageOf } from './lists.js';

export type Args = Readonly<Record<string, unknown>>;

export class RecordType {
  readonly #members = new Map<string, string | undefined>();
  readonly #values = new Map<string, readonly Json[]>();

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
    if (!this.#members.has(name)) this.#members.set(name, [...this.collection.names].find(isNamed));
    return this.#members.get(name);
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
    const known =
      this.#values.get(member) ??
      listedValues(closest(propertyParts(closest(this.collection.parts.item), member) ?? [])) ??
      [];
    this.#values.set(member, known);
    return known.find((each) => typeof each === 'string' && isSameName(each, given)) ?? given;
  }

  /** The page that arguments choose, as the parameters of a list in a document do. */
  page(args: Args, given?: readonly StoredRecord[]): Page {
    const query = withoutNulls({ ...(args as Entity), ...this.values(args) });
    const { collection } = this;
    const key = query[collection.parts.idMember ?? ''];
    const named = isKey(key) ? [collection.get([key]) ?? []].flat() : collection.below([]);
    return pageOf(this.list(Object.keys(query)), collection, given ?? named, query, { path: '', query: '' });
  }

  /** A list of a document that has parameters with these names. */
  list(names: readonly string[]): Pick<OperationModel, 'parameters' | 'summary'> {
    const parameters = names.map((name) => ({
      name,
      in: 'query',
      style: 'form',
      node: { certain: [], object: {} },
    }));
    return { parameters: parameters as unknown as OperationModel['parameters'], summary: '' };
  }
}

export function withoutNulls(values: Entity): Entity {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}
