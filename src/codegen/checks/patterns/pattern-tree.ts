/** Reads a pattern into a tree, with look-arounds as trees of their own. */

/** A part of a pattern. */
export type Part =
  /** One character of a class, an escape or a character. */
  | { readonly kind: 'character'; readonly source: string }
  | { readonly kind: 'sequence'; readonly parts: readonly Part[] }
  | { readonly kind: 'choice'; readonly parts: readonly Part[] }
  | { readonly kind: 'repeat'; readonly part: Part; readonly least: number; readonly most: number }
  | { readonly kind: 'anchor'; readonly source: string };

/** A pattern without look-arounds and back references, which takes at least as long to match as the part that it replaces. */
export interface PlainPattern {
  readonly part: Part;
  /** Whether it is tried at one position of the text only. */
  readonly isPinned: boolean;
  /** Whether it can match its texts and fail nevertheless, because of a look-around or a back reference. */
  readonly mayFail: boolean;
  /** The part for which plain patterns do not prove a bound of the time. */
  readonly undecided: 'back reference' | 'look-behind of unbounded length' | undefined;
}

/**
 * The plain patterns for the pattern itself and for each of its look-arounds. Look-arounds and back references may fail after each
 * way to match the text before them. Where a look-around may be tried at several positions, its plain pattern is searched for. A
 * look-behind is matched backwards, in as many ways as forwards.
 *
 * @param pattern - a regular expression of ECMA-262
 */
export function plainPatterns(pattern: string): readonly PlainPattern[] {
  const found: PlainPattern[] = [];
  new Reading(pattern, found).whole(false, false);
  return found;
}

const LOOK_AROUND = /\(\?<?[=!]/y;
const GROUP = /\((?:\?:|\?<[^>]*>)?/y;
const BACK_REFERENCE = /\\(?:[1-9]\d*|k<[^>]*>)/y;
const ANCHOR = /[\^$]|\\[bB]/y;
const CHARACTERS =
  /\\(?:[pPu]\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|[^])|\[(?:\\[^]|[^\]\\])*\]|[^]/y;
const QUANTIFIER = /(?:[*+?]|\{\d+(?:,\d*)?\})\??/y;

const NOTHING: Part = { kind: 'sequence', parts: [] };

class Reading {
  #at = 0;
  readonly #mayFail: boolean;
  #undecided: PlainPattern['undecided'];

  constructor(
    private readonly pattern: string,
    private readonly found: PlainPattern[],
  ) {
    this.#mayFail = /\(\?<?[=!]|\\[1-9k]/.test(pattern);
  }

  /** Reads to the end of the pattern or of a look-around. */
  whole(isPinned: boolean, isBehind: boolean): void {
    const outer = this.#undecided;
    this.#undecided = undefined;
    const part = this.#alternatives(isPinned);
    const undecided = isBehind && isUnbounded(part) ? 'look-behind of unbounded length' : this.#undecided;
    this.found.push({ part, isPinned: isPinned || beginsPinned(part), mayFail: this.#mayFail, undecided });
    this.#undecided = outer;
  }

  /** @param isPinned - whether the alternatives begin at one position of the text only */
  #alternatives(isPinned: boolean): Part {
    const alternatives: Part[] = [];
    let parts: Part[] = [];
    while (this.#at < this.pattern.length && this.#skip(/\)/y) === undefined) {
      if (this.#skip(/\|/y) === undefined) {
        const isFirst = isPinned || parts.some(beginsPinned);
        parts.push(this.#repeated(isFirst && parts.every(isFixed)));
      } else {
        alternatives.push({ kind: 'sequence', parts });
        parts = [];
      }
    }
    const last: Part = { kind: 'sequence', parts };
    return alternatives.length === 0 ? last : { kind: 'choice', parts: [...alternatives, last] };
  }

  #repeated(isPinned: boolean): Part {
    const around = this.#skip(LOOK_AROUND);
    if (around !== undefined) {
      this.whole(isPinned, around.includes('<'));
      // The legacy syntax allows a quantifier after a look-ahead, which changes nothing.
      this.#skip(QUANTIFIER);
      return NOTHING;
    }
    if (this.#skip(BACK_REFERENCE) !== undefined) {
      this.#undecided = 'back reference';
      this.#skip(QUANTIFIER);
      return NOTHING;
    }
    const anchor = this.#skip(ANCHOR);
    if (anchor !== undefined) return { kind: 'anchor', source: anchor };
    const isGroup = this.#skip(GROUP) !== undefined;
    const part: Part = isGroup
      ? this.#alternatives(false)
      : { kind: 'character', source: this.#skip(CHARACTERS) ?? '' };
    const quantifier = this.#skip(QUANTIFIER);
    if (quantifier === undefined) return part;
    const [least, most] = boundsOf(quantifier);
    return { kind: 'repeat', part, least, most };
  }

  #skip(part: RegExp): string | undefined {
    part.lastIndex = this.#at;
    const [text] = part.exec(this.pattern) ?? [];
    if (text !== undefined) this.#at += text.length;
    return text;
  }
}

/** Whether every text of a part begins where the text begins. */
function beginsPinned(part: Part): boolean {
  if (part.kind === 'anchor') return part.source === '^';
  if (part.kind === 'choice') return part.parts.every(beginsPinned);
  if (part.kind === 'repeat') return part.least > 0 && beginsPinned(part.part);
  if (part.kind === 'character') return false;
  const [first] = part.parts.filter((each) => each.kind !== 'sequence' || each.parts.length > 0);
  return first !== undefined && beginsPinned(first);
}

/** Whether all texts of a part have the same length and are matched in one way. */
function isFixed(part: Part): boolean {
  if (part.kind === 'sequence') return part.parts.every(isFixed);
  if (part.kind === 'repeat') return part.least === part.most && isFixed(part.part);
  return part.kind !== 'choice';
}

function isUnbounded(part: Part): boolean {
  if (part.kind === 'repeat') return part.most === Infinity || isUnbounded(part.part);
  return (part.kind === 'sequence' || part.kind === 'choice') && part.parts.some(isUnbounded);
}

function boundsOf(quantifier: string): readonly [least: number, most: number] {
  if (quantifier.startsWith('*')) return [0, Infinity];
  if (quantifier.startsWith('+')) return [1, Infinity];
  if (quantifier.startsWith('?')) return [0, 1];
  const [, least = '', comma, most = ''] = /^\{(\d+)(,?)(\d*)/.exec(quantifier) ?? [];
  if (comma === '') return [Number(least), Number(least)];
  return [Number(least), most === '' ? Infinity : Number(most)];
}
