/** Splits a body of UTF-8 text into records, as it arrives. */

import { Problem, tooLarge } from '../../http/problem.js';

type Decoder = InstanceType<typeof TextDecoder>;

/**
 * The records of a body. Each batch holds the records that one piece of the body completes.
 *
 * @param separator - the text before or after each record; the last record may lack one after it
 * @param limit - the maximum length of a record; past it, the iterator throws a 413 `Problem`
 * @throws a 400 `Problem` when the body is not UTF-8
 */
export async function* readRecords(
  body: AsyncIterable<Uint8Array>,
  separator: string | RegExp,
  limit: number,
): AsyncGenerator<readonly string[], void, void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  // Only new text is searched, so many small pieces of a long record cost no more than a few large ones.
  let unfinished = '';
  let endsInReturn = false;
  for await (const piece of body) {
    const text = decode(decoder, piece);
    if (text === '') continue;
    // A line may end in CR LF, which may be split between two pieces.
    const isSplitEnd = endsInReturn && text.startsWith('\n') && typeof separator !== 'string';
    endsInReturn = text.endsWith('\r');
    const [first = '', ...others] = (isSplitEnd ? text.slice(1) : text).split(separator);
    unfinished += first;
    if (unfinished.length > limit) throw tooLarge(limit);
    const last = others.pop();
    if (last === undefined) continue;
    const records = [unfinished, ...others];
    unfinished = last;
    yield records;
  }
  unfinished += decode(decoder);
  yield [unfinished];
}

function decode(decoder: Decoder, piece?: Uint8Array): string {
  try {
    return decoder.decode(piece, { stream: piece !== undefined });
  } catch {
    throw new Problem(400, 'body must be UTF-8 text');
  }
}
