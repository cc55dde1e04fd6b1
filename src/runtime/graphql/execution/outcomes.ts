/** What the resolvers of a compiled query gave. If the query fails, graphql-js takes it in place of calling them again. */

import type { GraphQLResolveInfo } from 'graphql';

type Path = GraphQLResolveInfo['path'];

/** The outcome of a resolver that threw. */
class Thrown {
  constructor(readonly error: unknown) {}
}

export class Outcomes {
  // Two lists, because each call adds to them and few queries fail.
  #paths: Path[] = [];
  #values: unknown[] = [];
  #byPlace: Map<string, unknown> | undefined;

  /** @param path - of the field, which no other call has */
  add(path: Path, value: unknown): void {
    this.#paths.push(path);
    this.#values.push(value);
  }

  addError(path: Path, error: unknown): void {
    this.add(path, new Thrown(error));
  }

  has(path: Path): boolean {
    if (this.#paths.length === 0) return false;
    this.#byPlace ??= new Map(this.#paths.map((each, index) => [placeOf(each), this.#values[index]]));
    return this.#byPlace.has(placeOf(path));
  }

  /** @returns what the resolver returned. @throws what it threw */
  get(path: Path): unknown {
    const value = this.#byPlace?.get(placeOf(path));
    if (value instanceof Thrown) throw value.error;
    return value;
  }
}

/** Names have no dots. */
function placeOf({ key, prev }: Path): string {
  return prev === undefined ? String(key) : `${placeOf(prev)}.${String(key)}`;
}
