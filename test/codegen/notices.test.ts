/** Generation names the declared error responses that do not take what the engine answers when it refuses a request. */

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ContractNotice, type GenerateOptions, generate } from 'concordat';
import { expect } from 'chai';
import { documentOf, textOf } from './written-contract.js';

const json = (schema: object, mediaType = 'application/json') => ({
  description: 'x',
  content: { [mediaType]: { schema } },
});
const ownShape = { type: 'object', required: ['error'], properties: { error: { type: 'string' } } };
const strictDetails = {
  type: 'object',
  additionalProperties: false,
  required: ['title', 'status'],
  properties: Object.fromEntries(['type', 'title', 'status', 'detail'].map((name) => [name, {}])),
};
const PROBLEM = 'application/problem+json';
const body = { content: { 'application/json': { schema: { type: 'object' } } } };
const parameters = [{ name: 'p', in: 'query', schema: { type: 'integer' } }];
const ok = { 204: { description: 'Done' } };

const DOCUMENT = documentOf({
  paths: {
    '/a': {
      get: {
        operationId: 'a',
        parameters,
        responses: { ...ok, 400: { $ref: '#/components/responses/Bad' } },
      },
      post: {
        operationId: 'b',
        requestBody: body,
        responses: { ...ok, 400: { $ref: '#/components/responses/Bad' } },
      },
      put: { operationId: 'c', requestBody: body, responses: { ...ok, '4XX': json(strictDetails, PROBLEM) } },
      patch: {
        operationId: 'd',
        requestBody: body,
        responses: { ...ok, default: json({}, 'application/*') },
      },
      // Nothing that the engine could refuse, and nothing that is declared.
      delete: { operationId: 'e', responses: { ...ok, 400: json(ownShape) } },
      options: { operationId: 'f', parameters, responses: ok },
    },
    '/b': {
      get: { operationId: 'g', security: [{ key: [] }], responses: { ...ok, 401: { description: 'x' } } },
      put: { operationId: 'h', security: [{}, { key: [] }], responses: { ...ok, 401: { description: 'x' } } },
    },
  },
  components: {
    responses: { Bad: json(ownShape) },
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
  },
});

async function noticesOf(options: Partial<GenerateOptions> = {}): Promise<readonly ContractNotice[]> {
  const directory = await mkdtemp(join(tmpdir(), 'concordat-notices-'));
  try {
    const openapi = join(directory, 'openapi.json');
    await writeFile(openapi, textOf(DOCUMENT));
    const notices: ContractNotice[] = [];
    await generate({ openapi, notice: (notice) => notices.push(notice), ...options });
    return notices;
  } finally {
    await rm(directory, { recursive: true });
  }
}

const summaryOf = ({ pointer, message }: ContractNotice): string =>
  `${pointer} ${message.split(':')[0] ?? ''}`;

describe('the notices of generation', () => {
  it('name each declared response that does not take problem details, with its operations', async () => {
    const notices = await noticesOf();
    expect(notices.map(summaryOf)).to.have.members([
      `#/components/responses/Bad does not accept the ${PROBLEM} that the engine sends with 400, of a, b`,
      `#/paths/~1a/put/responses/4XX does not accept the ${PROBLEM} that the engine sends with 400, of c`,
      `#/paths/~1b/get/responses/401 does not accept the ${PROBLEM} that the engine sends with 401, of g`,
    ]);
    for (const { file, line, column } of notices) {
      expect(file).to.match(/openapi\.json$/);
      expect([line, column].every((number) => number > 1)).to.equal(true);
    }
  });

  it('count the operations of an installed package, which the author of an overlay does not know', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'concordat-notices-'));
    try {
      await mkdir(join(directory, 'node_modules/base'), { recursive: true });
      await writeFile(join(directory, 'node_modules/base/openapi.json'), textOf(DOCUMENT));
      const own = {
        operationId: 'mine',
        parameters,
        responses: { ...ok, 400: { $ref: '#/components/responses/Bad' } },
      };
      const overlay = {
        overlay: '1.0.0',
        info: { title: 'Own', version: '1' },
        extends: 'node_modules/base/openapi.json',
        actions: [{ target: '$.paths', update: { '/own': { get: own } } }],
      };
      const openapi = join(directory, 'overlay.json');
      await writeFile(openapi, JSON.stringify(overlay));
      const notices: ContractNotice[] = [];
      await generate({ openapi, notice: (notice) => notices.push(notice) });
      const message = `does not accept the ${PROBLEM} that the engine sends with`;
      expect(notices.map(summaryOf), JSON.stringify(notices)).to.include.members([
        `#/components/responses/Bad ${message} 400, of mine and 2 operations of installed packages`,
        `#/paths/~1b/get/responses/401 ${message} 401, of 1 operation of installed packages`,
      ]);
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it('are about the problems of the service, where the generator knows an example of them', async () => {
    const notices = await noticesOf({ problems: { 'application/json': { error: 'no' } } });
    expect(notices.map(summaryOf).join('\n')).to.not.include('responses/Bad');
    const wrong = await noticesOf({ problems: { 'application/json': { error: 7 } } });
    expect(wrong.map(summaryOf).join('\n')).to.include('responses/Bad does not accept the application/json');
  });
});
