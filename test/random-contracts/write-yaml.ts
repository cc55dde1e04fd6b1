/** Writes a value as YAML in one of the ways that authors and programs write it: anchors, merge keys, plain and odd scalars. */

import type { Random } from '../simulation/random.js';

/** Texts that YAML 1.1 reads as other values, and plain words; quotes are needed for all others. */
const PLAIN = /^(?:no|yes|on|off|y|n|\d{4}-\d\d-\d\d|[A-Za-z][\w/.-]*)$/i;
const NOT_TEXT = /^(?:null|true|false)$/i;

/** The shortest text of a part for which an alias is worthwhile. */
const LEAST_SHARED = 12;

export function yamlOf(value: unknown, random: Random): string {
  return `${new YamlWriter(random, random.pick([0, 0.3, 1])).block(value, 0).trimStart()}\n`;
}

class YamlWriter {
  /** The names of the anchors, by the JSON of what they hold. */
  readonly #anchors = new Map<string, string>();

  /** @param oddity - the share of the scalars and parts that are written in an odd way */
  constructor(
    private readonly random: Random,
    private readonly oddity: number,
  ) {}

  /** A value after its key or dash, with the white space before it. */
  block(value: unknown, depth: number): string {
    const { random, oddity } = this;
    if (typeof value !== 'object' || value === null) return ` ${this.#scalar(value)}`;
    const json = JSON.stringify(value);
    const isEmpty = Object.keys(value).length === 0;
    if (isEmpty || (json.length < 200 && random.chance(oddity * 0.1))) return ` ${json}`;
    const known = this.#anchors.get(json);
    if (known !== undefined && random.chance(oddity)) return ` *${known}`;
    const lines = Array.isArray(value)
      ? value.map((each: unknown) => `-${this.block(each, depth + 1)}`)
      : this.#members(value, depth);
    // Only what is complete can be repeated: a part with an alias to itself has no end.
    const anchor = known === undefined && json.length >= LEAST_SHARED && oddity > 0 ? this.#anchor(json) : '';
    return `${anchor}${lines.map((line) => `\n${'  '.repeat(depth)}${line}`).join('')}`;
  }

  #anchor(json: string): string {
    const name = `a${String(this.#anchors.size)}`;
    this.#anchors.set(json, name);
    return ` &${name}`;
  }

  #members(value: object, depth: number): readonly string[] {
    const { random, oddity } = this;
    const all: readonly (readonly [string, unknown])[] = Object.entries(value);
    const merged = all.length > 2 && random.chance(oddity * 0.1) ? random.whole(1, all.length - 2) : 0;
    // A key of the object takes precedence over the same key of what is merged.
    const first = Object.fromEntries(all.slice(0, merged + 1));
    const start = merged === 0 ? [] : [`<<:${this.block(first, depth + 1)}`];
    return [...start, ...all.slice(merged).map(([name, member]) => this.#member(name, member, depth))];
  }

  #member(name: string, member: unknown, depth: number): string {
    const isPlain = PLAIN.test(name) && !NOT_TEXT.test(name);
    const isStatus = /^[1-9]\d{2}$/.test(name);
    const key = (isPlain || isStatus) && this.random.chance(0.9) ? name : JSON.stringify(name);
    return `${key}:${this.block(member, depth + 1)}`;
  }

  #scalar(value: unknown): string {
    const { random, oddity } = this;
    const isOdd = random.chance(oddity);
    if (typeof value === 'string')
      return PLAIN.test(value) && !NOT_TEXT.test(value) && random.chance(0.9)
        ? value
        : isOdd && /^[\w ,.:#*-]+$/.test(value)
          ? `'${value}'`
          : JSON.stringify(value);
    if (!isOdd) return JSON.stringify(value ?? null);
    if (value === null) return random.pick(['~', 'Null', 'NULL', '']);
    if (typeof value === 'boolean') return random.pick(value ? ['True', 'TRUE'] : ['False', 'FALSE']);
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) return JSON.stringify(value);
    const forms = [`+${String(value)}`, `0x${value.toString(16)}`, `0o${value.toString(8)}`];
    return random.pick([...forms, `${String(value)}.0`, `${String(value)}e0`]) ?? '';
  }
}
