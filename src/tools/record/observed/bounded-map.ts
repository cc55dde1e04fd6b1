/** Keeps what was seen under each name, up to a number of names. */
export class BoundedMap<Key extends string | number, Value> extends Map<Key, Value> {
  /** @param most - the maximum number of names */
  constructor(private readonly most = Infinity) {
    super();
  }

  /** The value of a name; undefined if there is no room for a new one. */
  known(key: Key, make: () => Value | undefined): Value | undefined {
    const found = this.get(key) ?? (this.size < this.most ? make() : undefined);
    if (found !== undefined) this.set(key, found);
    return found;
  }

  /** @param others - are not used afterwards */
  merge(others: ReadonlyMap<Key, Value>, mergeValues: (own: Value, theirs: Value) => unknown): void {
    for (const [key, theirs] of others) {
      const own = this.get(key);
      if (own !== undefined) mergeValues(own, theirs);
      else if (this.size < this.most) this.set(key, theirs);
    }
  }

  /** The entries by their names, so that the order in which they came does not matter. */
  get sorted(): readonly (readonly [Key, Value])[] {
    return [...this].sort(([one], [other]) => (one < other ? -1 : 1));
  }
}
