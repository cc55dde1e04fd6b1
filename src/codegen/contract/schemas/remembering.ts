/** Keeps what functions find out about an object, so that it is computed once, when it is first asked for. */

export class Remembering {
  #facts: Map<unknown, unknown> | undefined;

  /** The result of a function for this object. @param compute - the same function each time, because results are kept by it */
  once<Fact>(compute: (self: this) => Fact): Fact {
    const facts = (this.#facts ??= new Map());
    if (!facts.has(compute)) facts.set(compute, compute(this));
    return facts.get(compute) as Fact;
  }
}
