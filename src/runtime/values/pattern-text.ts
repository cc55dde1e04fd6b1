/** Makes texts that a regular expression matches, for the syntax that contracts commonly use. */

import { expression } from '../failures/assertion-failures.js';

/** Makes the choices in a text of a pattern. */
export interface PatternChoices {
  /** One of several: alternatives, or the members of a class. @param further - the members between the ends of its ranges */
  readonly oneOf: <T>(pieces: readonly [T, ...T[]], further?: readonly T[]) => T;
  /** How often an atom is repeated. */
  readonly count: (least: number, most: number) => number;
}

/** A part of a pattern: texts of which it is one, alternatives, or a sequence. */
type Piece =
  | Texts
  | { readonly alternatives: readonly [Piece, ...Piece[]] }
  | { readonly sequence: readonly Repeated[] };

interface Texts {
  readonly texts: readonly [string, ...string[]];
  readonly further?: readonly string[];
}

interface Repeated {
  readonly piece: Piece;
  readonly least: number;
  readonly most: number;
}

const read = new Map<string, Piece | undefined>();

/**
 * Writes one choice of every alternative and class of a pattern. Look-around is skipped, except for what must come before, and back
 * references are not supported, so the caller must test the text.
 *
 * @param pattern - a regular expression of ECMA-262
 * @returns undefined for an unsupported pattern
 */
export function chosenText(pattern: string, choices: PatternChoices): string | undefined {
  if (!read.has(pattern)) read.set(pattern, pieceOf(pattern));
  const piece = read.get(pattern);
  return piece === undefined ? undefined : written(piece, choices);
}

/**
 * The text of certain choices.
 *
 * @param repeat - the number of repetitions of each repeatable part, within the part's bounds
 * @param choice - the index of the alternative, and of the member of a class, to write; it wraps around
 * @returns undefined for an unsupported pattern
 */
export function textOfPattern(pattern: string, repeat: number, choice = 0): string | undefined {
  return chosenText(pattern, {
    oneOf: (pieces) => pieces[choice % pieces.length] ?? pieces[0],
    count: (least, most) => Math.max(least, Math.min(most, repeat)),
  });
}

function written(piece: Piece, choices: PatternChoices): string {
  if ('texts' in piece) return choices.oneOf(piece.texts, piece.further);
  if ('alternatives' in piece) return written(choices.oneOf(piece.alternatives), choices);
  const texts = piece.sequence.flatMap((repeated) => {
    const { least, most } = repeated;
    const count = least === most ? least : choices.count(least, most);
    return Array.from({ length: count }, () => written(repeated.piece, choices));
  });
  return texts.join('');
}

