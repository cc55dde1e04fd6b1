/** The records of one kind of resource, with the members that a server makes: ids, times, versions and links. */

import type { EventEmitter } from 'node:events';
import type { Json } from '@concordat/runtime';
import { type Entity, isEntity, isSameName, namesOf, singular } from '../../running/resources.js';
import { isHidden } from '../../values/example-value.js';
import { namesIn, propertyParts, requiredNames } from '../../values/inner-parts.js';
import { type Part, type PlainPart, typesOf } from '../../values/parts.js';
import { fitsId, idOf } from './ids.js';
import { type Fill, closest, fitted, fittedObject } from './fitted.js';

/** A record at its path. */
export interface StoredRecord {
  /** The values of the parameters in its path. */
  readonly at: readonly string[];
  /** With the members that no answer shows, such as passwords. */
  value: Json;
  /** The time of its last change, which no other change has. */
  version: number;
  /** The number of its characters as JSON. */
  size: number;
  /** Its forms by their schemas, which are the same until it changes. */
  readonly forms: Map<readonly Part[], Json>;
}

/** What the collections of a sandbox share. */
export interface Surroundings {
  /** A time after all those before it, in milliseconds. */
  readonly now: () => number;
  /** `created`, `changed` and `removed`, each with the collection and the record. */
  readonly events: EventEmitter;
  /** Called when a collection has grown. */
  readonly makeRoom: () => void;
  /** The id of a record that a member such as `userId` may refer to. */
  readonly referred: (member: string) => Json | undefined;
}

/** The list in the record above that shows the records of a collection: `items` of a cart, for its `line-items`. */
export interface Within {
  readonly parent: Collection;
  readonly member: string;
  readonly item: readonly Part[];
  /** Whether other operations than those of the record above show the records. */
  readonly isShown: boolean;
}

interface CollectionParts {
  /** The last fixed segment of its path: `users`. */
  readonly name: string;
  /** The path of a record; of a single resource, its own. */
  readonly path: string;
  /** The path without the names of its parameters and what follows the last of them: `/lines/{}` for `/lines/{id}.json`. */
  readonly key: string;
  readonly isSingle: boolean;
  /** Whether an operation has the path. */
  readonly isAddressed: boolean;
  /** The schema of a record. */
  readonly item: readonly Part[];
  /** The member that has the key of a record; undefined if none does. */
  readonly idMember: string | undefined;
  /** The schema of the path parameter that carries the key. */
  readonly address: readonly Part[];
  /** The members of a record in all answers that show one. */
  readonly shown: ReadonlySet<string>;
  /** The fixed segments that follow the path of a record: `orders` for `/users/{id}/orders`. */
  readonly below: readonly string[];
  /** The list in the record above that shows the records. */
  readonly within?: Within | undefined;
}

/** The members that a server makes, by name and type. */
const MADE = [
  ['created', 'string', /^(?:created|inserted|added)_?(?:at|on|time|date)?$/i],
  ['changed', 'string', /^(?:updated|modified|changed)_?(?:at|on|time|date)?$|^last_?(?:updated|modified)/i],
  ['version', 'integer', /^(?:version|revision)$/i],
] as const;

export class Collection {
  records = new Map<string, StoredRecord>();
  /** The members of a record. */
  readonly names: ReadonlySet<string>;
  /** The members without the one that has the id. */
  readonly others: ReadonlySet<string>;
  /** The number of characters of all records. */
  size = 0;
  readonly #plain: readonly PlainPart[];
  readonly #address: readonly PlainPart[];
  readonly #required: ReadonlySet<string>;
  /** The members that only the server sets, beside the id. */
  readonly #made: ReadonlyMap<string, (typeof MADE)[number][0]>;
  /** The paths below which there were the records of an example. */
  readonly planted = new Set<string>();
  /** The members with the values of a record's path: `cartId` of `/carts/{cartId}/lines/{id}`. */
  readonly #above: readonly (readonly [index: number, member: string])[];
  #count = 0;
  #last = { isTakenBack: false };

