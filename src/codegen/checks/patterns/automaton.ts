/**
 * The positions of a pattern's characters, and the positions that may follow each (Glushkov's automaton): a matcher that goes back tries
 * each way through them.
 */

import { CharacterSets } from './character-sets.js';
import type { Part, PlainPattern } from './pattern-tree.js';

/** The state before the first character; the others are positions. */
export const START = 0;

/** Counted repeats up to this number are copies of their part; others are loops. */
const MOST_COPIES = 20;

/** The characters of a fixed count are copied up to this number. */
const MOST_CHARACTERS = 64;

/** A repeat whose copies have more positions is a loop. */
const MOST_POSITIONS = 400;

/** More repeats of a part that may be empty can be divided in too many ways, as those of a loop in a loop. */
const MOST_OPTIONAL = 8;

/** An automaton with more edges, or more first and last positions of its parts, is not built. */
const MOST_EDGES = 2_000_000;

/** Thrown where a pattern is too large to be decided. */
export class TooLargeError extends Error {}

/** The positions at which the texts of a part may begin and end. */
interface Piece {
  readonly first: readonly number[];
  readonly last: readonly number[];
  readonly isNullable: boolean;
}

const NOTHING: Piece = { first: [], last: [], isNullable: true };

export class Automaton {
  /** The sources of the characters of each position. */
  readonly #sources: string[] = [''];
  /** The positions that may follow each state; one that follows in several ways is there several times. */
  readonly following: number[][] = [[]];
  readonly sets: CharacterSets;
  /** The highest upper bound of the loops; Infinity for `*`, `+` and `{n,}`. */
  mostRepeats = 0;
  /** The states in which every text that begins so is matched, so that no way through them fails. */
  readonly safe: ReadonlySet<number>;
  #edges = 0;

  /** @throws TooLargeError */
  constructor({ part, isPinned, mayFail }: PlainPattern, flags: string) {
    const piece = this.#piece(part);
    this.following[START]?.push(...piece.first);
    this.sets = new CharacterSets(this.#sources, flags);
    this.safe = mayFail ? new Set() : this.#safe(piece, hasEnd(part));
    // The search for a match begins again at each character.
    if (!isPinned) this.following[START]?.push(START);
  }

  get size(): number {
    return this.following.length;
  }

  #piece(part: Part): Piece {
    switch (part.kind) {
      case 'character':
        return this.#position(part.source);
      case 'anchor':
        return NOTHING;
      case 'sequence':
        return part.parts.reduce((before, each) => this.#then(before, this.#piece(each)), NOTHING);
      case 'choice':
        return or(part.parts.map((each) => this.#piece(each)));
      case 'repeat':
        return this.#repeated(part.part, part.least, part.most);
    }
  }

  #position(source: string): Piece {
    const position = this.#sources.push(source) - 1;
    this.following.push([]);
    return { first: [position], last: [position], isNullable: false };
  }

  #then(a: Piece, b: Piece): Piece {
    this.#follow(a, b);
    this.#count(a.first.length + b.last.length);
    return {
      first: a.isNullable ? [...a.first, ...b.first] : a.first,
      last: b.isNullable ? [...a.last, ...b.last] : b.last,
      isNullable: a.isNullable && b.isNullable,
    };
  }

  #follow(a: Piece, b: Piece): void {
    this.#count(a.last.length * b.first.length);
    for (const from of a.last) this.following[from]?.push(...b.first);
  }

  #count(edges: number): void {
    this.#edges += edges;
    if (this.#edges > MOST_EDGES) throw new TooLargeError();
  }

  #repeated(part: Part, least: number, most: number): Piece {
    if (most === 0) return NOTHING;
    const copies = (count: number): Piece => {
      let piece = NOTHING;
      for (let n = 0; n < count; n += 1) piece = this.#then(piece, this.#piece(part));
      return piece;
    };
    const isFixed = least === most;
    if (part.kind === 'character' && isFixed) return copies(Math.min(most, MOST_CHARACTERS));
    const isSmall = (count: number): boolean =>
      count <= MOST_COPIES && sizeOf(part) * count <= MOST_POSITIONS;
    const isDivided = most > MOST_OPTIONAL && most < Infinity && isNullable(part);
    if (isSmall(most) && !isDivided) {
      let rest = NOTHING;
      // The second optional copy is only there after the first.
      for (let n = least; n < most; n += 1) rest = optional(this.#then(this.#piece(part), rest));
      return this.#then(copies(least), rest);
    }
    this.mostRepeats = Math.max(this.mostRepeats, most);
    const before = most === Infinity && isSmall(least) ? Math.max(0, least - 1) : 0;
    const fixed = copies(before);
    const loop = this.#piece(part);
    this.#follow(loop, loop);
    if (isDivided) this.#follow(loop, loop);
    return this.#then(fixed, least === 0 ? optional(loop) : loop);
  }

  /** @param hasEnd - whether a match may have to reach the end of the text */
  #safe(piece: Piece, hasEnd: boolean): ReadonlySet<number> {
    const last = new Set([...piece.last, ...(piece.isNullable ? [START] : [])]);
    if (!hasEnd) return last;
    const goesOn = [...last].filter(
      (state) => this.sets.isEverything(state) && this.following[state]?.includes(state),
    );
    const isSafe = (state: number) => this.following[state]?.some((next) => goesOn.includes(next)) === true;
    return new Set([...last].filter(isSafe));
  }
}

function or(pieces: readonly Piece[]): Piece {
  return {
    first: pieces.flatMap(({ first }) => first),
    last: pieces.flatMap(({ last }) => last),
    isNullable: pieces.some((each) => each.isNullable),
  };
}

function optional(piece: Piece): Piece {
  return { ...piece, isNullable: true };
}

/** Whether a part has an anchor other than `^`. */
function hasEnd(part: Part): boolean {
  if (part.kind === 'anchor') return part.source !== '^';
  if (part.kind === 'repeat') return hasEnd(part.part);
  return part.kind !== 'character' && part.parts.some(hasEnd);
}

function isNullable(part: Part): boolean {
  if (part.kind === 'repeat') return part.least === 0 || isNullable(part.part);
  if (part.kind === 'choice') return part.parts.some(isNullable);
  return part.kind !== 'character' && (part.kind === 'anchor' || part.parts.every(isNullable));
}

/** The number of positions of a part, at most. */
function sizeOf(part: Part): number {
  if (part.kind === 'character') return 1;
  if (part.kind === 'anchor') return 0;
  if (part.kind !== 'repeat') return part.parts.reduce((sum, each) => sum + sizeOf(each), 0);
  const size = sizeOf(part.part);
  const copies = part.most <= MOST_COPIES ? part.most : 1;
  return size * copies <= MOST_POSITIONS ? size * copies : size;
}
