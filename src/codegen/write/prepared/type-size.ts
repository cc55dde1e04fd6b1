/** Estimates how many alternatives TypeScript must compare for the type of a schema. */

import { type OpenApiDocument, type Schema, isReference } from '../../load/openapi.js';
import { valueAt } from '../../text/pointer.js';

/** The compiler compares each alternative with every other one, and stops at a million comparisons (TS2590). */
const MOST = 1000;

/** The sizes of the schemas of one document. */
export class TypeSizes {
  readonly #sizes = new Map<object, number>();

  constructor(private readonly document: OpenApiDocument) {}

  /** Whether a schema combines so many alternatives that its type does not compile. */
  isTooLarge(schema: Schema): boolean {
    return this.#size(schema) > MOST;
  }

  #size(schema: Schema | undefined): number {
    if (typeof schema !== 'object') return 1;
    const known = this.#sizes.get(schema);
    if (known !== undefined) return known;
    // A schema that refers back to itself does so for a nested value, which counts as one, or endlessly.
    this.#sizes.set(schema, 1);
    const size = isReference(schema)
      ? this.#size(valueAt(this.document, schema.$ref) as Schema | undefined)
      : this.#own(schema);
    this.#sizes.set(schema, size);
    return size;
  }

  #own({ type, enum: values, allOf = [], anyOf = [], oneOf = [] }: Exclude<Schema, boolean>): number {
    const sum = (schemas: readonly Schema[]): number =>
      schemas.reduce((total, each) => total + this.#size(each), 0);
    const types = [type ?? []].flat();
    // The boolean type is a union of two.
    const kinds = values?.length ?? types.length + (types.includes('boolean') ? 1 : 0);
    const parts = [kinds, sum(anyOf), sum(oneOf), ...allOf.map((each) => this.#size(each))];
    return parts.reduce((product, part) => product * Math.max(part, 1), 1);
  }
}
