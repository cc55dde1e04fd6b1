/** The values that a run sends: random ones that a seed determines, so that it can be repeated, smaller ones, and those that the server named. */

import type { Json } from '@concordat/runtime';
import { seeded } from '../../values/seeded.js';

export interface Random {
  /** A whole number from 0, below the limit. */
  readonly below: (limit: number) => number;
  /** Five letters and digits, practically unique within a run. */
  readonly token: () => string;
  /** The same items in another order. */
  readonly shuffled: <T>(items: readonly T[]) => T[];
}

/** @param seed - a whole number; the same seed gives the same random numbers */
export function randomOf(seed: number): Random {
  const next = seeded(seed);
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    token() {
      const number = below(36 ** 5);
      return number.toString(36).padStart(5, '0');
    },
    shuffled(items) {
      const placed = items.map((item) => ({ item, at: next() }));
      return placed.sort((a, b) => a.at - b.at).map(({ item }) => item);
    },
  };
}

/** Another text of the same kind, new to the server. */
export function freshText(text: string, random: Random): string {
  const token = random.token();
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return text.replace(/^[^@]*/, `${text.charAt(0)}${token}`);
  if (/^[\da-f]{8}-/i.test(text)) return text.replace(/^.{5}/, token.replaceAll(/[^\da-f]/g, '0'));
  // The host of an address stays, because a server may look it up.
  const [host = ''] = /^https?:\/\/[^/?#]*/i.exec(text) ?? [];
  if (host !== '' && text.length <= host.length + token.length) return `${host}/${token}`;
  // The length stays, because the schema may not allow a longer text.
  return text.length > token.length ? `${text.slice(0, -token.length)}${token}` : `${text}${token}`;
}

/** The most values remembered per kind. */
const MOST = 20;

/** The values by which a server's answers named its resources, by the kind of resource. */
export class KnownValues<Value> {
  readonly #byKind: Map<string, readonly Value[]>;

  /** @param kinds - the kinds that are known from the start */
  constructor(
    private readonly isSame: (a: Value, b: Value) => boolean,
    kinds: readonly string[] = [],
  ) {
    this.#byKind = new Map(kinds.map((kind) => [kind, []]));
  }

  get kinds(): readonly string[] {
    return [...this.#byKind.keys()];
  }

  of(kind: string): readonly Value[] {
    return this.#byKind.get(kind) ?? [];
  }

  add(kind: string, value: Value): void {
    const known = this.of(kind);
    if (known.length < MOST && !known.some((each) => this.isSame(each, value)))
      this.#byKind.set(kind, [...known, value]);
  }

  forget(isGone: (value: Value, kind: string) => boolean): void {
    for (const [kind, known] of this.#byKind) {
      const left = known.filter((value) => !isGone(value, kind));
      this.#byKind.set(kind, left);
    }
  }
}

/** The variants of a value with one part left out. */
export function* smallerValues(value: Json): Generator<Json> {
  if (typeof value === 'string') {
    const characters = Array.from(value);
    const { length } = characters;
    if (length > 1) yield characters.slice(0, Math.floor(length / 2)).join('');
    if (length > 2) yield characters.slice(0, -1).join('');
  } else if (Array.isArray(value)) {
    const items = value as readonly Json[];
    for (const index of items.keys()) yield items.toSpliced(index, 1);
    for (const [index, item] of items.entries())
      for (const smaller of smallerValues(item)) yield items.with(index, smaller);
  } else if (typeof value === 'object' && value !== null) {
    const object = value as Readonly<Record<string, Json>>;
    const members = Object.entries(object);
    for (const [name] of members) yield Object.fromEntries(members.filter(([other]) => other !== name));
    for (const [name, member] of members)
      for (const smaller of smallerValues(member)) yield { ...object, [name]: smaller };
  }
}
