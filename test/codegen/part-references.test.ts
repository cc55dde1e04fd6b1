/** References to parts by their place, which bundled documents have: they type-check, and mean the part. */

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { memoryRequest } from '../../src/runtime/http/memory-request.js';
import { generateContract, removeDirectory, temporaryPackage } from './generated-contract.js';
import { complaints } from './strict-compiler.js';
import { documentOf } from './written-contract.js';

const note = {
  type: 'object',
  required: ['text'],
  properties: {
    text: { type: 'string', maxLength: 5 },
    more: { $ref: '#/paths/~1notes/post/requestBody/content/application~1json/schema' },
    size: { type: 'integer', default: 3 },
  },
};
const json = (schema: object) => ({ 'application/json': { schema } });
const reply = (schema: object) => ({ 200: { description: 'One', content: json(schema) } });
const POST = '#/paths/~1notes/post';
const sent = {
  post: { requestBody: { content: json(note) }, responses: { 204: { description: 'Nothing' } } },
};

/** Where a schema can be, and what it refers to there. */
const SCHEMAS: readonly string[] = [
  `${POST}/requestBody/content/application~1json/schema`,
  `${POST}/responses/200/content/application~1json/schema`,
  `${POST}/responses/200/headers/X-Note/schema`,
  `${POST}/parameters/0/schema`,
  '#/paths/~1notes/parameters/0/schema',
  `${POST}/callbacks/done/{$request.query.url}/post/requestBody/content/application~1json/schema`,
  `${POST}/callbacks/done/%7B$request.query.url%7D/post/requestBody/content/application~1json/schema`,
  '#/webhooks/added/post/requestBody/content/application~1json/schema',
  '#/components/schemas/Nested/properties/deep/items/allOf/0',
  '#/components/schemas/Nested/additionalProperties',
  '#/components/schemas/Nested/$defs/inner',
  '#/components/schemas/Nested/properties/properties/properties/example',
  '#/components/responses/Found/content/application~1json/schema',
  '#/components/responses/Found/headers/X-Note/schema',
  '#/components/parameters/Note/schema',
  '#/components/parameters/Listed/content/application~1json/schema',
  '#/components/requestBodies/Body/content/application~1json/schema',
  '#/components/headers/Header/schema',
  '#/components/callbacks/Done/{$request.query.url}/post/requestBody/content/application~1json/schema',
  '#/components/pathItems/Item/post/requestBody/content/application~1json/schema',
];

const components = {
  schemas: {
    Nested: {
      type: 'object',
      properties: {
        deep: { type: 'array', items: { allOf: [note] } },
        properties: { type: 'object', properties: { example: note } },
      },
      additionalProperties: note,
      $defs: { inner: note },
    },
    Pet: {
      oneOf: [
        { $ref: '#/components/schemas/Kinds/$defs/cat' },
        { $ref: '#/components/schemas/Kinds/$defs/dog' },
      ],
    },
    Kinds: {
      $defs: {
        cat: {
          type: 'object',
          required: ['kind'],
          properties: { kind: { const: 'cat' }, purrs: { type: 'boolean' } },
        },
        dog: {
          type: 'object',
          required: ['kind'],
          properties: { kind: { const: 'dog' }, barks: { type: 'boolean' } },
        },
      },
    },
  },
  responses: {
    Found: { description: 'One', headers: { 'X-Note': { schema: { type: 'string' } } }, content: json(note) },
  },
  parameters: {
    Note: { name: 'note', in: 'query', schema: { type: 'string', maxLength: 5 } },
    Listed: { name: 'listed', in: 'query', content: json(note) },
  },
  requestBodies: { Body: { content: json(note) } },
  headers: { Header: { schema: { type: 'integer' } } },
  callbacks: { Done: { '{$request.query.url}': sent } },
  pathItems: { Item: sent },
};

