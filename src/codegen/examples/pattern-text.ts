/** Makes a text that a regular expression matches, for the syntax that contracts commonly use. */

/**
 * Walks the pattern and writes one choice of every alternative and class. Look-aheads are skipped, and back references are not supported,
 * so the caller must test the text.
 *
 * @param pattern - a regular expression of ECMA-262
 * @param repeat - the number of repetitions of each repeatable part, within the part's bounds
 * @param choice - the index of the alternative, and of the member of a class, to write; it wraps around
 * @returns undefined for an unsupported pattern
 */
export function textOfPattern(pattern: string, repeat: number, choice = 0): string | undefined {
  const reading = new PatternReading(pattern, repeat, choice);
  try {
    const text = reading.alternatives();
    return reading.isAtEnd ? text : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a pattern matches a text; a pattern that JavaScript cannot compile matches every text. */
export function matchesPattern(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return true;
  }
}

/** The characters that an escape may represent; `b` and `B` match between characters. */
const OF_ESCAPE: Readonly<Record<string, string>> = {
  d: '109',
  w: 'aA1_',
  s: ' \t',
  D: 'a-',
  W: '- ',
  S: 'aA1-',
  n: '\n',
  r: '\r',
  t: '\t',
  b: '',
  B: '',
};

class PatternReading {
  #at = 0;

  constructor(
    private readonly pattern: string,
    private readonly repeat: number,
    private readonly choice: number,
  ) {}

  get isAtEnd(): boolean {
    return this.#at >= this.pattern.length;
  }

  /** The text of one alternative; the others are skipped. */
  alternatives(): string {
    const texts = [this.#sequence()];
    while (this.#skip('|')) texts.push(this.#sequence());
    return this.#oneOf(texts);
  }

  #oneOf(choices: readonly string[]): string {
    return choices[this.choice % Math.max(1, choices.length)] ?? '';
  }

  #sequence(): string {
    let text = '';
    while (!this.isAtEnd && !/[|)]/.test(this.#next)) {
      const atom = this.#atom();
      const [least, most] = this.#quantifier();
      text += atom.repeat(Math.max(least, Math.min(most, least === most ? least : this.repeat)));
    }
    return text;
  }

  #atom(): string {
    const character = this.#take();
    switch (character) {
      case '^':
      case '$':
        return '';
      case '.':
        return this.#oneOf(['a', 'A', '1', ' ']);
      case '(':
        return this.#group();
      case '[':
        return this.#class();
      case '\\':
        return this.#escape();
      default:
        return character;
    }
  }

  #group(): string {
    if (this.#skip('?')) {
      const kind = this.#take();
      if (kind === '=' || kind === '!') {
        this.alternatives();
        this.#expect(')');
        return '';
      }
      if (kind === '<') {
        if (/[=!]/.test(this.#next)) throw new Error('look-behind');
        while (this.#take() !== '>');
      }
    }
    const text = this.alternatives();
    this.#expect(')');
    return text;
  }

  #class(): string {
    const isNegated = this.#skip('^');
    const start = this.#at;
    const members: string[] = [];
    while (!this.#skip(']')) {
      const character = this.#take();
      members.push(character === '\\' ? this.#escape() : character);
      // A range contributes its two ends.
      if (this.#next === '-' && this.pattern[this.#at + 1] !== ']') {
        this.#take();
        const end = this.#take();
        members.push(end === '\\' ? this.#escape() : end);
      }
    }
    if (!isNegated && members.length > 0) return this.#oneOf(members);
    const allowed = new RegExp(`[^${this.pattern.slice(start, this.#at)}`, 'u');
    const found = ['a', 'A', '1', '-', ' ', '_', '.'].filter((each) => allowed.test(each));
    if (found.length === 0) throw new Error('no character is left');
    return this.#oneOf(found);
  }

  #escape(): string {
    const character = this.#take();
    if (character === 'p' || character === 'P') {
      this.#expect('{');
      let name = '';
      for (let each = this.#take(); each !== '}'; each = this.#take()) name += each;
      if (character === 'P') return /^L/.test(name) ? '1' : 'a';
      return /^(?:Nd?|Number)/.test(name) ? '1' : /^Lu/.test(name) ? 'A' : /^[PSZ]/.test(name) ? '-' : 'a';
    }
    if (/[1-9k]/.test(character)) throw new Error('back reference');
    if (character === 'x') return this.#codePoint(2);
    if (character === 'u') {
      if (!this.#skip('{')) return this.#codePoint(4);
      let digits = '';
      for (let each = this.#take(); each !== '}'; each = this.#take()) digits += each;
      return String.fromCodePoint(parseInt(digits, 16));
    }
    return this.#oneOf(Array.from(OF_ESCAPE[character] ?? character));
  }

  #codePoint(digits: number): string {
    let text = '';
    for (let n = 0; n < digits; n += 1) text += this.#take();
    return String.fromCodePoint(parseInt(text, 16));
  }

  #quantifier(): readonly [least: number, most: number] {
    const bounds = this.#bounds();
    this.#skip('?');
    return bounds;
  }

  #bounds(): readonly [least: number, most: number] {
    if (this.#skip('*')) return [0, Infinity];
    if (this.#skip('+')) return [1, Infinity];
    if (this.#skip('?')) return [0, 1];
    const [counted, least = '', comma, most = ''] =
      /^\{(\d+)(,?)(\d*)\}/.exec(this.pattern.slice(this.#at)) ?? [];
    if (counted === undefined) return [1, 1];
    this.#at += counted.length;
    const from = Number(least);
    return [from, comma === '' ? from : most === '' ? Infinity : Number(most)];
  }

  get #next(): string {
    return this.pattern[this.#at] ?? '';
  }

  #take(): string {
    const character = this.pattern[this.#at];
    if (character === undefined) throw new Error('the pattern ends early');
    this.#at += 1;
    return character;
  }

  #skip(character: string): boolean {
    if (this.#next !== character) return false;
    this.#at += 1;
    return true;
  }

  #expect(character: string): void {
    if (!this.#skip(character)) throw new Error(`there is no ${character}`);
  }
}
