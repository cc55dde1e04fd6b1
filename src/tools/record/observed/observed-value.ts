/** The values that were seen at one place of JSON bodies, merged as they come. */

import type { Json } from '@concordat/runtime';
import type { Schema, SchemaObject } from 'concordat/contract';
import { isHarmless, isSensitiveName, shapeOfNumber } from '@concordat/runtime/observe';
import { ObservedText, type Source, type WriteOptions, least } from './observed-text.js';
import { isVariableName } from './names.js';
import { Callers } from './callers.js';

/** What all values of a recording share: their memory, and how many bodies could not be read. */
export class PlaceBudget {
  /** Bodies that were too large, or could not be understood. */
  unread = 0;
  #left: number;

  constructor(most: number) {
    this.#left = most;
  }

  take(): boolean {
    if (this.#left === 0) return false;
    this.#left -= 1;
    return true;
  }
}

const MOST_DEPTH = 40;
const MOST_PROPERTIES = 300;
/** More properties are rather the keys of a map. */
const MOST_MAP_SAMPLES = 100;
/** Fewer names that no two objects share may be alternatives. */
const FEWEST_KEYS = 4;

const KINDS = ['nulls', 'booleans', 'integers', 'fractions', 'arrays', 'objects'] as const;

interface Property {
  readonly value: ObservedValue;
  /** The first place that it had in an object, which orders the properties. */
  place: number;
}

export class ObservedValue {
  /** How many values of each kind were seen, other than texts. */
  readonly #counts = { nulls: 0, booleans: 0, integers: 0, fractions: 0, arrays: 0, objects: 0 };
  #texts: ObservedText | undefined;
  #items: ObservedValue | undefined;
  #properties: Map<string, Property> | undefined;
  /** The values whose keys are ids, dates or addresses, and not names. */
  #others: ObservedValue | undefined;
  /** Whether some members were not recorded, because there was no memory for them. */
  #isCut = false;
  #example: number | undefined;
  #shape: number | undefined;
  readonly #callers = new Callers();

  constructor(private readonly budget: PlaceBudget) {}

  /** How many values were seen. */
  get count(): number {
    return Object.values(this.#counts).reduce((sum, each) => sum + each, this.#texts?.count ?? 0);
  }

  /** The names of the properties that all values have, if all are objects. */
  get common(): readonly string[] {
    if (this.#counts.objects === 0 || this.#counts.objects !== this.count) return [];
    return this.#sorted.filter(([, { value }]) => value.count === this.#counts.objects).map(([name]) => name);
  }

  /** @param source - is sensitive for a value, with all in it, of a member whose values are never written */
  add(value: Json, source: Source = { caller: '', isSensitive: false }, depth = 0): void {
    this.#callers.add(source.caller);
    if (value === null) this.#counts.nulls += 1;
    else if (typeof value === 'boolean') this.#counts.booleans += 1;
    else if (typeof value === 'number') this.#addNumber(value, source.isSensitive);
    else if (typeof value === 'string') (this.#texts ??= new ObservedText()).add(value, source);
    else if (Array.isArray(value)) {
      this.#counts.arrays += 1;
      if (value.length > 0) this.#items ??= this.#place(depth);
      for (const item of value as readonly Json[]) this.#items?.add(item, source, depth + 1);
    } else this.#addObject(value as Readonly<Record<string, Json>>, source, depth);
  }

  #addNumber(value: number, isSensitive: boolean): void {
    if (Number.isInteger(value)) this.#counts.integers += 1;
    else this.#counts.fractions += 1;
    this.#shape = least(this.#shape, shapeOfNumber(value));
    if (!isSensitive && isHarmless(String(value))) this.#example = least(this.#example, value);
  }

  #addObject(value: Readonly<Record<string, Json>>, source: Source, depth: number): void {
    this.#counts.objects += 1;
    for (const [place, [name, member]] of Object.entries(value).entries()) {
      if (isVariableName(name)) {
        this.#others ??= this.#place(depth);
        this.#others?.add(member, source, depth + 1);
        continue;
      }
      const property = this.#propertyOf(name, place, depth);
      if (property === undefined) continue;
      property.place = Math.min(property.place, place);
      const isSensitive = source.isSensitive || isSensitiveName(name);
      property.value.add(member, { ...source, isSensitive }, depth + 1);
    }
  }

  #propertyOf(name: string, place: number, depth: number): Property | undefined {
    const properties = (this.#properties ??= new Map<string, Property>());
    const known = properties.get(name);
    if (known !== undefined) return known;
    const made = properties.size < MOST_PROPERTIES ? this.#place(depth) : undefined;
    if (made === undefined) {
      this.#isCut = true;
      return undefined;
    }
    const property = { value: made, place };
    properties.set(name, property);
    return property;
  }

  /** A place for members, unless there is no memory left. */
  #place(depth: number): ObservedValue | undefined {
    if (depth < MOST_DEPTH && this.budget.take()) return new ObservedValue(this.budget);
    this.#isCut = true;
    return undefined;
  }

