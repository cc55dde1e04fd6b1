/** Serves the services over each transport, and lets Spector send its requests. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import Koa from 'koa';
import { fetchTransport } from '../../src/runtime/transports/fetch.js';
import { koaTransport } from '../../src/runtime/transports/koa.js';
import { nodeTransport } from '../../src/runtime/transports/node.js';
import { fetchListener, listenTo } from '../runtime/transports/listeners.js';
import { SPECIFICATIONS, SPECTOR } from './packages.js';
import type { Target } from './scenarios.js';
import type { Service } from './services.js';

/** All services behind one listener: each passes on the paths that it does not have. */
export const transports: Readonly<Record<string, (services: readonly Service[]) => RequestListener>> = {
  koa(services) {
    const app = new Koa();
    for (const { engine, prefix } of services) {
      // In a prefix of Koa's router a colon begins a parameter.
      const literal = prefix.replaceAll(':', String.raw`\:`);
      app.use(koaTransport(engine, literal === '' ? {} : { prefix: literal }).routes());
    }
    const answer = app.callback();
    return (request, response) => void answer(request, response);
  },
  node(services) {
    const listeners = services.map(({ engine, prefix }) => nodeTransport(engine, { prefix }));
    return (request, response) => {
      const pass = (index: number): void => {
        const listener = listeners[index];
        if (listener === undefined) response.writeHead(404).end();
        else listener(request, response, () => pass(index + 1));
      };
      pass(0);
    };
  },
  fetch(services) {
    const handlers = services.map(({ engine, prefix }) =>
      fetchTransport(engine, { prefix, unknownPaths: 'next' }),
    );
    return fetchListener(async (request) => {
      for (const handler of handlers) {
        const response = await handler(request);
        if (response !== undefined) return response;
      }
      return new Response(null, { status: 404 });
    });
  },
};

export interface Knocked {
  readonly passed: ReadonlySet<string>;
  /** What Spector says of each scenario that fails. */
  readonly failed: ReadonlyMap<string, string>;
}

/**
 * Sends all requests to a listener, whose address becomes the target's.
 *
 * @param file - the file for Spector's report
 */
export async function knock(listener: RequestListener, target: Target, file: string): Promise<Knocked> {
  const server = await listenTo(listener);
  try {
    target.baseUrl = server.url;
    return readReport(await runSpector(server.url, file));
  } finally {
    await server.close();
  }
}

/** It exits with 1 when a scenario fails. @returns what it says, through a file: its exit cuts off what a pipe still holds */
async function runSpector(baseUrl: string, file: string): Promise<string> {
  const output = openSync(file, 'w');
  try {
    const parameters = [SPECTOR, 'knock', SPECIFICATIONS, '--baseUrl', baseUrl];
    const child = spawn(process.execPath, parameters, {
      env: { ...process.env, NO_COLOR: '1' },
      stdio: ['ignore', output, output],
      timeout: 120_000,
    });
    await once(child, 'close');
  } finally {
    closeSync(output);
  }
  const text = readFileSync(file, 'utf8');
  if (!text.includes('Diagnostics Summary'))
    throw new Error(`tsp-spector does not report: ${text.slice(-2000)}`);
  return text;
}

/** A scenario with several requests passes when all of them do. */
function readReport(text: string): Knocked {
  const passed = new Set<string>();
  const failed = new Map<string, string>();
  for (const [, sign, name = '', said = ''] of text.matchAll(/^([✓✘]) Scenario: (\S+)$([^✓✘]*)/gmu)) {
    if (sign === '✓') passed.add(name);
    else failed.set(name, said.trim());
  }
  for (const name of failed.keys()) passed.delete(name);
  return { passed, failed };
}
