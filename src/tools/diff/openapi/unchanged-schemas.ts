/** Finds the schemas that are the same in both versions, references included, so that they need no comparison. */

import { type OpenApiDocument, valueAt } from 'concordat/contract';
import type { Site } from '../schemas/site.js';

/** A part of a document as it is written, and the places that it refers to. */
interface Written {
  readonly text: string;
  readonly references: ReadonlySet<string>;
}

export class UnchangedSchemas {
  readonly #written = new WeakMap<object, Written>();
  /** Whether everything that is reached from a place is the same in both versions. */
  readonly #places = new Map<string, boolean>();

  constructor(
    private readonly old: OpenApiDocument,
    private readonly next: OpenApiDocument,
  ) {}

  /** Whether both versions have the same schemas for a value. */
  has({ old, new: next }: Site): boolean {
    if (old.length !== next.length) return false;
    return old.every((part, index) => {
      const { text, references } = this.#read(part.schema);
      if (this.#read(next[index]?.schema).text !== text) return false;
      return [...references].every((place) => this.#isUnchanged(place));
    });
  }

  #isUnchanged(place: string): boolean {
    const known = this.#places.get(place);
    if (known !== undefined) return known;
    const changed = new Set<string>();
    const reached = new Map([[place, NONE]]);
    // References that are found on the way are visited in turn.
    for (const each of reached.keys()) {
      const [old, next] = [valueAt(this.old, each), valueAt(this.next, each)];
      const { text, references } = this.#read(old);
      reached.set(each, references);
      if (old === undefined || this.#read(next).text !== text) changed.add(each);
      for (const inner of references) {
        if (this.#places.get(inner) === false) changed.add(each);
        if (!this.#places.has(inner) && !reached.has(inner)) reached.set(inner, NONE);
      }
    }
    for (let size = -1; size !== changed.size;) {
      size = changed.size;
      for (const [each, references] of reached)
        if ([...references].some((inner) => changed.has(inner))) changed.add(each);
    }
    for (const each of reached.keys()) this.#places.set(each, !changed.has(each));
    return !changed.has(place);
  }

  #read(value: unknown): Written {
    if (typeof value !== 'object' || value === null) return { text: String(value), references: NONE };
    const known = this.#written.get(value);
    if (known !== undefined) return known;
    const references = new Set<string>();
    const text = JSON.stringify(value, (key, inner: unknown) => {
      // The target of a dynamic reference depends on the way to it.
      if (key === '$dynamicRef') references.add('');
      else if (typeof inner === 'string' && inner.startsWith('#/')) references.add(inner);
      return inner;
    });
    const written = { text, references };
    this.#written.set(value, written);
    return written;
  }
}

const NONE: ReadonlySet<string> = new Set();
