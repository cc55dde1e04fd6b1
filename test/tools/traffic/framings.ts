/** Random framings of requests, correct and wrong, and a gate that refuses some of them: what it passes is what the server behind must see. */

import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import fc from 'fast-check';
import { BodySample, SampleMemory } from '../../../src/runtime/observe/body-sample.js';
import { startPassing } from '../../../src/tools/traffic/passing-server.js';
import { until } from '../../support/until.js';
import { patientNow } from '../../support/durations.js';

/** A request that must not reach the server. */
const FORBIDDEN = 'POST /admin HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n';

const pick = (...texts: readonly string[]) => fc.constantFrom(...texts);
const mostly = (usual: string, ...others: readonly string[]) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: pick(...others) });

const newline = mostly('\r\n', '\n', '\r', '\r\r\n', '\n\r', ' \r\n', '\r\n ', '\0\r\n', '\x0b\r\n');

const header = fc
  .tuple(
    pick(
      'Content-Length',
      'Transfer-Encoding',
      'X-A',
      'Connection',
      'Upgrade',
      'Expect',
      'Host',
      'Trailer',
      'TE',
    ),
    mostly(': ', ':', ' : ', ':\t', '\t:', ': \r\n ', ':\n '),
    pick(
      '0',
      '5',
      '05',
      '+5',
      '5, 5',
      '0x5',
      '-1',
      '99',
      'chunked',
      'Chunked',
      'xchunked',
      'chunked, identity',
      'gzip, chunked',
      'identity',
      '\x0bchunked',
      'chunked\x0c',
      'close',
      'keep-alive',
      'Content-Length',
      'Transfer-Encoding',
      'Upgrade',
      'h2c',
      'websocket',
      '100-continue',
      'x',
      'T',
      '',
    ),
    newline,
  )
  .map((parts) => parts.join(''));

const trailer = fc.oneof(
  fc.constant('\r\n'),
  fc
    .tuple(
      pick('T: 1', 'Content-Length: 5', 'Transfer-Encoding: chunked', 'T: 1\nX: 2', `T: 1\n\n${FORBIDDEN}`),
      newline,
      newline,
    )
    .map((parts) => parts.join('')),
);

const body = pick(
  'hello',
  '',
  'no\r\n0\r\n\r\n',
  FORBIDDEN,
  `0\r\n\r\n${FORBIDDEN}`,
  `x\r\n\r\n${FORBIDDEN}`,
);

const chunk = fc
  .tuple(
    body,
    mostly('', ';a=b', ';a="b"', ' ;a', ';a\n', ';\n\n', ' ', '\t', ';a\rb'),
    newline,
    newline,
    mostly('', '0', '0x', '+', 'g'),
  )
  .filter(([text]) => text !== '')
  .map(
    ([text, extension, first, last, before]) =>
      `${before}${text.length.toString(16)}${extension}${first}${text}${last}`,
  );

const framed = fc.oneof(
  body.map((text) => `Content-Length: ${String(text.length)}\r\n\r\n${text}`),
  fc
    .tuple(
      mostly('chunked', 'Chunked', 'chunked ', 'chunked, chunked'),
      fc.array(chunk, { maxLength: 2 }),
      mostly('0', '00', '0;a', '0 ', '-0'),
      newline,
      trailer,
    )
    .map(
      ([coding, chunks, end, line, after]) =>
        `Transfer-Encoding: ${coding}\r\n\r\n${chunks.join('')}${end}${line}${after}`,
    ),
  fc.tuple(newline, body).map(([line, text]) => `${line}${text}`),
);

const message = fc
  .tuple(
    mostly('', '\r\n', '\n', ' '),
    pick('GET', 'POST', 'POST', 'PUT', 'HEAD', 'OPTIONS', 'get', 'CONNECT', 'PRI'),
    mostly(' ', '  ', '\t'),
    pick(
      '/things',
      '/things',
      '/things',
      '/admin',
      'http://x/things',
      'http://x/admin',
      '*',
      'http://y@x/things',
      '/things#a',
      'things',
      '//x/things',
    ),
    mostly(' HTTP/1.1', ' HTTP/1.0', ' HTTP/1.2', ' HTTP/2.0', '', ' HTTP/1.1 '),
    newline,
    mostly('Host: x\r\n', '', 'Host: x\r\nHost: y\r\n', 'Host : x\r\n', 'Host: x\n'),
    fc.array(header, { maxLength: 2 }),
    framed,
  )
  .map(([before, method, space, target, version, line, host, headers, rest]) =>
    [before, method, space, target, version, line, host, ...headers, rest].join(''),
  );

/** Bytes for one connection each. */
export const randomFramings = (count: number, seed: number): readonly string[] =>
  fc.sample(
    fc.array(message, { minLength: 1, maxLength: 3 }).map((all) => all.join('')),
    { numRuns: count, seed },
  );

/** A request as the gate has checked it, or as the server behind has seen it. */
export interface Seen {
  readonly method: string;
  readonly target: string;
  readonly body: string;
}

/** The requests that are more often in one list than in the other. */
export function differences(seen: readonly Seen[], passed: readonly Seen[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const [list, step] of [
    [seen, 1],
    [passed, -1],
  ] as const)
    for (const { method, target, body: text } of list) {
      const line = JSON.stringify([method, target, text]);
      counts.set(line, (counts.get(line) ?? 0) + step);
    }
  return [...counts].filter(([, count]) => count !== 0).map(([line, count]) => `${String(count)} ${line}`);
}

const AT_ONCE = 50;

/** Sends each framing on a connection of its own through a gate. @returns the requests that the gate has passed, and what clients got */
export async function sendFramings(
  target: URL,
  framings: readonly string[],
): Promise<{ readonly passed: readonly Seen[]; readonly refused: number }> {
  const memory = new SampleMemory(10_000_000);
  const passed: Seen[] = [];
  let refused = 0;
  let running = 0;
  const { url, close } = await startPassing({
    target,
    ...{ host: '127.0.0.1', port: 0 },
    open: ({ method, target: path }) => {
      const request = new BodySample(100_000, memory);
      let isPassed = false;
      const over = (): void => {
        if (isPassed) running -= 1;
        request.release();
      };
      return {
        request,
        response: undefined,
        enforced: {
          needsBody: true,
          rejection: () => {
            isPassed = !path.includes('admin');
            if (isPassed) {
              running += 1;
              passed.push({ method, target: path, body: request.text() });
              return Promise.resolve(undefined);
            }
            refused += 1;
            return Promise.resolve({ status: 400, headers: {}, body: 'refused' });
          },
        },
        end: over,
        breakOff: over,
      };
    },
  });
  for (let start = 0; start < framings.length; start += AT_ONCE) {
    let latest = patientNow();
    const sockets = await Promise.all(
      framings.slice(start, start + AT_ONCE).map(async (bytes) => {
        const socket: Socket = connect(Number(new URL(url).port), '127.0.0.1');
        socket.on('error', () => undefined).on('data', () => (latest = patientNow()));
        await once(socket, 'connect');
        socket.write(bytes, 'latin1');
        return socket;
      }),
    );
    // A connection whose last request is incomplete stays open.
    await until('all is answered', () => running === 0 && patientNow() - latest > 20);
    for (const socket of sockets) socket.destroy();
  }
  close();
  return { passed, refused };
}
