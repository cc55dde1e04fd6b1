/** Which properties and items of a value have been looked at, for `unevaluatedProperties` and `unevaluatedItems`. */
export class Looked {
  readonly names = new Set<string>();
  readonly indexes = new Set<number>();

  add({ names, indexes }: Looked): void {
    for (const name of names) this.names.add(name);
    for (const index of indexes) this.indexes.add(index);
  }
}
