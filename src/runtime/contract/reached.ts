/** Walks over types and schemas that refer to each other. */

/**
 * Everything that is reached from the starts, with them, each once and the nearest first: the walk takes as long as there are types and
 * references, however many paths lead through them.
 */
export function reached<T>(starts: Iterable<T>, next: (each: T) => Iterable<T>): ReadonlySet<T> {
  const found = new Set(starts);
  for (const each of found) for (const inner of next(each)) found.add(inner);
  return found;
}
