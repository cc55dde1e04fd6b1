/** Writes responses and streams as those of the Fetch standard. */

import { type HttpResponse, discardBody, isStreamed } from './message.js';
import { givenLength, isFraming, ofLength } from './response-writers.js';

/** Statuses for which the standard refuses any body, even an empty one (Fetch, "null body status"). */
const WITHOUT_BODY = new Set([204, 205, 304]);

/** The response for a request, whose signal breaks off a streamed body. */
export function fetchResponse(request: Pick<Request, 'method' | 'signal'>, response: HttpResponse): Response {
  const { status, body } = response;
  const headers = new Headers();
  for (const [name, value] of Object.entries(response.headers)) {
    if (isFraming(name)) continue;
    for (const each of typeof value === 'string' ? [value] : value) headers.append(name, each);
  }
  const isHead = request.method === 'HEAD';
  const given = givenLength(response, request.method);
  if (given !== undefined) headers.set('Content-Length', String(given));
  if (isStreamed(body)) {
    if (!WITHOUT_BODY.has(status) && !isHead) {
      const checked = given === undefined ? body : ofLength(body, given);
      return new Response(streamOf(checked, [request.signal, response.signal]), { status, headers });
    }
    discardBody(response);
    return new Response(null, { status, headers });
  }
  if (WITHOUT_BODY.has(status)) return new Response(null, { status, headers });
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : (body ?? new Uint8Array());
  if (given === undefined) headers.set('Content-Length', String(bytes.length));
  return new Response(isHead || bytes.length === 0 ? null : bytes, { status, headers });
}

/** @param signals - break off the stream, because a runtime may not cancel it when a client disconnects before reading */
export function streamOf(
  body: AsyncIterable<Uint8Array>,
  signals: readonly (AbortSignal | undefined)[] = [],
): ReadableStream<Uint8Array> {
  const iterator = body[Symbol.asyncIterator]();
  const over = new AbortController();
  // Not awaited: return() of an async generator waits for the pending piece.
  const leave = (): void => {
    if (over.signal.aborted) return;
    over.abort();
    void Promise.resolve(iterator.return?.()).catch(() => undefined);
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const breakOff = (): void => {
          if (over.signal.aborted) return;
          controller.error(new Error('the response was broken off'));
          leave();
        };
        for (const signal of signals) {
          if (signal?.aborted === true) breakOff();
          else signal?.addEventListener('abort', breakOff, { once: true, signal: over.signal });
        }
      },
      async pull(controller) {
        try {
          const piece = await iterator.next();
          // A stream that has been broken off in the meantime accepts no more pieces.
          if (over.signal.aborted) return;
          if (piece.done !== true) {
            controller.enqueue(piece.value);
            return;
          }
          over.abort();
          controller.close();
        } catch (error) {
          over.abort();
          throw error;
        }
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );
}
