/**
 * What streams take: `npm run bench -- streams`. A million checked items and a gibibyte of bytes, both ways, behind koa, node
 * and fetch: the rate, and the most memory beyond that of an idle server. Fails when items take 20 MiB, or bytes 50 MiB.
 * `--items 100000 --mebibytes 100` takes less time.
 */

import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { generateContract, removeDirectory, temporaryPackage } from '../codegen/generated-contract.js';
import { ServerProcess } from './server-process.js';

const MEBIBYTE = 1024 * 1024;
const PIECE = Buffer.alloc(64 * 1024, 'x');
const FIXTURE = fileURLToPath(new URL('../fixtures/contracts/streams.openapi-3.2.yaml', import.meta.url));
const SERVER = fileURLToPath(new URL('streams/server.ts', import.meta.url));
const FORM_START =
  '--b\r\nContent-Disposition: form-data; name="title"\r\n\r\nlarge\r\n' +
  '--b\r\nContent-Disposition: form-data; name="photo"; filename="x"\r\nContent-Type: image/png\r\n\r\n';

const { values: options } = parseArgs({
  options: {
    items: { type: 'string', default: '1000000' },
    mebibytes: { type: 'string', default: '1024' },
  },
});
const items = Number(options.items);
const bytes = Number(options.mebibytes) * MEBIBYTE;

/** A request that is measured. */
interface Load {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly contentType?: string;
  readonly body?: () => Iterable<string | Buffer>;
  /** How many items or bytes it carries. */
  readonly amount: number;
  readonly unit: string;
  /** The most memory that it may take, in MiB. */
  readonly allowed: number;
  /** Whether the response is what it should be. */
  readonly isRight: (size: number, lines: number, end: string) => boolean;
}

function* lines(): Generator<string> {
  for (let count = 0; count < items; count += 100) {
    yield `{"name":"entry ${String(count)}","level":2}\n`.repeat(100);
  }
}

function* pieces(start = '', end = ''): Generator<string | Buffer> {
  if (start !== '') yield start;
  for (let size = 0; size < bytes; size += PIECE.length) yield PIECE;
  if (end !== '') yield end;
}

const ofItems = { amount: items, unit: 'items', allowed: 20 } as const;
const ofBytes = { amount: bytes / MEBIBYTE, unit: 'MiB', allowed: 50 } as const;
const counted = (_size: number, _lines: number, text: string): boolean =>
  text === `{"count":${String(bytes)}}`;

const LOADS: readonly Load[] = [
  {
    name: 'items down',
    ...ofItems,
    method: 'GET',
    path: '/entries',
    isRight: (_size, count) => count === items,
  },
  {
    name: 'items both ways',
    ...ofItems,
    method: 'PUT',
    path: '/entries',
    contentType: 'application/jsonl',
    body: lines,
    isRight: (_size, count) => count === items,
  },
  { name: 'bytes down', ...ofBytes, method: 'GET', path: '/files/a', isRight: (size) => size === bytes },
  {
    name: 'bytes up',
    ...ofBytes,
    method: 'PUT',
    path: '/files/a',
    contentType: 'application/octet-stream',
    body: () => pieces(),
    isRight: counted,
  },
  {
    name: 'a file of a form up',
    ...ofBytes,
    method: 'POST',
    path: '/uploads',
    contentType: 'multipart/form-data; boundary=b',
    body: () => pieces(FORM_START, '\r\n--b--\r\n'),
    isRight: counted,
  },
];

const directory = await temporaryPackage();
try {
  await generateContract(directory, { openapi: FIXTURE });
  for (const transport of ['koa', 'node', 'fetch']) await measure(transport);
} finally {
  await removeDirectory(directory);
}

async function measure(transport: string): Promise<void> {
  for (const load of LOADS) {
    // Each in a new process, because memory that was once in use stays with a process.
    const server = await ServerProcess.start(
      '--expose-gc',
      // By default V8 lets its young generation grow by 32 MiB where much is allocated, however little of it is kept.
      '--max-semi-space-size=2',
      '--conditions=@concordat/source',
      '--import',
      'tsx',
      SERVER,
      directory,
      transport,
      String(items),
      String(bytes),
    );
    try {
      const peak = async (): Promise<number> => Number(await (await fetch(`${server.url}/rss`)).text());
      await peak();
      const before = await peak();
      const start = performance.now();
      const isRight = await run(server.url, load);
      const seconds = (performance.now() - start) / 1000;
      const grown = ((await peak()) - before) / MEBIBYTE;
      const rate = Math.round(load.amount / seconds).toLocaleString('en');
      console.log(
        `${transport.padEnd(6)} ${load.name.padEnd(20)} ${rate.padStart(9)} ${load.unit}/s, ${grown.toFixed(1)} MiB more`,
      );
      if (isRight && grown < load.allowed) continue;
      console.error(isRight ? `NOT SO: less than ${String(load.allowed)} MiB` : 'NOT SO: all of it arrives');
      process.exitCode = 1;
    } finally {
      await server.stop();
    }
  }
}

/** Sends the request and its response at the speed of the server. */
async function run(url: string, { method, path, contentType, body, isRight }: Load): Promise<boolean> {
  const headers = contentType === undefined ? {} : { 'content-type': contentType };
  const asking = request(url + path, { method, headers });
  const answering = once(asking, 'response') as Promise<[IncomingMessage]>;
  void send(asking, body?.() ?? []);
  const [response] = await answering;
  let size = 0;
  let count = 0;
  let end = '';
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) count += 1;
    end = chunk.toString('latin1', 0, 100);
  }
  return isRight(size, count, end);
}

async function send(asking: ClientRequest, body: Iterable<string | Buffer>): Promise<void> {
  for (const piece of body) if (!asking.write(piece)) await once(asking, 'drain');
  asking.end();
}
