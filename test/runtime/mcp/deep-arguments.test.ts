/** Arguments that are nested deeply are invalid parameters, over HTTP and over stdio. */

import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { expect } from 'chai';
import { memoryRequest } from '../../../src/runtime/http/memory-request.js';
import { mcpHttp, mcpServer } from '../../../src/runtime/mcp/index.js';
import { toolTableOf } from '../../support/tool-table.js';

const document = {
  openapi: '3.1.0',
  info: { title: 'Things', version: '1' },
  paths: {
    '/things/{id}': {
      post: {
        operationId: 'putThing',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: {} },
          { name: 'filter', in: 'query', schema: { type: 'object' } },
        ],
        requestBody: { content: { 'application/json': { schema: {} } } },
        responses: { '204': { description: 'Done.' } },
      },
    },
  },
};
const options = {
  tools: await toolTableOf(document),
  only: ['operation:putThing'],
  engine: () => ({ status: 204, headers: {} }),
};

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

/** By the place of the deep value. */
const ARGUMENTS: Readonly<Record<string, (deep: string) => string>> = {
  'a path': (deep) => `{"id":${deep}}`,
  'a member of a query': (deep) => `{"id":"1","filter":{"a":${deep}}}`,
  'a body': (deep) => `{"id":"1","body":${deep}}`,
  'an unknown argument': (deep) => `{"id":"1","other":${deep}}`,
};

const messageOf = (given: string): string =>
  `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"putThing","arguments":${given}}}`;

interface Answer {
  readonly id: number;
  readonly error?: { readonly code: number; readonly message: string };
  readonly result?: { readonly isError?: boolean };
}

async function overHttp(message: string): Promise<Answer> {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const request = memoryRequest({ method: 'POST', path: '/mcp', headers, body: message });
  const { body } = await mcpHttp(options)(request);
  return JSON.parse(body as string) as Answer;
}

async function overStdio(message: string): Promise<Answer> {
  const [input, output] = [new PassThrough(), new PassThrough().setEncoding('utf8')];
  const server = mcpServer(options);
  await server.connect(new StdioServerTransport(input, output));
  input.write(`${message}\n`);
  const [line] = (await once(output, 'data')) as [string];
  await server.close();
  return JSON.parse(line) as Answer;
}

for (const [name, ask] of Object.entries({ HTTP: overHttp, stdio: overStdio })) {
  describe(`deep arguments over ${name}`, () => {
    for (const [place, argumentsOf] of Object.entries(ARGUMENTS)) {
      it(`are invalid parameters in ${place}`, async () => {
        for (const depth of [1001, 5_000, 200_000]) {
          expect(await ask(messageOf(argumentsOf(nested(depth)))), String(depth)).to.deep.equal({
            jsonrpc: '2.0',
            id: 7,
            error: { code: -32602, message: 'The arguments are nested too deeply' },
          });
        }
      });
    }

    it('may be nested as deeply as any document is', async () => {
      const { result } = await ask(messageOf(`{"id":"1","body":${nested(500)}}`));
      expect(result?.isError).to.equal(undefined);
    });
  });
}

describe('arguments whose schemas are any of all that there are', () => {
  it('are sent without following each way', async () => {
    const all = Array.from({ length: 40 }, (_, index) => ({ $ref: `#/components/schemas/S${index}` }));
    const named = all.map((_, index) => [
      `S${index}`,
      { anyOf: [{ type: 'integer', format: 'int64' }, ...all] },
    ]);
    const items = { type: 'array', items: all[0] };
    const operation = document.paths['/things/{id}'].post;
    const engine = mcpHttp({
      ...options,
      tools: await toolTableOf({
        ...document,
        paths: {
          '/things/{id}': {
            post: {
              ...operation,
              parameters: [operation.parameters[0], { name: 'filter', in: 'query', schema: items }],
            },
          },
        },
        components: { schemas: Object.fromEntries(named) as object },
      }),
    });
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const body = messageOf('{"id":"1","filter":["9007199254740993"]}');
    const answer = await engine(memoryRequest({ method: 'POST', path: '/mcp', headers, body }));
    expect((JSON.parse(answer.body as string) as Answer).result?.isError).to.equal(undefined);
  });
});
