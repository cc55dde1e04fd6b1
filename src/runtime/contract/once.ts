/** Remembers what functions find out about objects. */

const known = new WeakMap<object, Map<unknown, unknown>>();

/**
 * The result of a function for an object, computed when it is first asked for and kept as long as the object.
 *
 * @param compute - the same function each time, because results are kept by it
 */
export function once<Subject extends object, Result>(
  subject: Subject,
  compute: (subject: Subject) => Result,
): Result {
  let own = known.get(subject);
  if (own === undefined) known.set(subject, (own = new Map()));
  if (!own.has(compute)) own.set(compute, compute(subject));
  return own.get(compute) as Result;
}
