// ticks.ts
import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { HttpHandler } from '@concordat/runtime';
import { nodeTransport } from '@concordat/runtime/node';

async function* ticks(signal: AbortSignal): AsyncGenerator<Uint8Array> {
  while (!signal.aborted) {
    yield Buffer.from(`${new Date().toISOString()}\n`);
    await setTimeout(100, undefined, { signal }).catch(() => undefined);
  }
  console.log('the client has disconnected');
}

const handler: HttpHandler = ({ signal }) => ({
  status: 200,
  headers: { 'Content-Type': 'text/plain' },
  body: ticks(signal),
});

createServer(nodeTransport(handler)).listen(3000);
