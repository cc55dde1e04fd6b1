/** Arbitraries that fast-check lacks: one that is made at its first use, and a filter that gives up. */

import fc from 'fast-check';

/** An arbitrary that is made at its first use, so that a schema may contain itself. */
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

/** The number of refused values in a row before a filter gives up. */
const PATIENCE = 5_000;

/**
 * Keeps the values that fit.
 *
 * @param what - names the rule that values must fit, for the error when the filter gives up
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
