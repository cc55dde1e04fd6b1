/** The names that an operation claims in a query, cookie or form, and the texts of these names in a request. */

import { decodeForm, trimBlanks } from './value.js';
import { decodeError } from './mismatch.js';

/** The texts of one name, still encoded: a single one as a string, several as an array. */
export type Occurrences = string | string[];

/** The parts of `filter[a]=1`. */
export interface Member {
  /** The decoded names in the brackets, outermost first. */
  readonly path: readonly string[];
  /** Still encoded. */
  readonly text: string;
}

/** The texts of one request. */
export interface Given {
  /** The texts of each claimed name, at the index that `claim` returned for it. */
  readonly texts: (Occurrences | undefined)[];
  /** The members of each claimed prefix, at the index that `claimMembers` returned for it. */
  readonly members: readonly Member[][];
  /** The texts of unclaimed names, if they are wanted. */
  readonly others: Map<string, Occurrences>;
}

const noMembers: readonly Member[][] = [];
const noOthers = new Map<string, Occurrences>();

/** Names are claimed while an operation is compiled; afterwards the table only sorts the texts of requests. */
export class NameTable {
  readonly #slots = new Map<string, number>();
  readonly #prefixes: string[] = [];
  wantsOthers = false;

  /** @returns the slot in {@link Given.texts}; claims of the same name share it */
  claim(name: string): number {
    const slot = this.#slots.get(name) ?? this.#slots.size;
    this.#slots.set(name, slot);
    return slot;
  }

  /** Claims `name[…]` with anything in the brackets. @returns the slot in {@link Given.members}, also shared */
  claimMembers(name: string): number {
    const prefix = `${name}[`;
    const slot = this.#prefixes.indexOf(prefix);
    return slot < 0 ? this.#prefixes.push(prefix) - 1 : slot;
  }

  claimOthers(): void {
    this.wantsOthers = true;
  }

  nothing(): Given {
    return {
      texts: new Array<Occurrences | undefined>(this.#slots.size).fill(undefined),
      members: this.#prefixes.length === 0 ? noMembers : this.#prefixes.map(() => []),
      others: this.wantsOthers ? new Map<string, Occurrences>() : noOthers,
    };
  }

  /** Puts a text into the slot of its name, or drops it. @param name - decoded @param text - encoded */
  add(given: Given, name: string, text: string): void {
    const slot = this.#slots.get(name);
    if (slot !== undefined) {
      given.texts[slot] = joined(given.texts[slot], text);
      return;
    }
    const prefixSlot = name.endsWith(']')
      ? this.#prefixes.findIndex((prefix) => name.startsWith(prefix))
      : -1;
    const prefix = this.#prefixes[prefixSlot];
    if (prefix !== undefined) {
      given.members[prefixSlot]?.push({ path: name.slice(prefix.length, -1).split(']['), text });
    } else if (this.wantsOthers) given.others.set(name, joined(given.others.get(name), text));
  }

  has(given: Given, name: string): boolean {
    const slot = this.#slots.get(name);
    return slot !== undefined && given.texts[slot] !== undefined;
  }
}

function joined(earlier: Occurrences | undefined, text: string): Occurrences {
  if (earlier === undefined) return text;
  if (typeof earlier === 'string') return [earlier, text];
  earlier.push(text);
  return earlier;
}

/**
 * Follows the WHATWG URL Standard's parser: `name` without `=` means an empty text, and empty pieces are ignored. Only names are
 * decoded here. A name that cannot be decoded is ignored, like an unknown name.
 *
 * @param place - the name of the text in errors
 * @throws DecodeError when a name is malformed and unknown names are wanted
 */
export function readQuery(text: string, names: NameTable, place: string): Given {
  const given = names.nothing();
  for (let start = 0; start < text.length;) {
    let end = text.indexOf('&', start);
    if (end < 0) end = text.length;
    if (end > start) {
      const piece = text.slice(start, end);
      const equals = piece.indexOf('=');
      const name = decodeForm(equals < 0 ? piece : piece.slice(0, equals));
      if (typeof name === 'string') names.add(given, name, equals < 0 ? '' : piece.slice(equals + 1));
      else if (names.wantsOthers) throw decodeError(`/${place}`, name);
    }
    start = end + 1;
  }
  return given;
}

/** The rules for reading a group of cookies from the header. */
export interface CookieNotation {
  /** Several cookies of the same name are the items of a list; otherwise the first one counts. */
  readonly exploded: boolean;
  /** The style `cookie`: values are not decoded, and only a semicolon separates cookies. */
  readonly verbatim: boolean;
}

/**
 * Names are not decoded; a value in the style `form` loses the quotes around it. Of several cookies with the same name, the
 * first is the most specific (RFC 6265 §5.4) and the only one that counts, unless they are members of an exploded value. These
 * may also be joined by `&`, as OpenAPI's table of styles writes the style `form`.
 */
export function readCookies(header: string, names: NameTable, { exploded, verbatim }: CookieNotation): Given {
  const given = names.nothing();
  for (const piece of header.split(exploded && !verbatim ? /[;&]/ : ';')) {
    const equals = piece.indexOf('=');
    if (equals < 0) continue;
    const name = trimBlanks(piece.slice(0, equals));
    if (!exploded && names.has(given, name)) continue;
    const value = trimBlanks(piece.slice(equals + 1));
    const isQuoted = !verbatim && value.length > 1 && value.startsWith('"') && value.endsWith('"');
    names.add(given, name, isQuoted ? value.slice(1, -1) : value);
  }
  return given;
}
