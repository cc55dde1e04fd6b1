/** The bundle of a client of a service, as a page gets it: small, and without a module of Node or code that only servers need. */

import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { bundleOf, largestParts } from '../support/bundle.js';
import { useConsumers } from './consumer.js';
import { installed } from './installed-packages.js';
import { block } from './readme-blocks.js';

const KILOBYTE = 1000;

const thing = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string', maxLength: 80 }, tags: { type: 'array', items: { type: 'string' } } },
};
const body = (schema: object) => ({ content: { 'application/json': { schema } } });
const answer = (schema: object) => ({ description: 'Done.', ...body(schema) });
const Thing = { $ref: '#/components/schemas/Thing' };
const refused = { '400': answer({ type: 'object', properties: { error: { type: 'string' } } }) };
const id = { in: 'path', name: 'id', required: true, schema: { type: 'string' } };
const page = { in: 'query', name: 'page', schema: { type: 'integer', minimum: 1 } };

/** Five operations on each of two kinds of things. */
const document = {
  openapi: '3.1.0',
  info: { title: 'Things', version: '1' },
  security: [{ token: [] }],
  paths: Object.fromEntries(
    ['books', 'shelves'].flatMap((kind) => [
      [
        `/${kind}`,
        {
          get: {
            parameters: [page],
            responses: { '200': answer({ type: 'array', items: Thing }), ...refused },
          },
          post: { requestBody: body(Thing), responses: { '201': answer(Thing), ...refused } },
        },
      ],
      [
        `/${kind}/{id}`,
        {
          parameters: [id],
          get: { responses: { '200': answer(Thing), ...refused } },
          put: { requestBody: body(Thing), responses: { '200': answer(Thing), ...refused } },
          delete: { responses: { '204': { description: 'Done.' }, ...refused } },
        },
      ],
    ]),
  ) as object,
  components: {
    schemas: { Thing: thing },
    securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
  },
};

const GENERATED = `
  import { contract } from './generated/routing.js';
  import * as responseChecks from './generated/response-validators.js';
`;

describe('the bundle of a client of a service', () => {
  const consumerWith = useConsumers();

  it('has at most 12 kB, compressed, beside the generated code of ten operations, and imports nothing', async () => {
    const team = consumerWith(installed(block('install the runtime')).flatMap(({ names }) => names));
    team.write('openapi.json', JSON.stringify(document));
    const { status, stderr } = team.node(
      'node_modules/.bin/concordat',
      'generate',
      '--openapi',
      'openapi.json',
    );
    expect(status, stderr).to.equal(0);
    const generated = await bundleOf(`${GENERATED} export { contract, responseChecks };`, team.directory);
    const bundle = await bundleOf(
      `import { restClient } from '@concordat/runtime/client';
      ${GENERATED}
      export const client = (baseUrl, token) => restClient({ contract, responseChecks, baseUrl, credentials: { token } });`,
      team.directory,
    );
    const size = gzipSync(bundle.text).length - gzipSync(generated.text).length;
    expect(size, largestParts(bundle)).to.be.within(8 * KILOBYTE, 12 * KILOBYTE);
    expect(Object.values(bundle.metafile.outputs).flatMap(({ imports }) => imports)).to.deep.equal([]);
    // A class of the engine, its negotiation, and the codecs of forms and streams.
    expect(bundle.text).to.not.match(/WWW-Authenticate|is not acceptable|multipart\/form-data/);

    team.write('client.js', bundle.text);
    const { stdout, stderr: faults } = team.run(`
      import { client } from './client.js';
      const baseUrl = 'https://example.com/v1';
      globalThis.fetch = async (url, { headers }) => {
        console.log(url.href, headers.get('authorization'));
        return new Response('[{"name":7}]', { headers: { 'Content-Type': 'application/json' } });
      };
      await client(baseUrl, 'secret').getBooks({ query: { page: 2 } }).catch(({ message }) => console.log(message));
    `);
    expect(stdout, faults).to.equal(
      'https://example.com/v1/books?page=2 Bearer secret\n' +
        'getBooks was answered 200 against the contract: body/0/name must be string\n',
    );
  });
});
