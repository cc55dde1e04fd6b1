/** Over every transport, methods beyond those of OpenAPI 3.1 reach their operations, QUERY with its body. */

import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import * as consumers from 'node:stream/consumers';
import { expect } from 'chai';
import { type RestContract, restEngine } from '../../../src/runtime/index.js';
import { transports, withListener } from './transports.js';

const operation = (method: string) => ({
  method,
  path: '/things',
  security: [],
  requestBody: { content: { 'text/plain': { kind: 'text' as const } } },
  responses: { 200: { content: { 'text/plain': { kind: 'text' as const } } } },
});

const contract: RestContract = {
  operations: { list: operation('GET'), find: operation('QUERY'), copy: operation('COPY') },
  paths: { literals: { things: { operations: { GET: 'list', QUERY: 'find', COPY: 'copy' } } } },
  securitySchemes: {},
  xmlNames: {},
};

const answer = (id: string) => (sent: { readonly body?: unknown }) => ({
  status: 200,
  body: `${id} ${String(sent.body)}`,
});

const engine = restEngine({
  contract,
  operations: { list: answer('list'), find: answer('find'), copy: answer('copy') },
  security: {},
  anonymous: undefined,
  report: console.error,
});

/** What the server at a URL says to a method. */
async function asked(url: string, method: string, body = ''): Promise<readonly unknown[]> {
  const headers = { 'content-type': 'text/plain', 'content-length': Buffer.byteLength(body) };
  const asking = request(`${url}/things`, { method, headers, agent: false });
  asking.end(body);
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  return [response.statusCode, response.headers.allow, await consumers.text(response)];
}

// openapi-backend finds no operation of a method that OpenAPI 3.1 does not have.
for (const { name, listen } of transports.filter((transport) => transport.name !== 'openapi-backend')) {
  describe(`the transport ${name}`, () => {
    it('passes QUERY and methods of a contract on, and names them in Allow', async () => {
      await withListener(await listen(engine), async (url) => {
        expect(await asked(url, 'QUERY', 'this')).to.deep.equal([200, undefined, 'find this']);
        expect(await asked(url, 'COPY', 'that')).to.deep.equal([200, undefined, 'copy that']);
        const allow = 'GET, QUERY, COPY, HEAD, OPTIONS';
        expect((await asked(url, 'OPTIONS')).slice(0, 2)).to.deep.equal([204, allow]);
        expect((await asked(url, 'LOCK')).slice(0, 2)).to.deep.equal([405, allow]);
      });
    });
  });
}
