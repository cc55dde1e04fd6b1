/** An HTTP client that sends requests exactly as they are written, and reports how responses end. */

import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';

export interface Question {
  readonly method?: string;
  /** The path with the query, exactly as it is sent in the request line. */
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is sent with a `Content-Length`; a list of pieces is sent chunked. */
  readonly body?: string | readonly string[];
}

export interface ReceivedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The names of the headers in lower case; a header that was sent twice is listed twice. */
  readonly names: readonly string[];
  readonly text: string;
  /** Whether the response ended cleanly; false when it was broken off. */
  readonly isComplete: boolean;
}

/** Sends a request and reads the whole answer. */
export async function ask(url: string, question: Question = {}): Promise<ReceivedResponse> {
  const response = await open(url, question);
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of response) chunks.push(chunk as Buffer);
  } catch {
    // The response was broken off.
  }
  const { statusCode: status = 0, headers, rawHeaders, complete: isComplete } = response;
  const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  return { status, headers, names, text: Buffer.concat(chunks).toString(), isComplete };
}

/** Sends a request and waits for the head of the response. The connection is not reused. */
export async function open(url: string, question: Question = {}): Promise<IncomingMessage> {
  const { method = 'GET', path = '/', headers = {}, body } = question;
  const { hostname, port } = new URL(url);
  const asking = request({ agent: false, hostname, port, method, path, headers });
  if (typeof body === 'string') asking.setHeader('Content-Length', Buffer.byteLength(body));
  for (const piece of typeof body === 'string' ? [body] : (body ?? [])) asking.write(piece);
  asking.end();
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  // Some checks expect the response to be broken off, and a faulty transport may send bytes that are not HTTP.
  asking.on('error', () => undefined);
  return response.on('error', () => undefined);
}

/** Sends a request and disconnects before it is answered. @param isTime - resolves when it is time to disconnect */
export async function leave(
  url: string,
  isTime: Promise<unknown>,
  { method = 'GET', body = '' } = {},
): Promise<void> {
  const { hostname, port } = new URL(url);
  const headers = body === '' ? {} : { 'content-length': String(body.length + 1) };
  const asking = request({ agent: false, hostname, port, method, path: '/', headers });
  asking.on('error', () => undefined);
  if (body === '') asking.end();
  else asking.write(body);
  await isTime;
  asking.destroy();
}
