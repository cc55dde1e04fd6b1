/** The next turn of the event loop, on hosts with and without `setImmediate`. */

/** Lets other requests be read before the work goes on. */
export function nextTurn(work: () => void): void {
  const { setImmediate } = globalThis as { readonly setImmediate?: (work: () => void) => unknown };
  if (setImmediate === undefined) setTimeout(work, 0);
  else setImmediate(work);
}
