/**
 * Counts the files and functions of `src` that warm requests pass through on the whole service, by V8's precise coverage:
 * `npm run bench -- request-path`; with `--functions` it lists them.
 */

import { request } from 'node:http';
import { Session } from 'node:inspector/promises';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '../../src/service/serve.js';
import { readSettings } from '../../src/service/settings/settings.js';

const WARM_UP = 50;

interface Asked {
  readonly path: string;
  /** With it, the request is a POST. */
  readonly body?: object;
}

const REQUESTS: readonly Asked[] = [
  { path: '/api/users/1' },
  { path: '/api/users?page=1' },
  { path: '/graphql?query=%7B%20users%20%7B%20id%20name%20%7D%20%7D' },
  { path: '/api/orders', body: { userId: '1', items: [{ name: 'Lamp', unitPrice: 24.5, quantity: 1 }] } },
];

/** Sends a request, and reads its response to the end. */
function ask(base: string, { path, body }: Asked): Promise<void> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const headers = { 'Content-Type': 'application/json' };
    const sent = request(base + path, { method, ...(body && { headers }) }, (response) => {
      response.resume();
      response.once('end', resolve);
      response.once('error', reject);
    });
    sent.once('error', reject);
    sent.end(body && JSON.stringify(body));
  });
}

/** @returns the functions that a warm request calls, by file */
async function pathOf(
  session: Session,
  base: string,
  asked: Asked,
): Promise<ReadonlyMap<string, readonly string[]>> {
  for (let count = 0; count < WARM_UP; count += 1) await ask(base, asked);
  // What the warm-up left to do is not the request's.
  await new Promise((resolve) => setTimeout(resolve, 200));
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await ask(base, asked);
  // The log of a request is written after its response.
  await new Promise((resolve) => setTimeout(resolve, 20));
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  const functions = new Map<string, readonly string[]>();
  for (const script of result) {
    const file = /\/(src\/(?!.*node_modules).*|generated\/.*)$/.exec(script.url)?.[1];
    const called = script.functions
      .filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
      .map(({ functionName }) => functionName || '(anonymous)');
    if (file !== undefined && called.length > 0) functions.set(file, called);
  }
  return functions;
}

const directory = mkdtempSync(join(tmpdir(), 'request-path-'));
const service = await serve(readSettings({ DATABASE_URL: `sqlite:${directory}/service.db`, PORT: '0' }));
const session = new Session();
session.connect();
await session.post('Profiler.enable');
// Loads GraphQL, which the service would otherwise load during a measurement.
for (const asked of REQUESTS) await ask(service.url, asked);
for (const asked of REQUESTS) {
  const functions = await pathOf(session, service.url, asked);
  const count = [...functions.values()].reduce((sum, names) => sum + names.length, 0);
  console.error(
    `${asked.body ? 'POST' : 'GET'} ${asked.path}: ${String(functions.size)} files, ${String(count)} functions`,
  );
  if (process.argv.includes('--functions')) {
    for (const [file, names] of functions) console.error(`  ${file}: ${names.join(', ')}`);
  }
}
await service.stop();
rmSync(directory, { recursive: true });
