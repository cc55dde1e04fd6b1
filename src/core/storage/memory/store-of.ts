/** Turns methods that answer at once into the methods of a store. */

/** Nothing is awaited in them, so each is atomic. */
export type AtOnce<Store> = {
  readonly [Method in keyof Store]: Store[Method] extends (...given: infer Given) => Promise<infer Outcome>
    ? (...given: Given) => Outcome
    : never;
};

export function storeOf<Store extends object>(methods: AtOnce<Store>): Store {
  const answering = Object.entries<(...given: unknown[]) => unknown>(methods).map(([name, method]) => [
    name,
    (...given: unknown[]) => Promise.resolve(method(...given)),
  ]);
  return Object.fromEntries(answering) as Store;
}
