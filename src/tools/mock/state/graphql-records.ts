/** GraphQL on the records of a sandbox: what fields show, find, create, change and delete, as their names, types and arguments suggest. */

import { on } from 'node:events';
import { Readable } from 'node:stream';
import { type Json, Problem } from '@concordat/runtime';
import { once } from '@concordat/runtime/parts';
import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import { type Entity, isEntity, isSameName, writtenValue } from '../../running/resources.js';
import type { Collection, StoredRecord } from './collection.js';
import { type Page, valueOf } from './lists.js';
import { type Args, RecordType, withoutNulls } from './record-type.js';
import type { Sandbox } from './sandbox.js';

type Field = GraphQLField<unknown, unknown>;
/** The values of fields, or functions of their arguments; a mock makes those that are undefined. */
export type Shown = Readonly<Record<string, unknown>>;

/** The records in a type. */
interface Shape {
  readonly of: RecordType;
  readonly isOne: boolean;
}

/** What a root field does with records. */
interface Inferred {
  readonly action: string;
  readonly of: RecordType;
  readonly why: string;
  /** Resolves the field, or subscribes to its events. */
  readonly run: (args: Args) => unknown;
}

const CREATES = /^(?:create|add|new|register|insert|publish|sign_?up)|(?:Create|Add|Insert)$/;
const CHANGES = /^(?:update|edit|change|set|patch|modify|rename|save)|(?:Update|Edit|Change)$/;
const REMOVES = /^(?:delete|remove|destroy|erase)|(?:Delete|Remove|Destroy)$/;

