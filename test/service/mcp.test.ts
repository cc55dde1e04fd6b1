/** The tools of the service, called by the client of the official SDK: they are the contract's, and the policy holds. */

import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tools as ownTools } from '@concordat/core/tools';
import { expect } from 'chai';
import type { Client } from '@modelcontextprotocol/client';
import { parseYaml } from '@redocly/openapi-core';
import { protectedPolicy } from '../../src/core/index.js';
import { ContractTools } from '../../src/runtime/mcp/contract-tools.js';
import { type Node, child, follow, operationsOf } from '../contract/contract-document.js';
import { useService } from '../support/service.js';
import { type Account, admin, bearer, signIn, signInSettings, signUp } from '../support/sign-in.js';
import {
  type Connect,
  type Credential,
  call,
  overHttp,
  overStdio,
  revisions,
  textOf,
} from './mcp-clients.js';
import { run } from './run.js';
import { answerSchema, writtenOut } from './written-out.js';

const document = parseYaml(await readFile(new URL('../../openapi.yaml', import.meta.url), 'utf8')) as Node;

const NAMED = [
  'getProfile',
  'getUser',
  'listUsers',
  'createOrder',
  'getOrder',
  'deleteUser',
  'getCurrentApiKey',
];

function operationNamed(id: string): Node {
  const found = operationsOf(document).find(({ operation }) => operation['operationId'] === id);
  return found?.operation ?? expect.fail(id);
}

/** The schema of the JSON that an operation takes, with the description of its body. */
function bodyOf(operation: Node): { readonly schema: Node; readonly description: unknown } {
  const body = follow(document, child({ value: operation, pointer: '#' }, 'requestBody'));
  const json = child(child(body, 'content'), 'application/json');
  return { schema: child(json, 'schema').value as Node, description: child(body, 'description').value };
}

const transports: readonly (readonly [name: string, reading: Connect, named: Connect])[] = [
  ['streamable HTTP', overHttp(revisions.latest), overHttp(revisions.latest)],
  ['streamable HTTP, an earlier revision', overHttp(revisions.before), overHttp(revisions.before)],
  ['stdio', overStdio(revisions.before), overStdio(revisions.before, ...NAMED)],
];

