/** Mocks whose answers come late or fail, as over a bad network. */

import type { Server } from 'node:http';
import { expect } from 'chai';
import { memoryRequest } from '@concordat/runtime';
import { mockGraphql, mockHandlers } from '@concordat/tools/mock';
import { contract } from '../../../generated/routing.js';
import { runProgram } from '../../../src/codegen/cli/program.js';
import { runInProcess } from '../../support/run-program.js';
import { mockOf } from './mock-server.js';

const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  paths: {
    '/items': {
      get: {
        operationId: 'listItems',
        responses: {
          200: { description: 'Done', ...json({ const: 'items' }) },
          '4XX': { description: 'Refused', ...json({ const: 'refused' }) },
          503: { description: 'Busy', ...json({ const: 'busy' }) },
          500: { description: 'Nothing fits', ...json(false as unknown as object) },
        },
      },
    },
    '/plain': { get: { operationId: 'plain', responses: { 204: { description: 'Done' } } } },
  },
};

describe('the conditions of a mock', () => {
  let server: Server | undefined;
  afterEach(() => server?.close());

  async function statuses(path: string, headers: Readonly<Record<string, string>> = {}): Promise<string[]> {
    const [started, url] = await mockOf(DOCUMENT, { fail: '50%' });
    server = started;
    const all: string[] = [];
    for (let count = 0; count < 30; count += 1) {
      const answer = await fetch(url + path, { headers });
      all.push(`${String(answer.status)} ${await answer.text()}`);
    }
    server.close();
    return all;
  }

  it('answers a share of the calls with declared errors that can be made, the same in every run', async () => {
    const found = await statuses('/items');
    expect([...new Set(found)].sort()).to.deep.equal(['200 "items"', '400 "refused"', '503 "busy"']);
    expect(found.filter((each) => each.startsWith('200')).length).to.be.within(8, 22);
    expect(await statuses('/items')).to.deep.equal(found);
  });

  it('fails neither an operation without declared errors nor a request that chooses its answer', async () => {
    expect([...new Set(await statuses('/plain'))]).to.deep.equal(['204 ']);
    expect([...new Set(await statuses('/items', { prefer: 'code=200' }))]).to.deep.equal(['200 "items"']);
  });

  it('delays each answer, refusals too', async () => {
    const [started, url] = await mockOf(DOCUMENT, { latency: '20..30' });
    server = started;
    for (const path of ['/items', '/nowhere']) {
      const start = performance.now();
      await (await fetch(url + path)).text();
      // A timer may fire within the millisecond before its time.
      expect(performance.now() - start, path).to.be.at.least(19);
    }
  });

  it('waits no longer for a client that has gone', async () => {
    const over = new AbortController();
    const graphql = await mockGraphql('schema.graphql', { latency: '999999' });
    const answer = graphql(
      memoryRequest({
        method: 'POST',
        path: '/graphql',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: '{"query":"{ me { id } }"}',
        signal: over.signal,
      }),
    );
    over.abort();
    expect((await answer).status).to.equal(200);
  });

  it('delays and fails the handlers of an engine', async () => {
    const { getUser } = await mockHandlers('openapi.yaml', contract, { latency: '999999', fail: '100%' });
    const over = new AbortController();
    const answer = getUser({}, { request: memoryRequest({ signal: over.signal }), mediaType: undefined });
    over.abort();
    expect((await answer).status).to.be.at.least(400);
  });

  for (const [options, sentence] of [
    [['--latency', '200..50'], 'latency 200..50: it must be milliseconds such as 100 or 50..200.'],
    [['--latency', 'fast'], 'latency fast: it must be milliseconds such as 100 or 50..200.'],
    [['--fail', '2'], 'fail 2: it must be a share from 0% to 100%.'],
    [['--fail', '101%'], 'fail 101%: it must be a share from 0% to 100%.'],
  ] as const) {
    it(`refuses ${options.join(' ')}`, async () => {
      const { exitCode, stdout, stderr } = await runInProcess(runProgram, [
        'mock',
        ...options,
        '--port',
        '0',
      ]);
      expect([exitCode, stdout, stderr]).to.deep.equal([2, '', `${sentence}\n`]);
    });
  }
});