const document = documentOf({
  paths: {
    '/notes': {
      parameters: [{ name: 'tag', in: 'query', schema: { type: 'string', maxLength: 5 } }],
      post: {
        operationId: 'addNote',
        parameters: [{ name: 'url', in: 'query', schema: { type: 'string', maxLength: 5 } }],
        requestBody: { required: true, content: json(note) },
        responses: { 200: { ...reply(note)[200], headers: { 'X-Note': { schema: { type: 'string' } } } } },
        callbacks: { done: { '{$request.query.url}': sent } },
      },
    },
    '/pets': {
      post: {
        operationId: 'addPet',
        requestBody: { content: json({ $ref: '#/components/schemas/Pet' }) },
        responses: reply({}),
      },
    },
    // Every part other than a schema, by its place.
    '/parts': {
      parameters: [{ $ref: '#/paths/~1notes/parameters/0' }],
      post: {
        operationId: 'parts',
        parameters: [{ $ref: `${POST}/parameters/0` }],
        requestBody: { $ref: `${POST}/requestBody` },
        responses: {
          200: { $ref: `${POST}/responses/200` },
          201: {
            description: 'Made',
            headers: { 'X-Note': { $ref: `${POST}/responses/200/headers/X-Note` } },
          },
        },
      },
    },
    '/item': { $ref: '#/paths/~1other' },
    '/other': {
      get: { responses: reply({ $ref: `${POST}/responses/200/content/application~1json/schema` }) },
    },
    ...Object.fromEntries(
      SCHEMAS.map(($ref, index) => [
        `/schema${String(index)}`,
        {
          post: {
            operationId: `schema${String(index)}`,
            requestBody: {
              required: true,
              content: json({ type: 'object', properties: { it: { $ref } }, required: ['it'] }),
            },
            responses: reply({ $ref }),
          },
        },
      ]),
    ),
  },
  webhooks: { added: sent },
  components,
});

/** How the types are used: a property that a schema does not have would not compile. */
const USES = `import type { Operations } from './operations.js';
import type { webhooks } from './openapi.js';

export const parts: Operations['parts'] = ({ query, body }) =>
  query.tag === body.text ? { status: 200, headers: { 'X-Note': 'a' }, body: { text: query.url ?? body.more?.text ?? String(body.size + 1) } } : { status: 201, headers: {} };
export const addNote: Operations['addNote'] = ({ body }) => ({ status: 200, body: { text: body.text, more: { text: '', size: body.size } } });
export const addPet: Operations['addPet'] = ({ body }) => ({ status: 200, body: body?.kind === 'cat' ? body.purrs : body?.barks });
${SCHEMAS.map((_, index) => `export const schema${String(index)}: Operations['schema${String(index)}'] = ({ body }) => ({ status: 200, body: body.it });`).join('\n')}
export type Sent = NonNullable<webhooks['added']['post']['requestBody']>['content']['application/json']['text'];
`;

describe('a reference to a part by its place', () => {
  let home = '';
  before(async () => {
    home = await temporaryPackage();
  });
  after(() => removeDirectory(home));

  it('has the type of the part, and checks what the part says', async () => {
    await writeFile(join(home, 'openapi.json'), JSON.stringify(document));
    const out = join(home, 'generated');
    await mkdir(out);
    const { start } = await generateContract(out, { openapi: join(home, 'openapi.json'), clientTypes: true });
    await writeFile(join(out, 'uses.ts'), USES);
    expect(complaints(home, ['generated/uses.ts', 'generated/starter.ts'])).to.deep.equal([]);

    const ids = [
      'addNote',
      'addPet',
      'parts',
      'getOther',
      ...SCHEMAS.map((_, index) => `schema${String(index)}`),
    ];
    const engine = start({
      // The operations declare no 400.
      report: () => undefined,
      operations: {
        ...Object.fromEntries(
          ids.map((id) => [
            id,
            ({ body }: { body?: { it?: unknown } }) => ({ status: 200, body: body?.it ?? { text: 'a' } }),
          ]),
        ),
        getItem: () => ({ status: 200, body: { text: 'a' } }),
      },
    });
    const statusOf = async (path: string, sent: object): Promise<number> => {
      const [before = '', query = ''] = path.split('?');
      const headers = { 'content-type': 'application/json' };
      return (
        await engine(
          memoryRequest({ method: 'POST', path: before, query, headers, body: JSON.stringify(sent) }),
        )
      ).status;
    };
    for (const [index, reference] of SCHEMAS.entries()) {
      const { good, bad } = /Header\/schema$/.test(reference)
        ? { good: 1, bad: 'a' }
        : /(?:X-Note|Note|0)\/schema$/.test(reference)
          ? { good: 'a', bad: 1 }
          : { good: { text: 'a', more: { text: 'b' } }, bad: { text: 'a', more: { text: 'too long' } } };
      const path = `/schema${String(index)}`;
      expect(
        [await statusOf(path, { it: good }), await statusOf(path, { it: bad })],
        reference,
      ).to.deep.equal([200, 400]);
    }
    const statuses = [
      await statusOf('/parts?tag=a&url=b', { text: 'a' }),
      await statusOf('/parts?tag=too+long', { text: 'a' }),
      await statusOf('/parts?url=too+long', { text: 'a' }),
      await statusOf('/parts', { text: 'too long' }),
      await statusOf('/pets', { kind: 'cat', purrs: 1 }),
    ];
    expect(statuses).to.deep.equal([200, 400, 400, 400, 400]);
  });
});
