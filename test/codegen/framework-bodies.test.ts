/** What frameworks write for the JSON that they send: ranges, `text/plain` and `application/*+json`; and what OpenAPI 3.0 ignores. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContractNotice } from 'concordat';
import { memoryRequest } from '@concordat/runtime';
import { expect } from 'chai';
import { generateContract, removeDirectory, temporaryPackage } from './generated-contract.js';

const body = (...mediaTypes: readonly string[]): object => ({
  content: Object.fromEntries(
    mediaTypes.map((type) => [type, { schema: { $ref: '#/components/schemas/Pet' } }]),
  ),
});
const answer = (content: object): object => ({ 200: { description: 'x', ...content } });
const NAME = { type: 'string' };
const DOCUMENT = {
  openapi: '3.0.3',
  info: { title: 'Frameworks', version: '1' },
  paths: {
    '/range': {
      get: { operationId: 'range', responses: answer(body('*/*')) },
      post: { operationId: 'rangeTaken', requestBody: body('*/*'), responses: { 204: { description: 'x' } } },
    },
    '/plain': {
      get: { operationId: 'plain', responses: answer(body('text/plain', 'application/json', 'text/json')) },
      post: {
        operationId: 'suffix',
        requestBody: body('application/json', 'text/json', 'application/*+json'),
        responses: { 204: { description: 'x' } },
      },
    },
    '/text': {
      get: { operationId: 'text', responses: answer({ content: { '*/*': { schema: NAME } } }) },
      delete: { operationId: 'never', responses: { 404: { description: 'x' } } },
    },
    '/file': {
      get: {
        operationId: 'file',
        responses: answer({ content: { 'application/json': { schema: { $ref: 'my%20pets.json' } } } }),
      },
    },
  },
  components: {
    schemas: {
      Pet: {
        type: 'object',
        required: ['id', 'named', 'wrapped', 'kind'],
        properties: {
          id: { type: 'integer', format: 'int64' },
          other: { type: 'integer', format: 'int64' },
          named: { $ref: '#/components/schemas/Name', nullable: true, description: 'It stays' },
          wrapped: { allOf: [{ $ref: '#/components/schemas/Name' }], nullable: true },
          kind: { type: 'string', nullable: true, enum: ['cat'] },
        },
      },
      Name: NAME,
    },
  },
};
const pet = { id: 1, named: 'Ada', wrapped: 'Ada', kind: 'cat' };

describe('a document of a framework', () => {
  let directory = '';
  const notices: ContractNotice[] = [];
  let send: (
    line: string,
    type?: string,
    sent?: object,
  ) => Promise<readonly [status: number, type: unknown, body: unknown]>;
  before(async () => {
    directory = await temporaryPackage();
    const openapi = join(directory, 'openapi.json');
    await writeFile(openapi, JSON.stringify(DOCUMENT));
    await writeFile(join(directory, 'my pets.json'), JSON.stringify({ type: 'array', items: NAME }));
    const { start } = await generateContract(directory, {
      openapi,
      notice: (notice) => notices.push(notice),
    });
    const taken = () => ({ status: 204 });
    const engine = start({
      operations: {
        range: () => ({ status: 200, body: pet }),
        plain: () => ({ status: 200, body: pet }),
        text: () => ({ status: 200, body: 'Ada' }),
        file: () => ({ status: 200, body: ['Ada'] }),
        never: () => ({ status: 404 }),
        rangeTaken: taken,
        suffix: taken,
      },
    });
    send = async (line, type = '', sent?) => {
      const [method = '', path = ''] = line.split(' ');
      const bytes = new TextEncoder().encode(sent === undefined ? '' : JSON.stringify(sent));
      const headers = {
        accept: type,
        ...(sent && { 'content-type': type, 'content-length': String(bytes.length) }),
      };
      const found = await engine(memoryRequest({ method, path, headers, body: bytes }));
      return [found.status, found.headers['Content-Type'], found.body];
    };
  });
  after(() => removeDirectory(directory));

  it('sends JSON for objects in ranges and text/plain, and text for texts', async () => {
    const JSON_TYPE = 'application/json';
    expect(await send('GET /range')).to.deep.equal([200, JSON_TYPE, JSON.stringify(pet)]);
    expect(await send('GET /plain', '*/*')).to.deep.equal([200, JSON_TYPE, JSON.stringify(pet)]);
    expect(await send('GET /plain', 'text/plain')).to.deep.equal([200, 'text/plain', JSON.stringify(pet)]);
    expect((await send('GET /text')).slice(2)).to.deep.equal(['Ada']);
    expect((await send('GET /file')).slice(2)).to.deep.equal(['["Ada"]']);
  });

  it('takes JSON in ranges, and each media type with the suffix that it names', async () => {
    for (const [line, type, status] of [
      ['POST /range', 'application/json', 204],
      ['POST /plain', 'application/json', 204],
      ['POST /plain', 'text/json', 204],
      ['POST /plain', 'application/vnd.shop+json', 204],
      ['POST /plain', 'application/vnd.shop+xml', 415],
      ['POST /plain', 'text/vnd.shop+json', 415],
    ] as const) {
      expect((await send(line, type, pet))[0], `${line} ${type}`).to.equal(status);
      expect((await send(line, type, { ...pet, kind: null }))[0], `${line} ${type}`).to.equal(
        status === 204 ? 400 : 415,
      );
    }
  });

  it('has a note for each thing that is not as its author may expect', () => {
    expect(notices.map(({ kind, pointer }) => `${kind} ${pointer.replaceAll('~1', '/')}`)).to.have.members([
      'body-by-schema #/paths//range/get/responses/200/content/*/*',
      'body-by-schema #/paths//range/post/requestBody/content/*/*',
      'body-by-schema #/paths//plain/get/responses/200/content/text/plain',
      'body-by-schema #/paths//text/get/responses/200/content/*/*',
      'no-success #/paths//text/delete/responses',
      'large-integer #/components/schemas/Pet/properties/id/format',
      'ignored-keyword #/components/schemas/Pet/properties/named/nullable',
      'ignored-keyword #/components/schemas/Pet/properties/wrapped/nullable',
      'ignored-keyword #/components/schemas/Pet/properties/kind/nullable',
    ]);
  });
});
