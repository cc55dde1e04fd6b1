/** One exchange with another server over HTTP, with one deadline from the look-up of its name to the last byte. */
import { request as httpRequest, type IncomingHttpHeaders, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';

interface Exchange extends Pick<RequestOptions, 'agent' | 'headers' | 'lookup' | 'method' | 'signal'> {
  readonly body?: string | Uint8Array | undefined;
  /** The maximum time for all of it, in milliseconds. */
  readonly ms: number;
  /** The maximum size of the answer's body, in bytes. */
  readonly maxBytes: number;
}

interface ExchangeAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Rejects for a body that is too long, or does not end in time. It need not be awaited: it is read all the same. */
  readonly body: Promise<Buffer>;
}

/**
 * Sends a request, without following a redirect.
 *
 * @returns the answer once its headers are there
 * @throws an error whose message says why there is none
 */
export function exchange(
  url: URL,
  { ms, maxBytes, body, signal, ...options }: Exchange,
): Promise<ExchangeAnswer> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const sent = send(url, options);
    let fail: (error: Error) => void = reject;
    const end = (error: Error): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cutOff);
      fail(error);
      sent.destroy();
    };
    const timer = setTimeout(() => end(new Error(`no answer within ${String(ms / 1000)} s`)), ms);
    const cutOff = (): void => end(new Error('cut off before its end'));
    signal?.addEventListener('abort', cutOff);
    if (signal?.aborted) cutOff();
    sent.on('error', (error: NodeJS.ErrnoException) =>
      end(error.message === '' ? new Error(error.code, { cause: error }) : error),
    );
    // Nothing else may come, neither an answer nor an error: after 101, for example.
    sent.on('close', () => end(new Error('the connection was closed without an answer')));
    sent.on('upgrade', ({ statusCode = 0, headers }, socket) => {
      socket.destroy();
      resolve({ status: statusCode, headers, body: Promise.resolve(Buffer.alloc(0)) });
    });
    sent.on('response', (answer) => {
      const { statusCode: status = 0, headers } = answer;
      const read = new Promise<Buffer>((resolveBody, rejectBody) => {
        fail = rejectBody;
        const parts: Buffer[] = [];
        let length = 0;
        answer.on('data', (part: Buffer) => {
          parts.push(part);
          length += part.length;
          if (length > maxBytes) end(new Error(`the answer has more than ${String(maxBytes)} bytes`));
        });
        answer.on('error', end);
        answer.on('end', () => resolveBody(Buffer.concat(parts)));
      });
      read.catch(() => undefined);
      resolve({ status, headers, body: read });
      // The bytes after it are not HTTP, even if the answer names no protocol.
      if (status === 101) end(new Error('the server has switched to another protocol'));
    });
    sent.end(body);
  });
}