function pieceOf(pattern: string): Piece | undefined {
  const reading = new PatternReading(pattern);
  try {
    const piece = reading.alternatives();
    return reading.isAtEnd ? piece : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a pattern matches a text; a pattern that JavaScript cannot compile matches every text. */
export function matchesPattern(pattern: string, text: string): boolean {
  try {
    return expression(pattern).test(text);
  } catch {
    return true;
  }
}

/** The characters that an escape may represent, different ones first. */
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
};

/** The further characters of escapes that represent many. */
const FURTHER_OF_ESCAPE: Readonly<Record<string, string>> = {
  d: '2345678',
  w: 'bcdefghijklmnopqrstuvwxyzBCDEFGHIJKLMNOPQRSTUVWXYZ023456789',
  S: '_./é漢',
};

/** The characters between the ends of a wider range are not used. */
const WIDEST = 256;

/** A character of the properties whose names start so. */
const OF_PROPERTY: readonly (readonly [RegExp, string])[] = [
  [/^N/, '1'],
  [/^Lu/, 'A'],
  [/^[PSZ]/, '-'],
];

const NOTHING: Texts = { texts: [''] };

function oneOf([first, ...others]: readonly string[], further: readonly string[] = []): Texts {
  if (first === undefined) throw new Error('no character is left');
  return { texts: [first, ...others], further };
}

class PatternReading {
  #at = 0;

  constructor(private readonly pattern: string) {}

  get isAtEnd(): boolean {
    return this.#at >= this.pattern.length;
  }

  alternatives(): Piece {
    const first = this.#sequence();
    const others: Piece[] = [];
    while (this.#skip('|')) others.push(this.#sequence());
    return others.length === 0 ? first : { alternatives: [first, ...others] };
  }

  #sequence(): Piece {
    const sequence: Repeated[] = [];
    while (!this.isAtEnd && !/[|)]/.test(this.#next)) {
      const piece = this.#atom();
      const [least, most] = this.#bounds();
      this.#skip('?');
      sequence.push({ piece, least, most });
    }
    return { sequence };
  }

  #atom(): Piece {
    const character = this.#take();
    switch (character) {
      case '^':
      case '$':
        return NOTHING;
      case '.':
        return { texts: ['a', 'A', '1', ' '] };
      case '(':
        return this.#group();
      case '[':
        return this.#class();
      case '\\':
        return this.#escape();
      default:
        return { texts: [character] };
    }
  }

  #group(): Piece {
    if (this.#skip('?')) {
      const kind = this.#take();
      const isBehind = kind === '<' && /[=!]/.test(this.#next);
      if (isBehind && this.#take() === '=') throw new Error('look-behind');
      if (isBehind || kind === '=' || kind === '!') {
        this.alternatives();
        this.#expect(')');
        return NOTHING;
      }
      if (kind === '<') this.#until('>');
    }
    const piece = this.alternatives();
    this.#expect(')');
    return piece;
  }

  #class(): Piece {
    const isNegated = this.#skip('^');
    const start = this.#at;
    const members: string[] = [];
    const further: string[] = [];
    const member = (): string => {
      const character = this.#take();
      const { texts, further: more = [] } = character === '\\' ? this.#escape() : oneOf([character]);
      members.push(texts[0]);
      further.push(...texts.slice(1), ...more);
      return texts[0];
    };
    while (!this.#skip(']')) {
      const first = member();
      if (this.#next !== '-' || this.pattern[this.#at + 1] === ']') continue;
      this.#take();
      further.push(...between(first, member()));
    }
    if (!isNegated && members.length > 0) return oneOf(members, further);
    const allowed = new RegExp(`[^${this.pattern.slice(start, this.#at)}`, 'u');
    return oneOf(['a', 'A', '1', '-', ' ', '_', '.'].filter((each) => allowed.test(each)));
  }

  #escape(): Texts {
    const character = this.#take();
    if (character === 'p' || character === 'P') {
      this.#expect('{');
      const name = this.#until('}');
      if (character === 'P') return oneOf([/^L/.test(name) ? '1' : 'a']);
      const [, sample = 'a'] = OF_PROPERTY.find(([start]) => start.test(name)) ?? [];
      return oneOf([sample]);
    }
    if (/[1-9k]/.test(character)) throw new Error('back reference');
    if (character === 'x') return oneOf([this.#codePoint(2)]);
    if (character === 'u') {
      if (!this.#skip('{')) return oneOf([this.#codePoint(4)]);
      return oneOf([String.fromCodePoint(parseInt(this.#until('}'), 16))]);
    }
    if (character === 'b' || character === 'B') return NOTHING;
    return oneOf(
      Array.from(OF_ESCAPE[character] ?? character),
      Array.from(FURTHER_OF_ESCAPE[character] ?? ''),
    );
  }

  #until(end: string): string {
    let text = '';
    for (let each = this.#take(); each !== end; each = this.#take()) text += each;
    return text;
  }

  #codePoint(digits: number): string {
    let text = '';
    for (let n = 0; n < digits; n += 1) text += this.#take();
    return String.fromCodePoint(parseInt(text, 16));
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

/** The characters between the ends of a range. */
function between(first: string, last: string): readonly string[] {
  const [from, to] = [first.codePointAt(0) ?? 0, last.codePointAt(0) ?? 0];
  if (to - from < 2 || to - from > WIDEST) return [];
  return Array.from({ length: to - from - 1 }, (_, index) => String.fromCodePoint(from + 1 + index));
}
