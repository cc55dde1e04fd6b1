/** A `fetch` for servers that this process does not control: their answers have a maximum size. */

/** The part of a request's options that the callers of `fetch` here use. */
type Fetch<Init> = (url: string, init: Init) => Promise<Response>;

/**
 * The size counts what the caller gets, after a compressed answer is unpacked. Past it, the connection is closed, and reading the body
 * rejects.
 *
 * @param maxBytes - of each body
 */
export function boundedFetch<Init extends object>(maxBytes: number): Fetch<Init> {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (response.body === null) return response;
    let bytes = 0;
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, controller) {
        bytes += piece.byteLength;
        if (bytes > maxBytes) throw new Error(`the answer has over ${String(maxBytes)} bytes`);
        controller.enqueue(piece);
      },
    });
    return new Response(response.body.pipeThrough(counted), response);
  };
}
