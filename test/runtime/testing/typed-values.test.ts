/** Values with types of their own are sent as the contract encodes them: what is made for a handler reaches it. */

import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { RestContract, RestEngine } from '@concordat/runtime';
import { arbitraryOf } from '@concordat/tools/fast-check';
import { testClient } from '@concordat/runtime/testing';
import fc from 'fast-check';
import { generateContract, removeDirectory, temporaryPackage } from '../../codegen/generated-contract.js';

const moment = { type: 'string', format: 'date-time' };
const price = { type: 'string', format: 'decimal', pattern: String.raw`^(0|[1-9]\d{0,5})\.\d\d$` };
const count = { type: 'integer', format: 'int64' };
const things = {
  type: 'object',
  required: ['at', 'price'],
  properties: {
    at: moment,
    price,
    counts: { type: 'array', items: count },
    picture: { type: 'string', format: 'byte' },
  },
};
const fields = {
  type: 'object',
  required: ['at'],
  properties: { at: moment, price, days: { type: 'array', items: moment } },
};
const parameter = (where: string, name: string, schema: object) => ({ in: where, name, schema });
const answered = { responses: { '204': { description: 'Done.' } } };

const document = {
  openapi: '3.1.0',
  info: { title: 'Values', version: '1' },
  paths: {
    '/things/{id}': {
      put: {
        operationId: 'putThing',
        parameters: [
          { ...parameter('path', 'id', count), required: true },
          parameter('query', 'since', moment),
          parameter('query', 'prices', { type: 'array', items: price }),
          { in: 'query', name: 'filter', content: { 'application/json': { schema: things } } },
          parameter('header', 'X-Price', price),
          parameter('cookie', 'seen', moment),
        ],
        requestBody: { required: true, content: { 'application/json': { schema: things } } },
        ...answered,
      },
      post: {
        operationId: 'postThing',
        parameters: [{ ...parameter('path', 'id', moment), required: true }],
        requestBody: {
          required: true,
          content: {
            'application/x-www-form-urlencoded': { schema: fields },
            'multipart/form-data': { schema: fields },
          },
        },
        ...answered,
      },
    },
  },
};

describe('testClient, with values of types of their own', () => {
  let directory = '';
  let engine: RestEngine<string>;
  let contract: RestContract;
  let given: unknown;

  before(async () => {
    directory = await temporaryPackage();
    const money = fileURLToPath(new URL('../../fixtures/values/money.ts', import.meta.url));
    await copyFile(money, join(directory, 'money.ts'));
    const openapi = join(directory, 'openapi.json');
    await writeFile(openapi, JSON.stringify(document));
    const generated = await generateContract(directory, {
      openapi,
      values: {
        'date-time': 'Date',
        int64: 'bigint',
        byte: 'Uint8Array',
        decimal: { type: 'Money', from: './money.js', decode: 'readMoney', encode: 'writeMoney' },
      },
    });
    contract = generated.contract;
    const handler = (request: unknown): unknown => {
      given = request;
      return { status: 204 };
    };
    engine = generated.start({
      operations: Object.fromEntries(Object.keys(contract.operations).map((id) => [id, handler])),
      report: () => undefined,
    });
  });
  after(() => removeDirectory(directory));

  for (const id of ['putThing', 'postThing']) {
    it(`sends what arbitraryOf makes for ${id}, as its handler gets it`, async () => {
      const client: object = testClient(engine, contract);
      const call = client[id as keyof typeof client] as (sent: unknown) => Promise<unknown>;
      await fc.assert(
        fc.asyncProperty(arbitraryOf(contract, id), async (sent) => {
          given = undefined;
          const outcome = await call(sent).then(() => 'answered', String);
          expect(given, outcome).to.be.an('object');
          for (const [part, value] of Object.entries(sent)) expect(given).to.have.deep.property(part, value);
        }),
        { numRuns: 100, seed: 1 },
      );
    });
  }
});
