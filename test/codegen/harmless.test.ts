/** Faults that change nothing that is generated are named, accepted one by one or by `lenient`, and then change nothing. */

import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GenerateOptions, generate } from '@concordat/codegen';
import { expect } from 'chai';
import { removeDirectory } from './generated-contract.js';
import { documentOf, operationOf, problemsOf, schemaOf, textOf } from './written-contract.js';

const OPERATION = '#/paths/~1a/post';
const info = { title: 'x', version: '1' };

const rows: readonly (readonly [what: string, document: object, feature: string, at: string])[] = [
  ['an info without title', documentOf({ info: { version: '1' } }), 'missing-documentation', '#/info'],
  ['a document without info', documentOf({ info: undefined }), 'missing-documentation', '#'],
  [
    'a version that is a number',
    documentOf({ info: { ...info, version: 1 } }),
    'invalid-documentation',
    '#/info/version',
  ],
  [
    'a title that is null',
    documentOf({ info: { ...info, title: null } }),
    'invalid-documentation',
    '#/info/title',
  ],
  [
    'a response without description',
    operationOf({ responses: { 200: {} } }),
    'missing-documentation',
    `${OPERATION}/responses/200`,
  ],
  [
    'a response whose description is a number',
    operationOf({ responses: { 200: { description: 5 } } }),
    'invalid-documentation',
    `${OPERATION}/responses/200/description`,
  ],
  [
    'external documentation with a null description',
    operationOf({ externalDocs: { url: 'https://example.com', description: null } }),
    'invalid-documentation',
    `${OPERATION}/externalDocs/description`,
  ],
  [
    'external documentation without a url',
    documentOf({ externalDocs: { description: 'x' } }),
    'missing-documentation',
    '#/externalDocs',
  ],
  ['a tag without a name', documentOf({ tags: [{ description: 'x' }] }), 'missing-documentation', '#/tags/0'],
  [
    'a tag of an operation that is a number',
    operationOf({ tags: [5] }),
    'invalid-documentation',
    `${OPERATION}/tags/0`,
  ],
  ['a summary that is null', operationOf({ summary: null }), 'invalid-documentation', `${OPERATION}/summary`],
  [
    'a description that is a list',
    operationOf({ description: ['x'] }),
    'invalid-documentation',
    `${OPERATION}/description`,
  ],
  [
    'a schema with a numeric title',
    schemaOf({ title: 5 }),
    'invalid-documentation',
    '#/components/schemas/A/title',
  ],
  [
    'a schema with a null description',
    schemaOf({ description: null }),
    'invalid-documentation',
    '#/components/schemas/A/description',
  ],
  ['a field that is not known', operationOf({ unknown: 1 }), 'unexpected-field', `${OPERATION}/unknown`],
  [
    'examples of both kinds',
    operationOf(
      { parameters: [{ name: 'p', in: 'query', schema: {}, example: 1, examples: { one: { value: 1 } } }] },
      {},
      '3.2.0',
    ),
    'invalid-documentation',
    `${OPERATION}/parameters/0/examples`,
  ],
  [
    'a tag in a tag that is not there',
    documentOf({ tags: [{ name: 'a', parent: 'b' }] }, '3.2.0'),
    'invalid-documentation',
    '#/tags/0/parent',
  ],
];

describe('a harmless fault', () => {
  let directory = '';
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'concordat-harmless-'));
  });
  after(() => removeDirectory(directory));

  async function generatedWith(
    document: object,
    options: GenerateOptions,
  ): Promise<Readonly<Record<string, string>>> {
    const openapi = join(directory, 'openapi.json');
    await writeFile(openapi, textOf(document));
    return generate({ openapi, ...options });
  }

  for (const [what, document, feature, at] of rows) {
    it(`is ${what}`, async () => {
      const problems = await problemsOf(document);
      expect(problems.map((problem) => [problem.feature, problem.pointer])).to.deep.equal([[feature, at]]);
      expect(problems[0]?.line).to.be.above(0);
      const accepted = await generatedWith(document, { accept: [`${feature} at ${at}`] });
      expect(await generatedWith(document, { lenient: true })).to.deep.equal(accepted);
      expect(accepted['routing.ts']).to.include('export const contract');
    });
  }

  const harmful: readonly (readonly [what: string, document: object])[] = [
    [
      'a schema that is named like a field of documentation',
      documentOf({ components: { schemas: { description: 5 } } }),
    ],
    ['a path without its slash', documentOf({ paths: { a: {} } })],
    ['a status that is none', operationOf({ responses: { OK: { description: 'x' } } })],
    ['a parameter without a name', operationOf({ parameters: [{ in: 'query', schema: {} }] })],
  ];
  for (const [what, document] of harmful) {
    it(`is not ${what}, which lenient leaves a fault`, async () => {
      const error: unknown = await generatedWith(document, { lenient: true }).catch(
        (reason: unknown) => reason,
      );
      expect(error).to.have.nested.property('problems[0].fault');
    });
  }

  it('is named in the message, with the file and the line', async () => {
    const problem: unknown = await generatedWith(documentOf({ info: { title: 'x' } }), {}).catch(String);
    expect(problem).to.match(/openapi\.json:3:2 harmless fault missing-documentation at #\/info: /);
  });
});
