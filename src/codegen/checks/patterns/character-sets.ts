/** The characters of a pattern's positions, as sets of kinds: characters of one kind are in the same positions. */

/** The Basic Multilingual Plane. */
const CODES = 0x10000;

/** In a text, two surrogates would be one character. */
const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;

/** Every code unit but the surrogates. */
let characters: string | undefined;

/** The code units that a class, an escape or a character matches, by its flags and source. */
const known = new Map<string, Uint8Array>();

export class CharacterSets {
  readonly #masks: readonly bigint[];
  readonly #everything: bigint;
  /** A character of each kind. */
  readonly #samples: readonly string[];

  /** @param sources - by position; the first state has none, and takes every character */
  constructor(sources: readonly string[], flags: string) {
    const distinct = [...new Set(sources.slice(1))];
    const kinds = new Uint16Array(CODES);
    let count = 1;
    for (const source of distinct) {
      const members = membersOf(source, flags);
      const divided = new Map<number, number>();
      for (let code = 0; code < CODES; code += 1) {
        if (members[code] === 0) continue;
        const old = kinds[code] ?? 0;
        let kind = divided.get(old);
        if (kind === undefined) divided.set(old, (kind = count++));
        kinds[code] = kind;
      }
    }
    const samples: number[] = [];
    const order = new Map<number, number>();
    // A letter or a digit is the best sample of its kind, and any printable character is better than others.
    for (const code of SAMPLES_FIRST) note(code);
    for (let code = 0; code < CODES; code += 1) note(code);
    function note(code: number): void {
      const kind = kinds[code] ?? 0;
      if (order.has(kind)) return;
      order.set(kind, order.size);
      samples.push(code);
    }
    this.#everything = (1n << BigInt(samples.length)) - 1n;
    this.#samples = samples.map((code) => String.fromCharCode(code));
    const maskOf = (source: string): bigint => {
      const members = membersOf(source, flags);
      return samples.reduce((mask, code, n) => (members[code] ? mask | (1n << BigInt(n)) : mask), 0n);
    };
    const masks = new Map(distinct.map((source) => [source, maskOf(source)]));
    this.#masks = sources.map((source, state) =>
      state === 0 ? this.#everything : (masks.get(source) ?? 0n),
    );
  }

  isEverything(state: number): boolean {
    return this.#masks[state] === this.#everything;
  }

  /** A character that leads into each of the states; undefined if there is none. */
  common(...states: readonly number[]): string | undefined {
    const mask = states.reduce((all, state) => all & (this.#masks[state] ?? 0n), this.#everything);
    if (mask === 0n) return undefined;
    return this.#samples.find((_, n) => (mask >> BigInt(n)) & 1n);
  }

  /** Whether one character leads into each of the states. */
  meet(a: number, b: number, c = a): boolean {
    return ((this.#masks[a] ?? 0n) & (this.#masks[b] ?? 0n) & (this.#masks[c] ?? 0n)) !== 0n;
  }
}

const SAMPLES_FIRST = Array.from(
  'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_. ,:;/@!#$%&*+=?~^|()[]{}<>\'"`\\',
  (character) => character.charCodeAt(0),
);

function membersOf(source: string, flags: string): Uint8Array {
  const key = `${flags} ${source}`;
  const found = known.get(key) ?? matching(source, flags);
  known.set(key, found);
  return found;
}

function matching(source: string, flags: string): Uint8Array {
  const members = new Uint8Array(CODES);
  const literal = /^\\?([^\w.\\[])$|^(\w)$/.exec(source);
  if (literal !== null) {
    members[(literal[1] ?? literal[2] ?? '').charCodeAt(0)] = 1;
    return members;
  }
  // A test of each character would take ten times as long for the first patterns, which V8 does not compile yet.
  const text = (characters ??= allCharacters());
  const all = new RegExp(source, `${flags}g`);
  while (all.test(text)) members[text.charCodeAt(all.lastIndex - 1)] = 1;
  const one = new RegExp(`^(?:${source})$`, flags);
  for (let code = FIRST_SURROGATE; code <= LAST_SURROGATE; code += 1)
    members[code] = one.test(String.fromCharCode(code)) ? 1 : 0;
  return members;
}

function allCharacters(): string {
  const surrogates = LAST_SURROGATE - FIRST_SURROGATE + 1;
  const codes = new Uint16Array(CODES - surrogates);
  for (let index = 0; index < codes.length; index += 1)
    codes[index] = index < FIRST_SURROGATE ? index : index + surrogates;
  return Buffer.from(codes.buffer).toString('utf16le');
}
