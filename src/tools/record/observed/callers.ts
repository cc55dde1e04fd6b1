/** Counts the callers that sent or got a word, to decide whether it is a secret of one. */

/** Of so many callers, a word is no secret of one. */
export const CALLERS = 2;

/** As many callers as decide whether a word is one of several: of those with a credential and of those without, which may all have one address. */
export class Callers {
  readonly #known = new Set<string>();
  #addresses = 0;

  add(caller: string): void {
    const isAddress = caller.startsWith('@');
    if (this.#count(isAddress) >= CALLERS || this.#known.has(caller)) return;
    this.#known.add(caller);
    if (isAddress) this.#addresses += 1;
  }

  merge(other: Callers): void {
    for (const caller of other.#known) this.add(caller);
  }

  /** Whether these are several of all callers, or all where there are fewer. */
  areSeveralOf(all: Callers): boolean {
    return [true, false].some((isAddress) => {
      const count = this.#count(isAddress);
      return count > 0 && count >= all.#count(isAddress);
    });
  }

  #count(isAddress: boolean): number {
    return isAddress ? this.#addresses : this.#known.size - this.#addresses;
  }
}