  constructor(
    readonly parts: CollectionParts,
    private readonly surroundings: Surroundings,
  ) {
    this.#plain = closest(parts.item);
    this.#address = closest(parts.address);
    this.#required = requiredNames(this.#plain);
    this.names = new Set(namesIn(this.#plain, 'properties'));
    const segments = namesOf(parts.path).slice(0, parts.isSingle ? undefined : -1);
    this.others = new Set([...this.names].filter((each) => each !== parts.idMember));
    this.#above = segments.flatMap((parameter, index) => {
      const own = memberOf(this.others, parts.path, parameter);
      return own === undefined ? [] : [[index, own] as const];
    });
    this.#made = new Map(
      [...this.names].flatMap((name) => {
        const [type] = typesOf(closest(propertyParts(this.#plain, name) ?? [])) ?? [];
        const made = MADE.find((each) => each[1] === type && each[2].test(name));
        return made === undefined ? [] : [[name, made[0]] as const];
      }),
    );
  }

  /** The member with the time at which a record was made. */
  get timeMember(): string | undefined {
    return [...this.#made].find(([, kind]) => kind === 'created')?.[0];
  }

  get(at: readonly unknown[]): StoredRecord | undefined {
    return this.records.get(keyOf(at));
  }

  /** The record with the last values of its path, which views of it may have fewer of. */
  find(at: readonly unknown[]): StoredRecord | undefined {
    const { path, isSingle } = this.parts;
    if (isSingle || at.length === namesOf(path).length) return this.get(at);
    const key = String(at.at(-1));
    return [...this.records.values()].find((each) => each.at.at(-1) === key);
  }

  /** The records below a path, in the order in which they were made. */
  below(above: readonly unknown[]): readonly StoredRecord[] {
    return [...this.records.values()].filter(({ at }) => above.every((each, i) => at[i] === String(each)));
  }

  /**
   * Keeps a new record.
   *
   * @param known - what is known of it; its id is taken if no other record has it
   * @param above - the values of the parameters in the path of its collection
   * @param key - its id, also if another record has it, which it replaces
   */
  create(known: Json, above: readonly unknown[] = [], key?: Json): StoredRecord {
    const { idMember, isSingle } = this.parts;
    const own = isEntity(known) && idMember !== undefined ? known[idMember] : undefined;
    const isFree = isKey(own) && fitsId(this.#address, own) && this.get([...above, own]) === undefined;
    const id = key ?? (isFree ? own : this.#newId(above));
    // As UTF-8, because a path cannot have half of a surrogate pair.
    const at = (isSingle ? above : [...above, id]).map((each) => Buffer.from(String(each)).toString());
    const other = this.get(at);
    if (other !== undefined) this.remove(other);
    const record: StoredRecord = { at, value: null, version: 0, size: 0, forms: new Map() };
    this.records.set(keyOf(at), record);
    this.#keep(record, isEntity(known) && idMember !== undefined ? { ...known, [idMember]: id } : known);
    this.#publish('created', record);
    return record;
  }

  /** Gives a record a new value. Members that only the server sets stay, and so do required members that are missing. */
  replace(record: StoredRecord, sent: Json): void {
    const before = isEntity(record.value) ? record.value : {};
    const kept = Object.entries(before).filter(([name]) => {
      if (name === this.parts.idMember || this.#made.get(name) === 'created') return true;
      return (
        this.#required.has(name) && !this.#made.has(name) && !(isEntity(sent) && Object.hasOwn(sent, name))
      );
    });
    const accepted = this.accepted(sent);
    this.#keep(record, isEntity(accepted) ? { ...accepted, ...Object.fromEntries(kept) } : accepted, before);
    this.#publish('changed', record);
  }

  remove(record: StoredRecord): void {
    if (!this.records.delete(keyOf(record.at))) return;
    this.size -= record.size;
    this.#publish('removed', record);
  }

  /** Forgets all records. @returns brings them back */
  clear(): () => void {
    const before = [this.records, this.size, this.#count] as const;
    [this.records, this.size, this.#count] = [new Map<string, StoredRecord>(), 0, 0];
    this.planted.clear();
    return () => {
      [this.records, this.size, this.#count] = before;
    };
  }

  /** Takes back the last change before it is published. @param before - undefined for a record that was created */
  takeBack(record: StoredRecord, before?: Pick<StoredRecord, 'value' | 'version' | 'size'>): void {
    this.#last.isTakenBack = true;
    this.size += (before?.size ?? 0) - record.size;
    if (before === undefined) this.records.delete(keyOf(record.at));
    else Object.assign(record, before).forms.clear();
  }

  /** What a client sent, without the members that only the server sets. */
  accepted(sent: Json): Json {
    if (!isEntity(sent)) return sent;
    return Object.fromEntries(Object.entries(sent).filter(([name]) => !this.#made.has(name)));
  }

  /** The path of a record. */
  pathOf({ at }: StoredRecord): string {
    let index = 0;
    return this.parts.path.replaceAll(/\{[^}]+\}/g, () => encodeURIComponent(at[index++] ?? ''));
  }

  /** Publishes a change after the current call, which may take it back. */
  #publish(event: string, record: StoredRecord): void {
    const change: { isTakenBack: boolean } = { isTakenBack: false };
    this.#last = change;
    queueMicrotask(() => change.isTakenBack || this.surroundings.events.emit(event, this, record));
  }

  #keep(record: StoredRecord, sent: Json, before: Entity = {}): void {
    const { shown, item } = this.parts;
    const known = isEntity(sent) ? { ...sent, ...this.#ofAbove(record) } : sent;
    record.version = this.surroundings.now();
    const time = new Date(record.version).toISOString();
    let inner = 0;
    const fill: Fill = (name, parts, depth) => {
      const made = depth === 0 ? this.#made.get(name) : undefined;
      const has = (format: RegExp): boolean =>
        parts.some(({ schema }) => format.test(String(schema['format'])));
      if (made === 'version') return Number(before[name] ?? 0) + 1;
      if (made !== undefined) return has(/^date$/) ? time.slice(0, 10) : time;
      if (depth > 0 && name === 'id') return idOf(parts, (inner += 1));
      if (has(/^uri/) && /^(?:self|href)$/i.test(name)) return this.pathOf(record);
      if (has(/^uri/) && this.parts.below.includes(name)) return `${this.pathOf(record)}/${name}`;
      if (!/^_?links$/i.test(name))
        return this.#required.has(name) ? this.surroundings.referred(name) : undefined;
      const links = fittedObject(parts, {}, fill, depth + 1);
      return Object.keys(links).length > 0 ? links : undefined;
    };
    const value = fitted(item, known, fill);
    const isKept = ([name]: readonly [string, Json]): boolean =>
      (shown.size === 0 || shown.has(name)) && !isHidden(propertyParts(this.#plain, name) ?? [], 'response');
    const kept = Object.entries(isEntity(known) ? known : {}).filter(isKept);
    record.value = isEntity(value) ? { ...Object.fromEntries(kept), ...value } : value;
    record.forms.clear();
    const size = JSON.stringify(record.value).length;
    this.size += size - record.size;
    record.size = size;
    this.surroundings.makeRoom();
  }

  #ofAbove({ at }: StoredRecord): Entity {
    const values = this.#above.map(([index, member]) => {
      const parts = closest(propertyParts(this.#plain, member) ?? []);
      const text = at[index] ?? '';
      const value = typesOf(parts)?.includes('string') === false ? Number(text) : text;
      return [member, fitsId(parts, text) ? value : undefined] as const;
    });
    return Object.fromEntries(
      values.filter((each): each is [string, string | number] => each[1] !== undefined),
    );
  }

  #newId(above: readonly unknown[]): Json {
    const { idMember } = this.parts;
    const parts = closest((idMember === undefined ? undefined : propertyParts(this.#plain, idMember)) ?? []);
    // Of one id more than there are records, one is free; a schema may allow fewer.
    for (let left = this.records.size; ; left -= 1) {
      const id = idOf(parts, (this.#count += 1), this.#address);
      if (left === 0 || this.get([...above, id]) === undefined) return id;
    }
  }
}

/** The member that has the value of a path parameter: `userId` for `/users/{id}`, and `lago_user_id` for `/users/{lago_id}`. */
export function memberOf(names: ReadonlySet<string>, path: string, parameter: string): string | undefined {
  const above = path.split(`/{${parameter}}`)[0]?.split('/').at(-1) ?? '';
  const id = `${singular(above)}Id`;
  const wanted = [parameter, id, parameter.replace(/(?<=.)_?id$/i, id)];
  return [...names].find((each) => wanted.some((own) => isSameName(each, own)));
}

/** A record in the form of a schema. */
export function inForm({ value, forms }: StoredRecord, parts: readonly Part[]): Json {
  const form = forms.get(parts) ?? fitted(parts, value);
  forms.set(parts, form);
  return form;
}

const keyOf = (at: readonly unknown[]): string => JSON.stringify(at.map(String));

export const isKey = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number';
