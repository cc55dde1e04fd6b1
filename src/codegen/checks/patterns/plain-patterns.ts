/** Rewrites a pattern into plain patterns that take at least as long to match, for a checker that supports only repetition and choice. */

import { Positions, type Piece } from './positions.js';

/** A pattern without look-around, back references and long counted repeats. */
export interface PlainPattern {
  readonly source: string;
  /** The highest upper bound of the loops; Infinity for `*`, `+` and `{n,}`. A repeat with a fixed count is not a loop. */
  readonly mostRepeats: number;
  /** Whether the form of the pattern shows that the steps grow at most with the square of the text's length. */
  readonly isSimple: boolean;
  /** The part for which the plain patterns do not prove a bound of the time. */
  readonly undecided: 'back reference' | 'look-behind of unbounded length' | undefined;
}

/** Counted repeats up to this number are kept: the checker unrolls them. */
const MOST_COUNTED = 20;

/** More optional parts than this can be combined in too many ways. */
const MOST_OPTIONAL = 8;

/** A character that no attack has in its text, so that a pattern which must end with it tries all ways to match the text. */
const NEVER = '\\uFFFF';

/**
 * The plain patterns for the pattern itself and for each of its look-arounds. Look-arounds and back references may fail after each
 * way to match the text before them, so all plain patterns of such a pattern are made to fail at their ends. Where a look-around may
 * be tried at several positions, its plain pattern is searched for. A look-behind is matched backwards, in as many ways as forwards.
 *
 * @param pattern - a regular expression of ECMA-262
 */
export function plainPatterns(pattern: string, flags: string): readonly PlainPattern[] {
  const found: PlainPattern[] = [];
  new Reading(pattern, flags, found).whole();
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
  readonly #mayFail: boolean;

  constructor(
    private readonly pattern: string,
    private readonly flags: string,
    private readonly found: PlainPattern[],
  ) {
    this.#mayFail = /\(\?<?[=!]|\\[1-9k]/.test(pattern);
  }

  /** Reads to the end of the pattern or of a look-around. @param start - `^` for a look-around that is tried at one position only */
  whole(start: '^' | '' = '', isBehind = false): void {
    const form = new Form(new Positions(this.flags), start === '^');
    const piece = this.#alternatives(form, 0);
    const isSimple =
      form.isSimple(start === '^' || piece.source.startsWith('^')) || form.positions.isUnambiguous(piece);
    const source = start + (this.#mayFail ? `(?:${piece.source})${NEVER}` : piece.source);
    const { mostRepeats } = form;
    const isUnbounded = isBehind && mostRepeats === Infinity;
    const undecided = isUnbounded ? 'look-behind of unbounded length' : form.undecided;
    this.found.push({ source, mostRepeats, isSimple, undecided });
  }

  #alternatives(form: Form, depth: number): Piece {
    let sequence = form.positions.nothing('');
    let before: Piece | undefined;
    while (this.#at < this.pattern.length && this.#skip(/\)/y) === undefined) {
      if (this.#skip(/\|/y) === undefined)
        sequence = form.positions.then(sequence, this.#repeated(form, depth));
      else {
        form.variety += 1;
        form.hasChoice ||= depth === 0;
        before = before === undefined ? sequence : form.positions.or(before, sequence);
        sequence = form.positions.nothing('');
      }
    }
    return before === undefined ? sequence : form.positions.or(before, sequence);
  }

  #repeated(form: Form, depth: number): Piece {
    const around = this.#skip(LOOK_AROUND);
    if (around !== undefined) {
      const isPinned = form.isPinned && depth === 0 && form.variety === 0;
      this.whole(isPinned ? '^' : '', around.includes('<'));
      // The legacy syntax allows a quantifier after a look-ahead, which changes nothing.
      this.#skip(QUANTIFIER);
      return form.positions.nothing('');
    }
    if (this.#skip(BACK_REFERENCE) !== undefined) {
      form.undecided = 'back reference';
      this.#skip(QUANTIFIER);
      return form.positions.nothing('');
    }
    const anchor = this.#skip(ANCHOR);
    if (anchor !== undefined) {
      form.isPinned ||= anchor === '^' && depth === 0;
      return form.positions.nothing(anchor);
    }
    const isGroup = this.#skip(GROUP) !== undefined;
    const { variety } = form;
    const atom = isGroup
      ? form.positions.grouped(this.#alternatives(form, depth + 1))
      : form.positions.character(this.#skip(CHARACTERS) ?? '');
    const quantifier = this.#skip(QUANTIFIER);
    if (quantifier === undefined) return atom;
    const [least, most] = boundsOf(quantifier);
    form.note(least, most, isGroup, form.variety > variety);
    // Any of the repeats may be empty. The checker does not count these possibilities.
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

/** The loops, choices and optional parts found in one pattern. */
class Form {
  hasChoice = false;
  undecided: PlainPattern['undecided'];
  mostRepeats = 0;
  /** The number of choices, loops and optional parts so far. */
  variety = 0;
  #loops = 0;
  #optional = 0;
  #hasLoopOfGroup = false;

  /** @param isPinned - whether what begins here is tried at one position of the text only */
  constructor(
    readonly positions: Positions,
    public isPinned: boolean,
  ) {}

  /** @param isVaried - whether the repeated part has choices, loops or optional parts */
  note(least: number, most: number, isGroup: boolean, isVaried: boolean): void {
    // A fixed number of repeats of a fixed part matches in one way.
    if (most === least && !isVaried) return;
    this.variety += 1;
    if (most <= 1) {
      this.#optional += 1;
      return;
    }
    this.#hasLoopOfGroup ||= isGroup;
    if (most === least) return;
    this.#loops += 1;
    this.mostRepeats = Math.max(this.mostRepeats, most);
  }

  /** Each loop adds one place at which the text is divided, and so does a search from every position. */
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
