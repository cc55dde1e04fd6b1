/** Random choices from a seed: the same seed gives the same choices on every machine. */

/** Ends of texts, and names that are special somewhere. */
const oddTexts = [
  '__proto__',
  'constructor',
  '400',
  'null',
  '0',
  '-',
  ' ',
  '\u{1f600}',
  '<a>&amp;"',
  "O'Neil; --",
  '%41',
  'é',
];

const letters = Array.from('abcdefghij ');

/** Characters of all kinds that a text may have: astral, combining, right to left, invisible, at the ends of ranges, with odd cases. */
const oddLetters = Array.from(
  '\u{1f600}\u{10ffff}\u{10000}\u{2f800}e\u0301\u05d0\u202e\u200d\ufeff\ufffd\ud7ff\ue000\u0085\u2028\u00a0\t\n\r\u007f\u0130\u00df\\"<&\'%',
);

export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A number from 0, below 1: mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let bits = this.#state;
    bits = Math.imul(bits ^ (bits >>> 15), bits | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `least` to `most`. */
  whole(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly [T, ...T[]]): T;
  pick<T>(items: readonly T[]): T | undefined;
  pick<T>(items: readonly T[]): T | undefined {
    return items[this.whole(0, items.length - 1)];
  }

  /** Small numbers mostly, and now and then one near `most`. */
  size(most: number): number {
    return this.chance(0.05)
      ? this.whole(Math.ceil(most * 0.9), most)
      : Math.min(most, Math.floor(1 / (1 - this.next())));
  }

  /** A text of 1 to `most` characters. */
  text(most: number): string {
    if (this.chance(0.2)) return (this.pick(oddTexts) ?? '').slice(0, most);
    const length = this.chance(most > 500 ? 0.03 : 0.1) ? most : Math.min(most, this.whole(1, 12));
    const alphabet = this.chance(0.15) ? oddLetters : letters;
    return Array.from({ length }, () => this.pick(alphabet)).join('') || 'a';
  }
}
