/** The README's example of typed values, generated, compiled and served. */

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { after, before } from 'mocha';
import { type ConcordatConfig, type CodegenOptions, generate } from 'concordat';
import { type RestContract, memoryRequest, restEngine } from '@concordat/runtime';
import { removeDirectory, temporaryPackage } from '../codegen/generated-contract.js';
import { complaints } from '../codegen/strict-compiler.js';
import { block } from './readme-blocks.js';

const PAYMENT = {
  type: 'object',
  required: ['amount', 'at'],
  properties: {
    account: { type: 'integer', format: 'int64' },
    amount: { type: 'string', format: 'decimal' },
    at: { type: 'string', format: 'date-time' },
    receipt: { type: 'string', format: 'byte' },
  },
};
const content = { 'application/json': { schema: PAYMENT } };
const post = {
  operationId: 'pay',
  parameters: [{ name: 'account', in: 'path', required: true, schema: { type: 'integer', format: 'int64' } }],
  requestBody: { required: true, content },
  responses: { 200: { description: 'Paid.', content } },
};
const document = {
  openapi: '3.1.0',
  info: { title: 'Payments', version: '1.0.0' },
  paths: { '/accounts/{account}/payments': { post } },
};

describe("README: types for a format's values", () => {
  let directory = '';
  const load = async <Module>(name: string): Promise<Module> =>
    (await import(pathToFileURL(join(directory, name)).href)) as Module;

  before(async () => {
    directory = await temporaryPackage();
    for (const name of ['values.codegen.ts', 'decimals.ts', 'payments.ts'] as const) {
      await writeFile(join(directory, name), block(name));
    }
    await writeFile(join(directory, 'openapi.yaml'), JSON.stringify(document));
    const { default: config } = await load<{ readonly default: ConcordatConfig }>('values.codegen.ts');
    const { out, ...options } = config.concordat as CodegenOptions;
    const files = await generate({ ...options, openapi: join(directory, options.openapi ?? '') });
    await mkdir(join(directory, out));
    for (const [name, text] of Object.entries(files)) await writeFile(join(directory, out, name), text);
  });

  after(() => removeDirectory(directory));

  it('compiles', () => {
    expect(complaints(directory, ['payments.ts', 'generated/routing.ts'])).to.deep.equal([]);
  });

  it('serves amounts, moments and account numbers exactly', async () => {
    const { contract } = await load<{ readonly contract: RestContract }>('generated/routing.ts');
    const operations = await load<{ readonly pay: () => unknown }>('payments.ts');
    const engine = restEngine({
      contract,
      operations,
      security: {},
      anonymous: undefined,
      report: console.error,
    });
    const send = async (amount: string): Promise<readonly unknown[]> => {
      const body = JSON.stringify({ amount, at: '2024-01-01T12:00:00+00:00' });
      const headers = { 'content-type': 'application/json', 'content-length': String(body.length) };
      const path = '/accounts/9007199254740993/payments';
      const response = await engine(
        memoryRequest({ method: 'POST', path, headers, body: Buffer.from(body) }),
      );
      return [response.status, response.body];
    };
    expect(await send('12.50')).to.deep.equal([
      200,
      '{"account":9007199254740993,"amount":"25.00","at":"2024-01-01T12:00:01.000Z"}',
    ]);
    expect((await send('x')).at(0)).to.equal(400);
  });
});

describe('README: models of a schema', () => {
  let directory = '';

  before(async () => {
    directory = await temporaryPackage();
    const greeting = {
      type: 'object',
      required: ['id', 'at'],
      properties: { id: { type: 'string', readOnly: true }, at: { type: 'string', format: 'date-time' } },
    };
    const openapi = { ...document, paths: {}, components: { schemas: { Greeting: greeting } } };
    const schema = `scalar DateTime
type Greeting { id: ID!, at: DateTime!, author: Author! }
type Author { name: String! }
type Query { greeting: Greeting }
type Subscription { noted: Note! }
type Note { id: ID!, text: String! }
`;
    const resolvers = `import type { Resolvers } from '../generated/graphql.js';
import { noted } from '../noted.js';
declare const DateTime: Resolvers['DateTime'];
export const resolvers: Resolvers = {
  DateTime,
  Query: { greeting: () => ({ id: '1', at: new Date() }) },
  Greeting: { author: ({ at }) => ({ first: at.toISOString() }) },
  Author: { name: ({ first }) => first },
  Subscription: { noted },
};
`;
    const files = {
      'openapi.yaml': JSON.stringify(openapi),
      'schema.graphql': schema,
      'models.codegen.ts': block('models.codegen.ts'),
      'noted.ts': block('noted.ts'),
      'src/authors.ts': 'export interface AuthorRecord { readonly first: string }\n',
      'src/resolvers.ts': resolvers,
    };
    await mkdir(join(directory, 'src'));
    for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
    const module = pathToFileURL(join(directory, 'models.codegen.ts')).href;
    const { default: config } = (await import(module)) as { readonly default: ConcordatConfig };
    const { out, openapi: from = '', schema: sdl = '', ...options } = config.concordat as CodegenOptions;
    const written = await generate({
      ...options,
      openapi: join(directory, from),
      schema: join(directory, String(sdl)),
    });
    await mkdir(join(directory, out));
    for (const [name, text] of Object.entries(written)) await writeFile(join(directory, out, name), text);
  });

  after(() => removeDirectory(directory));

  it('compiles', () => {
    expect(complaints(directory, ['src/resolvers.ts', 'generated/graphql.ts'])).to.deep.equal([]);
  });
});
