/** Rewrites a pattern into plain ones that take at least as long, for a checker that knows repetition and choice only. */

import { Positions, type Piece } from './positions.js';

/** A pattern without look-around, back references and long counted repeats. */
export interface PlainPattern {
  readonly source: string;
  /** How often the longest part is repeated; Infinity for `*`, `+` and `{n,}`. */
  readonly mostRepeats: number;
  /** Whether the steps for a text grow with the square of its length at most, as the form of the pattern shows. */
  readonly isSimple: boolean;
}

/** Counted repeats up to this number stay as they are: the checker unrolls them. */
const MOST_COUNTED = 20;

/** More optional parts than this may be tried in too many ways. */
const MOST_OPTIONAL = 8;

/**
 * The pattern itself, and each of its look-arounds, which begins where it is written.
 *
 * @param pattern - a regular expression of ECMA-262
 */
export function plainPatterns(pattern: string, flags: string): readonly PlainPattern[] {
  const found: PlainPattern[] = [];
  new Reading(pattern, flags, found).whole('');
  return found;
}

const LOOK_AROUND = /\(\?<?[=!]/y;
const GROUP = /\((?:\?:|\?<[^>]*>)?/y;
const BACK_REFERENCE = /\\(?:[1-9]\d*|k<[^>]*>)/y;
const ANCHOR = /[\^$]|\\[bB]/y;
const CHARACTERS =
  /\\(?:[pPu]\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|[^])|\[(?:\\[^]|[^\]\\])*\]|[^]/y;
const QUANTIFIER = /(?:[*+?]|\{\d+(?:,\d*)?\})\??/y;

class Reading {
  #at = 0;

  constructor(
    private readonly pattern: string,
    private readonly flags: string,
    private readonly found: PlainPattern[],
  ) {}

  /** Reads to the end of the pattern or of a look-around. @param start - what it begins with */
  whole(start: string): void {
    const form = new Form(new Positions(this.flags));
    const piece = this.#alternatives(form, 0);
    const source = start + piece.source;
    const { mostRepeats } = form;
    const isSimple = form.isSimple(source.startsWith('^')) || form.positions.isUnambiguous(piece);
    this.found.push({ source, mostRepeats, isSimple });
  }

  #alternatives(form: Form, depth: number): Piece {
    let sequence = form.positions.nothing('');
    let before: Piece | undefined;
    while (this.#at < this.pattern.length && this.#skip(/\)/y) === undefined) {
      if (this.#skip(/\|/y) === undefined)
        sequence = form.positions.then(sequence, this.#repeated(form, depth));
      else {
        form.hasChoice ||= depth === 0;
        before = before === undefined ? sequence : form.positions.or(before, sequence);
        sequence = form.positions.nothing('');
      }
    }
    return before === undefined ? sequence : form.positions.or(before, sequence);
  }

  #repeated(form: Form, depth: number): Piece {
    if (this.#skip(LOOK_AROUND) !== undefined) {
      this.whole('^');
      // In old syntax a look-ahead may be repeated, which changes nothing.
      this.#skip(QUANTIFIER);
      return form.positions.nothing('');
    }
    if (this.#skip(BACK_REFERENCE) !== undefined) {
      form.note(0, Infinity, false);
      this.#skip(QUANTIFIER);
      return form.positions.repeated(form.positions.character('[^]'), '*', 0);
    }
    const anchor = this.#skip(ANCHOR);
    if (anchor !== undefined) return form.positions.nothing(anchor);
    const isGroup = this.#skip(GROUP) !== undefined;
    const atom = isGroup
      ? form.positions.grouped(this.#alternatives(form, depth + 1))
      : form.positions.character(this.#skip(CHARACTERS) ?? '');
    const quantifier = this.#skip(QUANTIFIER);
    if (quantifier === undefined) return atom;
    const [least, most] = boundsOf(quantifier);
    form.note(least, most, isGroup);
    // The same empty match may be any of the repeats, which the checker does not count.
    if (atom.isNullable && most > MOST_OPTIONAL && most < Infinity)
      return form.positions.repeated(
        form.positions.grouped({ ...atom, source: `${atom.source}+` }),
        '+',
        least,
      );
    const plain = plainQuantifier(quantifier, least, most, isGroup);
    return most <= 1 ? form.positions.optional(atom, plain) : form.positions.repeated(atom, plain, least);
  }

  #skip(part: RegExp): string | undefined {
    part.lastIndex = this.#at;
    const [text] = part.exec(this.pattern) ?? [];
    if (text !== undefined) this.#at += text.length;
    return text;
  }
}

/** What was read of one pattern. */
class Form {
  hasChoice = false;
  mostRepeats = 0;
  #loops = 0;
  #optional = 0;
  #hasLoopOfGroup = false;

  constructor(readonly positions: Positions) {}

  note(least: number, most: number, isGroup: boolean): void {
    if (most <= 1) {
      this.#optional += 1;
      return;
    }
    this.#hasLoopOfGroup ||= isGroup;
    if (most === least) return;
    this.#loops += 1;
    this.mostRepeats = Math.max(this.mostRepeats, most);
  }

  /** Each loop divides the text at one place more, and so does a search from every place. */
  isSimple(isAnchored: boolean): boolean {
    const most = isAnchored && !this.hasChoice ? 2 : 1;
    return !this.#hasLoopOfGroup && this.#optional <= MOST_OPTIONAL && this.#loops <= most;
  }
}

function plainQuantifier(quantifier: string, least: number, most: number, isGroup: boolean): string {
  if (most <= MOST_COUNTED || most === Infinity) return quantifier;
  if (least === most && !isGroup) return `{${String(MOST_COUNTED)}}`;
  return `${least === 0 ? '*' : '+'}${quantifier.endsWith('?') ? '?' : ''}`;
}

function boundsOf(quantifier: string): readonly [least: number, most: number] {
  if (quantifier.startsWith('*')) return [0, Infinity];
  if (quantifier.startsWith('+')) return [1, Infinity];
  if (quantifier.startsWith('?')) return [0, 1];
  const [, least = '', comma, most = ''] = /^\{(\d+)(,?)(\d*)/.exec(quantifier) ?? [];
  if (comma === '') return [Number(least), Number(least)];
  return [Number(least), most === '' ? Infinity : Number(most)];
}