export class GraphqlRecords {
  readonly #types: ReadonlyMap<string, RecordType>;
  readonly #readers = (of: RecordType) =>
    Object.values(of.type.getFields()).map((field) => [field.name, this.#reader(of, field)] as const);

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly sandbox: Sandbox,
  ) {
    const types = Object.values(schema.getTypeMap()).filter((type) => isObjectType(type));
    const found = types.flatMap((type) => RecordType.of(type, sandbox.collections) ?? []);
    this.#types = new Map(found.map((each) => [each.type.name, each]));
    for (const from of found)
      for (const to of found)
        for (const member of this.#references(from, to))
          sandbox.references.set(`${from.collection.parts.name}.${member}`, to.collection);
  }

  /** @returns undefined for a root field that answers as without records, and for other fields */
  inferred(parent: GraphQLObjectType, field: Field): Inferred | undefined {
    const { schema } = this;
    const kinds = ['Query', 'Mutation', 'Subscription'] as const;
    const kind = kinds.find((each) => schema[`get${each}Type`]() === parent);
    if (kind === undefined) return undefined;
    const shape = this.#shapeOf(field.type);
    const one = shape?.isOne === true ? shape.of : undefined;
    const found = {
      Query: () => shape && this.#query(field, shape),
      Mutation: () => this.#mutation(field, one),
      Subscription: () => one && this.#subscription(field, one),
    }[kind]();
    this.sandbox.fields.push({
      about: `${kind}.${field.name}`,
      does: found && { action: found.action, collection: found.of.collection },
      why: found?.why ?? 'its type or its arguments are not of records',
    });
    return found;
  }

  #query({ args, type }: Field, { of, isOne }: Shape): Inferred | undefined {
    const names = args.map(({ name }) => of.member(name) ?? name);
    const { filters, ...others } = of.parametersOf(names);
    const known = [...filters, ...(isOne ? [] : Object.values(others))].map((each) => each?.name);
    const isKnown = args.every((each, at) => !isRequiredArgument(each) || known.includes(names[at]));
    if (!isKnown || (isOne && filters.length === 0)) return undefined;
    const run = (given: Args): unknown => {
      const page = of.page(given);
      if (isOne && page.total === 0 && isNonNullType(type))
        throw new Problem(404, `There is no such ${of.type.name}`);
      return this.#shownAs(type, of, page);
    };
    const why = isOne ? `by ${filters.map(({ name }) => name).join(' and ')}` : 'its type';
    return { action: isOne ? 'read' : 'list', of, why, run };
  }

  /** @param returned - the type of the one record that it returns */
  #mutation({ name, type, args }: Field, returned: RecordType | undefined): Inferred | undefined {
    const named = name.replace(REMOVES, '');
    const of = returned ?? [...this.#types.values()].find((each) => isSameName(named, each.type.name));
    if (of === undefined) return undefined;
    const { collection } = of;
    const members = args.flatMap((each) => {
      const input = getNamedType(each.type);
      const names = isInputObjectType(input) ? Object.keys(input.getFields()) : [];
      return [each.name, ...names].flatMap((each) => of.member(each) ?? []);
    });
    const id = of.member('id') ?? '';
    const isByKey = members.includes(id);
    const hasValues = returned !== undefined && members.some((each) => each !== id);
    const act =
      (hasValues && CREATES.test(name) && 'create') ||
      (hasValues && isByKey && CHANGES.test(name) && 'update') ||
      (isByKey && REMOVES.test(name) && 'remove');
    if (act === false) return undefined;
    const run = (given: Args): unknown => {
      const values = of.values(given);
      const record =
        act === 'create' ? collection.create(withoutNulls(values)) : collection.get([values[id]]);
      if (record === undefined)
        throw new Problem(404, `No ${of.type.name} has the id ${writtenValue(values[id])}`);
      const before = { ...record };
      if (act === 'update')
        collection.replace(record, withoutNulls({ ...(record.value as Entity), ...values }));
      const fault = act === 'remove' ? undefined : this.sandbox.faultOf(collection, record);
      if (fault !== undefined) {
        collection.takeBack(record, act === 'create' ? undefined : before);
        throw new Problem(400, `${of.type.name}${fault}`);
      }
      const shown = this.#shownAs(type, of, of.page({}, [record]));
      if (act === 'remove') collection.remove(record);
      return shown;
    };
    return { action: act, of, why: 'its name and arguments', run };
  }

  #subscription({ name, type }: Field, of: RecordType): Inferred {
    const [, removed, changed] = /(?:(delet|remov)|(updat|chang|edit))ed$/i.exec(name) ?? [];
    const event = removed !== undefined ? 'removed' : changed !== undefined ? 'changed' : 'created';
    type Event = readonly [collection: Collection, record: StoredRecord];
    // The stream keeps all events from now on, and ends at once when the subscriber leaves.
    const run = (args: Args): AsyncIterable<Shown> =>
      Readable.from(on(this.sandbox.events, event))
        .filter(
          ([collection, record]: Event) => collection === of.collection && of.page(args, [record]).total > 0,
        )
        .map(([, record]: Event) => ({ [name]: this.#shownAs(type, of, of.page({}, [record])) }));
    return { action: 'publish', of, why: `when they are ${event}`, run };
  }

  /** The records in a type: in itself, in its fields as in a page or a payload, or in the nodes of its edges. */
  #shapeOf(type: GraphQLOutputType, depth = 0): Shape | undefined {
    const named = getNamedType(type);
    const isOne = !isListType(getNullableType(type));
    const own = this.#types.get(named.name);
    if (own !== undefined) return { of: own, isOne };
    const fields = isObjectType(named) && depth < 2 ? Object.values(named.getFields()) : [];
    const shapes = fields
      .filter(({ name }) => depth === 0 || name === 'node')
      .flatMap((field) => this.#shapeOf(field.type, depth + 1) ?? []);
    const found = shapes.find((each) => !each.isOne) ?? (shapes.length === 1 ? shapes[0] : undefined);
    return found && { of: found.of, isOne: isOne && found.isOne };
  }

  /** The records of a page in the form of a type: one, a list, a page, or the payload of a mutation. */
  #shownAs(type: GraphQLOutputType, of: RecordType, page: Page, depth = 0): unknown {
    const named = getNamedType(type);
    const nothing = isNonNullType(type) ? undefined : null;
    const [first] = page.records;
    const list = (): readonly Shown[] => page.records.map((record) => this.#shown(of, record));
    if (isListType(getNullableType(type))) {
      if (named === of.type) return list();
      const isOfEdges = this.#shapeOf(type)?.of === of;
      return isOfEdges ? list().map((node) => ({ node, cursor: node['id'] })) : [];
    }
    if (named === of.type) return first === undefined ? nothing : this.#shown(of, first);
    if (named.name === 'ID') return first?.at.at(-1);
    if (!isObjectType(named) || depth > 1) return nothing;
    const fields = Object.values(named.getFields()).map((field) => {
      const own = valueOf(field.name, [], page) ?? this.#shownAs(field.type, of, page, depth + 1);
      return [field.name, own] as const;
    });
    return Object.fromEntries(fields);
  }

  /** A record as a value of its type, with the records that it refers to. */
  #shown(of: RecordType, record: StoredRecord): Shown {
    const shown: Record<string, unknown> = { __typename: of.type.name };
    for (const [name, read] of once(of, this.#readers)) shown[name] = read(record);
    return shown;
  }

  /** Reads a field of a record: its value, or a function of its arguments for other records. */
  #reader(owner: RecordType, { name, type }: Field): (record: StoredRecord) => unknown {
    const named = getNamedType(type);
    const nothing = isNonNullType(type) ? undefined : null;
    const { of, isOne } = this.#shapeOf(type) ?? {};
    const [own, key] = [owner.member(name), owner.member(`${name}Id`)];
    const [back, ...others] = of === undefined ? [] : this.#references(of, owner);
    const memberOf = ({ value }: StoredRecord, member = ''): Json | undefined =>
      isEntity(value) ? value[member] : undefined;
    return (record) => {
      const value = memberOf(record, own);
      if (of === undefined || isEntity(value)) {
        if (!isEnumType(named) || typeof value !== 'string') return value ?? nothing;
        const listed = named.getValues().find((each) => isSameName(each.name, value));
        return (listed?.value as unknown) ?? nothing;
      }
      if (isOne === true) {
        const id = memberOf(record, key);
        const missing = nothing === null ? null : { __typename: of.type.name, id };
        return () => {
          const found = of.collection.get([id]);
          return found === undefined ? missing : this.#shown(of, found);
        };
      }
      if (back === undefined || others.length > 0) return nothing;
      return (args: Args) => this.#shownAs(type, of, of.page({ ...args, [back]: record.at.at(-1) }));
    };
  }

  /** The members by which records refer to those of another type: `authorId`, for a field `author` of the type, or `userId`. */
  #references(from: RecordType, to: RecordType): readonly string[] {
    const names = Object.values(from.type.getFields()).filter(
      ({ type }) => getNamedType(type) === to.type && !isListType(getNullableType(type)),
    );
    const members = [to.type, ...names].flatMap(({ name }) => from.member(`${name}Id`) ?? []);
    return [...new Set(members)].filter((each) => each !== from.member('id'));
  }
}
