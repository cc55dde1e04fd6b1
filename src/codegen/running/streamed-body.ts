/** Reads a body that its handler gets piece by piece: what is wrong with it is found on the way. */

/**
 * Reads the body of a request to its end where it is a stream, and throws what its reader throws.
 *
 * @param input - the first argument of a handler
 */
export async function readToEnd(input: unknown): Promise<void> {
  if (typeof input !== 'object' || input === null || !('body' in input)) return;
  const { body } = input;
  if (typeof body !== 'object' || body === null || !(Symbol.asyncIterator in body)) return;
  const pieces = (body as AsyncIterable<unknown>)[Symbol.asyncIterator]();
  while ((await pieces.next()).done !== true);
}
