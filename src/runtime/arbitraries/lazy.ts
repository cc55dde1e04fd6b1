/** Arbitraries that fast-check does not have: one that is made when it is used, and a filter that gives up. */

import fc from 'fast-check';

/** Is made at its first use, so that a schema may contain itself. */
export class Lazy<T> extends fc.Arbitrary<T> {
  readonly #make: () => fc.Arbitrary<T>;
  #made: fc.Arbitrary<T> | undefined;

  constructor(make: () => fc.Arbitrary<T>) {
    super();
    this.#make = make;
  }

  get #own(): fc.Arbitrary<T> {
    return (this.#made ??= this.#make());
  }

  override generate(random: fc.Random, biasFactor: number | undefined): fc.Value<T> {
    return this.#own.generate(random, biasFactor);
  }

  override canShrinkWithoutContext(value: unknown): value is T {
    return this.#own.canShrinkWithoutContext(value);
  }

  override shrink(value: T, context: unknown): fc.Stream<fc.Value<T>> {
    return this.#own.shrink(value, context);
  }
}

/** So many values in a row are refused before a filter gives up. */
const PATIENCE = 5_000;

/**
 * Keeps the values that fit.
 *
 * @param what - what the values are, for the error that ends the search
 */
export function only<T>(
  values: fc.Arbitrary<T>,
  fits: (value: T) => boolean,
  what: () => string,
): fc.Arbitrary<T> {
  let refused = 0;
  return values.filter((value) => {
    if (fits(value)) {
      refused = 0;
      return true;
    }
    refused += 1;
    if (refused > PATIENCE)
      throw new Error(`none of ${String(PATIENCE)} values fits ${what()}: write an arbitrary of your own`);
    return false;
  });
}
