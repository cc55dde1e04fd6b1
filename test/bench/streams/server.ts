/** Serves the fixture of streams through one transport, and answers `/rss` with the most memory since it was last asked. */

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { HttpHandler } from '../../../src/runtime/index.js';
import type { GeneratedContract } from '../../codegen/generated-contract.js';
import { listeners, listenTo } from '../../runtime/transports/listeners.js';

const [directory = '', transport = '', items = '0', bytes = '0'] = process.argv.slice(2);
const PIECE = Buffer.alloc(64 * 1024);

/** What is kept is measured, and not what has yet to be collected. */
function collect(count: number, every: number): void {
  if (count % every === 0) globalThis.gc?.();
}

// eslint-disable-next-line @typescript-eslint/require-await -- as fast as the client reads
async function* entries(): AsyncGenerator<object, void, void> {
  for (let count = 0; count < Number(items); count += 1) {
    collect(count, 20_000);
    yield { name: `entry ${String(count)}`, level: count % 5 };
  }
}

// eslint-disable-next-line @typescript-eslint/require-await -- as fast as the client reads
async function* pieces(): AsyncGenerator<Uint8Array, void, void> {
  for (let count = 0; count < Number(bytes) / PIECE.length; count += 1) {
    collect(count, 128);
    yield Buffer.from(PIECE);
  }
}

async function* echo(body: AsyncIterable<unknown>): AsyncGenerator<unknown, void, void> {
  let count = 0;
  for await (const item of body) {
    collect((count += 1), 20_000);
    yield item;
  }
}

async function sizeOf(body: AsyncIterable<Uint8Array>): Promise<number> {
  let size = 0;
  let count = 0;
  for await (const piece of body) {
    size += piece.length;
    collect((count += 1), 128);
  }
  return size;
}

const { contract, start } = (await import(
  pathToFileURL(join(directory, 'starter.ts')).href
)) as GeneratedContract;
const unused = Object.keys(contract.operations).map((id) => [id, () => ({ status: 500 })] as const);
const engine = start({
  report: console.error,
  operations: {
    ...Object.fromEntries(unused),
    readEntries: () => ({ status: 200, body: entries() }),
    echoEntries: ({ body }: { readonly body: AsyncIterable<unknown> }) => ({ status: 200, body: echo(body) }),
    readFile: () => ({ status: 200, body: pieces() }),
    writeFile: async ({ body }: { readonly body: AsyncIterable<Uint8Array> }) => ({
      status: 200,
      body: { count: await sizeOf(body) },
    }),
    upload: async ({ body }: { readonly body: AsyncIterable<object> }) => {
      let count = 0;
      for await (const part of body)
        if ('body' in part) count += await sizeOf(part.body as AsyncIterable<Uint8Array>);
      return { status: 200, body: { count } };
    },
  },
});

let peak = 0;
setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 5).unref();

const handler: HttpHandler = (request) => {
  if (request.path !== '/rss') return engine(request);
  globalThis.gc?.();
  const body = String(peak);
  peak = process.memoryUsage.rss();
  return { status: 200, headers: {}, body };
};

const listen = listeners[transport];
if (listen === undefined) throw new Error(`there is no transport ${transport}`);
console.log((await listenTo(listen(handler))).url);