for (const [name, reading, named] of transports) {
  describe(`MCP over ${name}`, () => {
    const clients: Client[] = [];
    after(() => Promise.all(clients.map((client) => client.close())));

    async function connected(connect: Connect, url: string, credential?: Credential): Promise<Client> {
      const client = await connect(url, credential);
      clients.push(client);
      return client;
    }

    describe('the tools without a choice', () => {
      const service = useService({ mcpTools: 'read' });
      let client: Client;
      before(async () => {
        client = await connected(reading, service.url);
      });

      it('are the operations that only read, and say so', async () => {
        const { tools } = await client.listTools();
        const expected = operationsOf(document).filter(({ method }) => method === 'get');
        expect(tools.map((tool) => tool.name)).to.deep.equal(
          expected.map(({ operation }) => operation['operationId']),
        );
        expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).to.equal(true);
        expect(client.getServerVersion()).to.deep.include({ name: (document['info'] as Node)['title'] });
      });

      it('have the schemas of the contract', async () => {
        const { tools } = await client.listTools();
        const isFraction = (keyword: string, value: unknown): boolean =>
          keyword === 'multipleOf' && !Number.isInteger(value);
        let compared = 0;
        for (const { operation, pointer } of operationsOf(document)) {
          const tool = tools.find((each) => each.name === operation['operationId']);
          if (tool === undefined) continue;
          for (const parameter of (operation['parameters'] ?? []) as unknown[]) {
            const { value } = follow(document, { value: parameter, pointer });
            const { name: argument, schema, description, required } = value as Record<string, string>;
            if (argument === undefined || /^if-none-match$/i.test(argument)) continue;
            const actual = writtenOut(tool.inputSchema, tool.inputSchema.properties?.[argument]);
            expect(actual).to.deep.equal(
              writtenOut(document, { ...(schema as unknown as Node), description }),
            );
            expect(tool.inputSchema.required?.includes(argument) ?? false).to.equal(Boolean(required));
            compared += 1;
          }
          if (tool.outputSchema === undefined) continue;
          const { value: target } = follow(document, { value: answerSchema(document, operation), pointer });
          expect(writtenOut(tool.outputSchema, tool.outputSchema)).to.deep.equal(
            writtenOut(document, target, isFraction),
          );
          compared += 1;
        }
        expect(compared).to.be.greaterThan(40);
        const objects = tools.filter(({ outputSchema }) => outputSchema !== undefined);
        expect(objects.map((tool) => tool.name)).to.include.members(['getUser', 'listUsersV2', 'getFeed']);
        // A list of users is an object or an array.
        expect(objects.map((tool) => tool.name)).to.not.include('listUsers');
      });
    });

    describe('the tools that are named', () => {
      const service = useService({ ...signInSettings, policy: protectedPolicy, mcpTools: NAMED });
      let ada: Account;
      let [asAda, asAdmin, asNobody]: Client[] = [];
      before(async () => {
        ada = await signUp(service);
        const [adas, admins] = [await signIn(service, ada), await signIn(service, admin)];
        asAda = await connected(named, service.url, { token: adas.accessToken });
        asAdmin = await connected(named, service.url, { token: admins.accessToken });
        asNobody = await connected(named, service.url);
        // The client knows the schemas of the tools that it has listed, and checks results with them.
        for (const client of [asAda, asAdmin, asNobody]) await client.listTools();
      });

      function client(which: Client | undefined): Client {
        if (which === undefined) throw new Error('the client is not connected');
        return which;
      }

      it('are the named ones, with what they take', async () => {
        const { tools } = await client(asAda).listTools();
        expect(tools.map((tool) => tool.name)).to.have.members(NAMED);
        const order = tools.find((tool) => tool.name === 'createOrder');
        expect(order?.annotations?.readOnlyHint).to.equal(false);
        expect(order?.inputSchema.required).to.deep.equal(['body']);
        const { schema, description } = bodyOf(operationNamed('createOrder'));
        expect(writtenOut(order?.inputSchema ?? {}, order?.inputSchema.properties?.['body'])).to.deep.equal(
          writtenOut(document, { ...schema, ...(description !== undefined && { description }) }),
        );
      });

      it('answer as REST does, to the caller whose credential it is', async () => {
        const result = await call(client(asAda), 'getUser', { id: ada.id });
        const { accessToken } = await signIn(service, ada);
        const answer = await service.get(`/api/users/${ada.id}`, bearer(accessToken));
        expect(result.structuredContent).to.deep.equal(answer.body);
        expect(textOf(result)).to.equal(answer.text);
        expect((await call(client(asAda), 'getProfile')).structuredContent).to.deep.include({
          email: ada.email,
        });
      });

      it('write', async () => {
        const item = { name: 'Lamp', unitPrice: 19.99, quantity: 2 };
        const made = await call(client(asAda), 'createOrder', { body: { items: [item] } });
        expect(made.structuredContent, textOf(made)).to.deep.include({ total: 39.98, userId: ada.id });
        const id = (made.structuredContent as { id: string }).id;
        expect((await call(client(asAda), 'getOrder', { id })).structuredContent).to.deep.equal(
          made.structuredContent,
        );
      });

      it('answer a list as text', async () => {
        const result = await call(client(asAdmin), 'listUsers', { limit: 1, envelope: false });
        expect(result.structuredContent).to.equal(undefined);
        expect(JSON.parse(textOf(result))).to.have.length(1);
      });

      const refusals: readonly (readonly [
        what: string,
        who: 'ada' | 'admin' | 'nobody',
        tool: string,
        id: string,
        line: string,
      ])[] = [
        ['a caller who may not', 'ada', 'deleteUser', '1', 'DELETE /api/users/1'],
        ['nobody', 'nobody', 'getUser', '1', 'GET /api/users/1'],
        ['an unknown record', 'admin', 'getOrder', '999', 'GET /api/orders/999'],
        ['a value that does not fit', 'admin', 'getUser', 'x', 'GET /api/users/x'],
      ];
      for (const [what, who, tool, id, line] of refusals) {
        it(`refuse ${what} in the words of REST`, async () => {
          const result = await call(client({ ada: asAda, admin: asAdmin, nobody: asNobody }[who]), tool, {
            id,
          });
          const [method = '', path = ''] = line.split(' ');
          const account = { ada, admin, nobody: undefined }[who];
          const headers = account && bearer((await signIn(service, account)).accessToken);
          const answer = await service.send({ method, path, ...(headers && { headers }) });
          expect(answer.status).to.be.within(400, 404);
          expect(result.isError).to.equal(true);
          expect(textOf(result)).to.equal((answer.body as { error: string }).error);
        });
      }

      it('refuse an argument that there is not, and say which there are', async () => {
        const result = await call(client(asAdmin), 'listUsers', { name: 'Ada' });
        expect(result.isError).to.equal(true);
        expect(textOf(result)).to.match(
          /^There is no argument name: there are role, status, city, email, page/,
        );
      });

      it('are called with an API key too', async () => {
        const { accessToken } = await signIn(service, admin);
        const made = await service.post('/api/keys', { name: 'assistant' }, bearer(accessToken));
        const { key } = made.body as { key: string };
        const assistant = await connected(named, service.url, { key });
        await assistant.listTools();
        const result = await call(assistant, 'getCurrentApiKey');
        expect(result.structuredContent).to.deep.include({ name: 'assistant' });
        const refused = await call(assistant, 'deleteUser', { id: ada.id });
        expect(refused.isError, textOf(refused)).to.equal(true);
      });

      it('do not include any other', async () => {
        const problem = await call(client(asAdmin), 'updateOrder', { id: '1', body: {} }).catch(String);
        expect(problem).to.include('Unknown tool: updateOrder');
      });
    });
  });
}

