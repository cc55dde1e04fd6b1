/** Which names of a query, cookie or form an operation asks for, and what one request gave under them. */

/** The texts of one name, still encoded: one alone as it is, several as an array. */
export type Occurrences = string | string[];

/** `filter[a]=1`, taken apart. */
export interface Member {
  /** The decoded names in the brackets, outermost first. */
  readonly path: readonly string[];
  /** Still encoded. */
  readonly text: string;
}

/** What one request gave. */
export interface Given {
  /** By the slot of a claimed name. */
  readonly texts: (Occurrences | undefined)[];
  /** By the slot of a claimed prefix. */
  readonly members: readonly Member[][];
  /** Names that nobody claimed, when somebody wants them. */
  readonly others: Map<string, Occurrences>;
}

const noMembers: readonly Member[][] = [];
const noOthers = new Map<string, Occurrences>();

/** Filled at start by those who claim names; afterwards it only sorts what requests bring. */
export class NameTable {
  readonly #slots = new Map<string, number>();
  readonly #prefixes: string[] = [];
  #wantsOthers = false;

  get wantsOthers(): boolean {
    return this.#wantsOthers;
  }

  /** @returns the slot in {@link Given.texts}; claims of the same name share it */
  claim(name: string): number {
    const slot = this.#slots.get(name) ?? this.#slots.size;
    this.#slots.set(name, slot);
    return slot;
  }

  /** Claims `name[…]`, whatever is in the brackets. @returns the slot in {@link Given.members}, shared likewise */
  claimMembers(name: string): number {
    const prefix = `${name}[`;
    const slot = this.#prefixes.indexOf(prefix);
    return slot < 0 ? this.#prefixes.push(prefix) - 1 : slot;
  }

  claimOthers(): void {
    this.#wantsOthers = true;
  }

  /** A request that gave nothing so far. */
  nothing(): Given {
    return {
      texts: new Array<Occurrences | undefined>(this.#slots.size).fill(undefined),
      members: this.#prefixes.length === 0 ? noMembers : this.#prefixes.map(() => []),
      others: this.#wantsOthers ? new Map<string, Occurrences>() : noOthers,
    };
  }

  /** Puts a text where those who claimed its name look for it, or drops it. @param name decoded @param text encoded */
  add(given: Given, name: string, text: string): void {
    const slot = this.#slots.get(name);
    if (slot !== undefined) {
      given.texts[slot] = joined(given.texts[slot], text);
    } else if (!this.#addMember(given, name, text) && this.#wantsOthers) {
      given.others.set(name, joined(given.others.get(name), text));
    }
  }

  /** Whether a claimed name has been given a text. */
  has(given: Given, name: string): boolean {
    const slot = this.#slots.get(name);
    return slot !== undefined && given.texts[slot] !== undefined;
  }

  #addMember(given: Given, name: string, text: string): boolean {
    if (!name.endsWith(']')) return false;
    const slot = this.#prefixes.findIndex((prefix) => name.startsWith(prefix));
    const prefix = this.#prefixes[slot];
    if (prefix === undefined) return false;
    given.members[slot]?.push({ path: name.slice(prefix.length, -1).split(']['), text });
    return true;
  }
}

function joined(earlier: Occurrences | undefined, text: string): Occurrences {
  if (earlier === undefined) return text;
  if (typeof earlier === 'string') return [earlier, text];
  earlier.push(text);
  return earlier;
}