  merge(other: ObservedValue): void {
    for (const kind of KINDS) this.#counts[kind] += other.#counts[kind];
    this.#isCut ||= other.#isCut;
    this.#callers.merge(other.#callers);
    this.#example = least(this.#example, other.#example);
    this.#shape = least(this.#shape, other.#shape);
    if (other.#texts !== undefined) (this.#texts ??= new ObservedText()).merge(other.#texts);
    if (other.#items !== undefined) (this.#items ??= this.#place(0))?.merge(other.#items);
    if (other.#others !== undefined) (this.#others ??= this.#place(0))?.merge(other.#others);
    for (const [name, { value, place }] of other.#properties ?? []) {
      const property = this.#propertyOf(name, place, 0);
      if (property === undefined) continue;
      property.place = Math.min(property.place, place);
      property.value.merge(value);
    }
  }

  get #sorted(): readonly (readonly [string, Property])[] {
    return [...(this.#properties ?? [])].sort(
      ([one, { place: first }], [other, { place: second }]) => first - second || (one < other ? -1 : 1),
    );
  }

  /** The narrowest schema of its form that all values fit. */
  schema(options: WriteOptions): Schema {
    const scalars: SchemaObject[] = [];
    if (this.#texts !== undefined) scalars.push(this.#texts.asString(options));
    if (this.#counts.integers + this.#counts.fractions > 0) {
      const example = options.examples ? (this.#example ?? this.#shape) : undefined;
      scalars.push({
        type: this.#counts.fractions > 0 ? 'number' : 'integer',
        ...(example !== undefined && { examples: [example] }),
      });
    }
    if (this.#counts.booleans > 0) scalars.push({ type: 'boolean' });
    const kinds = [...(this.#counts.objects > 0 ? [this.#objectSchema(options)] : []), ...scalars];
    if (this.#counts.arrays > 0) kinds.push({ type: 'array', items: this.#items?.schema(options) ?? {} });
    const [only, ...more] = kinds;
    // Of a value that was only ever null nothing else is known.
    if (only === undefined) return {};
    if (more.length === 0) return this.#counts.nulls > 0 ? withNull(only) : only;
    const all = this.#counts.nulls > 0 ? [...kinds, { type: 'null' }] : kinds;
    const isPlain = all.every((each) => Object.keys(each).length === 1);
    return isPlain ? { type: all.map(({ type }) => String(type)) } : { anyOf: all };
  }

  #objectSchema(options: WriteOptions): SchemaObject {
    const members = this.#sorted.filter(
      ([name, { value }]) => !options.isSecretName(name) && options.isShared(value.#callers),
    );
    // Names that were mostly seen once are rather the keys of a map, which clients choose.
    const once = members.filter(([, { value }]) => value.count === 1).length;
    const isMostlyOnce = members.length >= FEWEST_KEYS && once * 2 > members.length;
    const isMap = this.common.length === 0 && (members.length > MOST_MAP_SAMPLES || isMostlyOnce);
    // The members that are not written have no schema.
    const isOpen = this.#isCut || members.length < this.#sorted.length;
    const required = members
      .filter(([, { value }]) => value.count === this.#counts.objects)
      .map(([name]) => name);
    if (isMap) {
      const merged = new ObservedValue(new PlaceBudget(10_000));
      for (const [, { value }] of members) merged.merge(value);
      if (this.#others !== undefined) merged.merge(this.#others);
      return { type: 'object', ...(!isOpen && { additionalProperties: merged.schema(options) }) };
    }
    return {
      type: 'object',
      ...(members.length > 0 && {
        properties: Object.fromEntries(members.map(([name, { value }]) => [name, value.schema(options)])),
      }),
      ...(required.length > 0 && { required }),
      ...(this.#others !== undefined && !isOpen && { additionalProperties: this.#others.schema(options) }),
    };
  }
}

function withNull(schema: SchemaObject): SchemaObject {
  const { enum: values } = schema;
  return {
    ...schema,
    type: [String(schema.type), 'null'],
    ...(values !== undefined && { enum: [...values, null] }),
  };
}
