/** The choices that determine a random value: they are drawn, recorded, repeated, and made smaller. */

/** Numbers from 0, which make simpler values the smaller they are, and groups of choices that belong together. */
type Choices = readonly (number | Choices)[];

/** Makes a value from choices. */
export type Draw<T> = (source: Source) => T;

/** A value with the choices that make it. */
export interface Drawn<T> {
  readonly value: T;
  readonly choices: Choices;
  /** The place of the reduction that led to the choices. */
  readonly at?: number;
}

/** Random numbers from 0, below 1. */
type Random = () => number;

/**
 * Mulberry32: 32 bits of state are enough to choose values for tests.
 *
 * @param seed - a whole number; the same seed gives the same random numbers
 */
export function seeded(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Deeper values have only what is required. */
const DEEPEST = 4;

/** The number of refused values in a row before an attempt gives up. */
const PATIENCE = 5_000;

/** The same for the next item of a list whose items differ. */
const PATIENCE_OF_LISTS = 100;

/** Repeated choices that make no value, which happens when some of them have been made smaller. */
class NoValue extends Error {}

/** Draws choices at random, or repeats given ones; those that are missing are 0. */
export class Source {
  readonly #recorded: (number | Choices)[] = [];
  readonly #random: Random | undefined;
  readonly #given: Choices;
  readonly #depth: number;

  private constructor(random: Random | undefined, given: Choices, depth: number) {
    this.#random = random;
    this.#given = given;
    this.#depth = depth;
  }

  /** A random value. @throws Error when none of many values fits */
  static random<T>(draw: Draw<T>, random: Random): Drawn<T> {
    const source = new Source(random, [], 0);
    return { value: draw(source), choices: source.#recorded };
  }

  /** The value of given choices; undefined if they make none. */
  static repeated<T>(draw: Draw<T>, choices: Choices): Drawn<T> | undefined {
    const source = new Source(undefined, choices, 0);
    try {
      return { value: draw(source), choices: source.#recorded };
    } catch (error) {
      if (error instanceof NoValue) return undefined;
      throw error;
    }
  }

  /** Whether values here have only what is required. */
  get isDeep(): boolean {
    return this.#depth >= DEEPEST;
  }

  /**
   * A whole number from 0 to `most`.
   *
   * @param pick - chooses a random one; unless given, the ends and small numbers are more probable
   */
  upTo(most: number, pick: (random: Random, most: number) => number = biased): number {
    const given = this.#given[this.#recorded.length];
    const number =
      this.#random === undefined
        ? Math.min(most, typeof given === 'number' ? given : 0)
        : pick(this.#random, most);
    this.#recorded.push(number);
    return number;
  }

  /** True with a probability; never when choices are repeated. */
  chance(probability: number): boolean {
    return this.#random !== undefined && this.#random() < probability;
  }

  /** One of several, the simplest first. */
  oneOf<T>(all: readonly [T, ...T[]]): T {
    return all[this.upTo(all.length - 1, uniform)] ?? all[0];
  }

  /** A value whose choices belong together. @param depth - 1 for a member of a value */
  group<T>(draw: Draw<T>, depth: 0 | 1 = 0): T {
    const [inner, value] = this.#inside(draw, depth);
    this.#recorded.push(inner.#recorded);
    return value;
  }

  /** The first value that fits. @param what - names the rule, for the error when none fits */
  fitting<T>(draw: Draw<T>, fits: (value: T) => boolean, what: () => string): T {
    const found = this.#firstFitting(draw, fits, PATIENCE, 0);
    if (found !== undefined) return found.value;
    if (this.#random === undefined) throw new NoValue();
    throw new Error(`none of ${String(PATIENCE)} values fits ${what()}: write an arbitrary of your own`);
  }

  /** Items up to a length. The list ends early if no new item is found. */
  list<T>(
    draw: Draw<T>,
    least: number,
    most: number,
    length: number,
    isNew: (item: T, before: readonly T[]) => boolean = () => true,
  ): T[] {
    const list: T[] = [];
    // Each item says whether it is there, so that a repetition without its choices has one item less.
    const next: Draw<readonly T[]> = (source) => {
      const isThere = source.upTo(1, () => Number(list.length < Math.max(least, length)));
      return isThere === 1 || list.length < least ? [draw(source)] : [];
    };
    while (list.length < most) {
      const isAny = (found: readonly T[]): boolean => found.every((item) => isNew(item, list));
      const [item] = this.#firstFitting(next, isAny, PATIENCE_OF_LISTS, 1)?.value ?? [];
      if (item === undefined) break;
      list.push(item);
    }
    return list;
  }

  #firstFitting<T>(
    draw: Draw<T>,
    fits: (value: T) => boolean,
    patience: number,
    depth: number,
  ): { readonly value: T } | undefined {
    for (let left = this.#random === undefined ? 1 : patience; left > 0; left -= 1) {
      const [inner, value] = this.#inside(draw, depth);
      if (!fits(value)) continue;
      this.#recorded.push(inner.#recorded);
      return { value };
    }
    return undefined;
  }

  #inside<T>(draw: Draw<T>, depth: number): readonly [Source, T] {
    const given = this.#given[this.#recorded.length];
    const inner = new Source(this.#random, typeof given === 'object' ? given : [], this.#depth + depth);
    return [inner, draw(inner)];
  }
}

/** One of the numbers, all with the same probability. */
export function uniform(random: Random, most: number): number {
  return Math.min(most, Math.floor(random() * (most + 1)));
}

/** Often 0, the greatest or a small number. */
function biased(random: Random, most: number): number {
  const kind = random();
  if (kind < 0.1) return 0;
  if (kind < 0.2) return most;
  return uniform(random, kind < 0.4 ? Math.min(most, 10) : most);
}

/** The lengths of lists and texts: mostly short, sometimes as long as possible. @param longest - the length that is made exactly */
export function lengthBetween(source: Source, least: number, most: number, longest: number): number {
  if (source.isDeep) return least;
  if (most <= longest && source.chance(0.15)) return most;
  let length = least;
  while (length < most && source.chance(0.8)) length += 1;
  return length;
}

/** Any character of Unicode, most often a printable one of ASCII; the simplest is `a`. */
export function anyCharacter(source: Source): string {
  const choice = source.upTo(0x10ffff, (random) =>
    random() < 0.6 ? (0x20 + uniform(random, 0x5e)) ^ 0x61 : uniform(random, 0x10ffff),
  );
  const code = choice ^ 0x61;
  const isSurrogate = code >= 0xd800 && code < 0xe000;
  return String.fromCodePoint(isSurrogate ? code - 0xd700 : code);
}

/** Any bytes, of a minimum number. */
export function bytes(source: Source, least = 0): Uint8Array<ArrayBuffer> {
  const byte: Draw<number> = (inner) => inner.upTo(255, uniform);
  return Uint8Array.from(source.list(byte, least, Infinity, lengthBetween(source, least, Infinity, 0)));
}

/**
 * Smaller choices with their values, the smallest first. After a reduction, the next one is tried at the same place, and those before it
 * are tried last.
 */
export function* smaller<T>(draw: Draw<T>, { choices, at = 0 }: Drawn<unknown>): Generator<Drawn<T>> {
  const weight = weightOf(choices);
  for (const [from, to] of [
    [at, Infinity],
    [0, at],
  ] as const) {
    let index = -1;
    for (const reduced of reductions(choices)) {
      index += 1;
      const found = index >= from && index < to ? Source.repeated(draw, reduced()) : undefined;
      if (found !== undefined && weightOf(found.choices) < weight) yield { ...found, at: index };
    }
  }
}

function* reductions(choices: Choices): Generator<() => Choices> {
  if (choices.length > 0) yield () => [];
  for (let size = Math.floor(choices.length / 2); size >= 1; size = Math.floor(size / 2))
    for (let at = 0; at < choices.length; at += size) yield () => choices.toSpliced(at, size);
  for (const [index, each] of choices.entries()) {
    if (typeof each === 'number') for (const less of halvings(each)) yield () => choices.with(index, less);
    else for (const less of reductions(each)) yield () => choices.with(index, less());
  }
}

/** 0, and then numbers that come closer and closer. */
function* halvings(number: number): Generator<number> {
  for (let less = number; less >= 1; less = Math.floor(less / 2)) yield number - less;
}

/**
 * Each reduction makes the sum of the numbers smaller, or keeps it and makes the choices fewer, so that reducing comes to an end. A value
 * has fewer than a million choices.
 */
function weightOf(choices: Choices): bigint {
  return choices.reduce<bigint>(
    (sum, each) => sum + (typeof each === 'number' ? BigInt(each) * 1_000_000n : weightOf(each)) + 1n,
    0n,
  );
}
