/**
 * The positions of a pattern's characters, and the positions that may follow each (Glushkov's automaton). If the next character
 * always decides the next position, a text is matched in one way only. Most patterns are like that, and need no checker.
 */

/** A part of a pattern. */
export interface Piece {
  readonly source: string;
  readonly first: readonly number[];
  readonly last: readonly number[];
  readonly isNullable: boolean;
}

export class Positions {
  /** The source of each position's characters. */
  readonly #characters: string[] = [];
  readonly #following: Set<number>[] = [];
  /** Whether two loops lead from one position to the same next position, or the repeated part of a loop may be empty. */
  #isTwofold = false;

  constructor(private readonly flags: string) {}

  nothing(source: string): Piece {
    return { source, first: [], last: [], isNullable: true };
  }

  character(source: string): Piece {
    const position = this.#characters.push(source) - 1;
    this.#following.push(new Set());
    return { source, first: [position], last: [position], isNullable: false };
  }

  grouped(piece: Piece): Piece {
    return { ...piece, source: `(?:${piece.source})` };
  }

  then(a: Piece, b: Piece): Piece {
    this.#follow(a, b);
    return {
      source: a.source + b.source,
      first: a.isNullable ? [...a.first, ...b.first] : a.first,
      last: b.isNullable ? [...a.last, ...b.last] : b.last,
      isNullable: a.isNullable && b.isNullable,
    };
  }

  or(a: Piece, b: Piece): Piece {
    return {
      source: `${a.source}|${b.source}`,
      first: [...a.first, ...b.first],
      last: [...a.last, ...b.last],
      isNullable: a.isNullable || b.isNullable,
    };
  }

  optional(piece: Piece, quantifier: string): Piece {
    return { ...piece, source: piece.source + quantifier, isNullable: true };
  }

  repeated(piece: Piece, quantifier: string, least: number): Piece {
    this.#isTwofold ||= piece.isNullable;
    this.#follow(piece, piece);
    return { ...piece, source: piece.source + quantifier, isNullable: piece.isNullable || least === 0 };
  }

  #follow(a: Piece, b: Piece): void {
    for (const from of a.last) {
      const following = this.#following[from];
      for (const to of b.first) {
        this.#isTwofold ||= following?.has(to) === true;
        following?.add(to);
      }
    }
  }

  /** Whether a text is matched in at most one way from each start. */
  isUnambiguous({ first }: Piece): boolean {
    if (this.#isTwofold) return false;
    return [first, ...this.#following].every((positions) => this.#areDisjoint([...positions]));
  }

  #areDisjoint(positions: readonly number[]): boolean {
    const seen = new Uint8Array(CODES);
    return positions.every((position) => {
      const codes = codesOf(this.#characters[position] ?? '', this.flags);
      return codes.every((code) => {
        const isNew = seen[code] === 0;
        seen[code] = 1;
        return isNew;
      });
    });
  }
}

/** The Basic Multilingual Plane. */
const CODES = 0x10000;

const known = new Map<string, readonly number[]>();

/** The code units that a class, an escape or a character matches. */
function codesOf(source: string, flags: string): readonly number[] {
  const key = `${flags} ${source}`;
  const found = known.get(key) ?? codesMatching(new RegExp(`^(?:${source})$`, flags));
  known.set(key, found);
  return found;
}

function codesMatching(expression: RegExp): readonly number[] {
  const found: number[] = [];
  for (let code = 0; code < CODES; code += 1)
    if (expression.test(String.fromCharCode(code))) found.push(code);
  return found;
}
