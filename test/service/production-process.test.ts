/** The service as a process with `NODE_ENV=production`: what GraphQL reveals to strangers over every transport. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '../../src/core/storage/sqlite/driver.js';
import { expect } from 'chai';
import { createClient as createSseClient } from 'graphql-sse';
import { compileService } from '../support/compiled-service.js';
import { ServiceProcess } from '../crash/service-process.js';
import { type GraphqlResult, ask, codesOf, post } from '../http/graphql-requests.js';
import { RawSocket } from '../support/raw-socket.js';
import { until } from '../support/until.js';

/** Sends an operation over one transport with a request id. @returns the result from the answer */
type Ask = (query: string, requestId: string) => Promise<GraphqlResult>;

describe('a service process in production', () => {
  let [directory, data] = ['', ''];
  let service: ServiceProcess;

  before(async () => {
    data = await mkdtemp(join(tmpdir(), 'concordat-production-'));
    directory = await compileService();
    service = await ServiceProcess.start(directory, `sqlite:${join(data, 'service.db')}`, {
      NODE_ENV: 'production',
      ACCESS_TOKEN_SECRET: 'a'.repeat(32),
      REFRESH_TOKEN_SECRET: 'b'.repeat(32),
    });
  });
  after(async () => {
    await service.kill();
    await Promise.all([directory, data].map((path) => rm(path, { recursive: true })));
  });

  const ways: Readonly<Record<string, Ask>> = {
    POST: async (query, id) => (await post(service, { query }, { 'x-request-id': id })).result ?? {},
    GET: async (query, id) => {
      const headers = { 'x-request-id': id };
      const answer = await ask(service, {
        method: 'GET',
        query: `query=${encodeURIComponent(query)}`,
        headers,
      });
      return answer.result ?? {};
    },
    WebSocket: async (query, id) => {
      const socket = await RawSocket.connect(service.url, undefined, { headers: { 'x-request-id': id } });
      socket.subscribe('1', query);
      const { type, payload } = await socket.hear();
      await socket.close();
      return (type === 'error' ? { errors: payload } : payload) as GraphqlResult;
    },
    'server-sent events': async (query, id) => {
      const headers = { 'x-request-id': id };
      const client = createSseClient({ url: `${service.url}/graphql`, headers, retryAttempts: 0 });
      for await (const result of client.iterate({ query })) return result as unknown as GraphqlResult;
      return {};
    },
  };

  for (const [way, run] of Object.entries(ways)) {
    it(`does not describe its schema over ${way}`, async () => {
      for (const query of ['{ __schema { types { name } } }', '{ __type(name: "User") { name } }']) {
        const result = await run(query, 'schema');
        expect(result.data).to.equal(undefined);
        expect(new Set(codesOf(result))).to.deep.equal(new Set(['GRAPHQL_VALIDATION_FAILED']));
      }
      expect(await run('{ __typename }', 'typename')).to.deep.equal({ data: { __typename: 'Query' } });
    });

    it(`suggests no names over ${way}`, async () => {
      for (const query of ['{ pots { id } }', '{ posts { titel } }', '{ posts(limt: 1) { id } }']) {
        const result = await run(query, 'names');
        expect(codesOf(result)).to.deep.equal(['GRAPHQL_VALIDATION_FAILED']);
        expect(JSON.stringify(result)).not.to.match(/did you mean|"posts"|"title"|"limit"/i);
      }
    });

    it(`shows no users to strangers over ${way}`, async () => {
      expect(codesOf(await run('{ users { id } }', 'strangers'))).to.deep.equal(['UNAUTHENTICATED']);
    });
  }

  describe('with a store that has lost a table', () => {
    before(() => {
      const database = new DatabaseSync(join(data, 'service.db'));
      database.exec('alter table posts rename to lost');
      database.close();
    });

    for (const [way, run] of Object.entries(ways)) {
      it(`logs the reason over ${way} with the request's id, and does not send it`, async () => {
        const requestId = `lost-${way.replaceAll(' ', '-')}`;
        const result = await run('query Lost { posts { id } }', requestId);
        expect(result.errors?.map(({ message, extensions }) => ({ message, extensions }))).to.deep.equal([
          { message: 'Internal server error', extensions: { code: 'INTERNAL_SERVER_ERROR' } },
        ]);
        expect(JSON.stringify(result)).not.to.match(/table|sqlite|stack/i);
        const find = (): string | undefined =>
          service.lines.find((line) => line.includes(`"requestId":"${requestId}"`));
        await until('it is logged', () => find() !== undefined);
        const line = JSON.parse(find() ?? '') as Readonly<Record<string, unknown>>;
        expect(line).to.include({ operation: 'Lost', field: 'posts' });
        expect(line['err']).to.have.property('message').that.includes('no such table: posts');
      });
    }
  });
});