describe('concordat-service mcp', () => {
  it('says where it looked for the service', async () => {
    const { exitCode, stderr } = await run(['mcp', '--url', 'http://127.0.0.1:9']);
    expect(stderr).to.match(/^No tools at http:\/\/127\.0\.0\.1:9\/tools\.json: .*running there\?\n$/);
    expect(exitCode).to.equal(1);
    expect((await run(['mcp', '--url', 'here'])).stderr).to.equal('--url must be a URL, not here\n');
  });

  it('makes the tools of a service that has no table of them, as earlier ones, from its contract', async () => {
    const own = JSON.stringify(document);
    const contracts = { '/openapi.json': own, '/other/tools.json': '{}', '/broken/openapi.json': '{}' };
    const server = createServer(({ url = '' }, response) => {
      const text = Object.hasOwn(contracts, url) ? contracts[url as keyof typeof contracts] : undefined;
      response.writeHead(text === undefined ? 404 : 200, { 'Content-Type': 'application/json' }).end(text);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    try {
      const client = await overStdio(revisions.latest, 'createOrder')(url);
      const { tools } = await client.listTools();
      await client.close();
      expect(tools).to.deep.equal(
        new ContractTools({
          engine: () => ({ status: 204, headers: {} }),
          tools: ownTools,
          only: ['operation:createOrder'],
        }).list,
      );
      expect((await run(['mcp', '--url', `${url}/other`])).stderr).to.match(
        /tools\.json: it answered something else\./,
      );
      expect((await run(['mcp', '--url', `${url}/broken`])).stderr).to.match(
        /^No tools for .*\/broken\/openapi\.json: /,
      );
    } finally {
      server.close();
    }
  });

  const service = useService();
  it('speaks the latest revision too', async () => {
    const client = await overStdio(revisions.latest, 'getUser')(service.url);
    try {
      expect(client.getNegotiatedProtocolVersion()).to.equal(revisions.latest.pin);
      expect((await client.listTools()).tools.map(({ name }) => name)).to.deep.equal(['getUser']);
    } finally {
      await client.close();
    }
  });

  it('refuses names that the contract does not have', async () => {
    const operation = await run(['mcp', '--url', service.url, '--only', 'operation:getusers']);
    expect(operation).to.deep.include({ exitCode: 1, stderr: 'operation:getusers selects no operation\n' });
    const tag = await run(['mcp', '--url', service.url, '--only', 'tag:Order']);
    expect(tag).to.deep.include({ exitCode: 1, stderr: 'tag:Order selects no operation\n' });
  });
});
