/** Reads a body that its handler gets piece by piece, because its faults are found only while it is read. */

/**
 * Reads the body of a request to its end if it is a stream. Errors of its reader are thrown.
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
