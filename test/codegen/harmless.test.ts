/** Faults that change nothing that is generated are named, accepted one by one or by `lenient`, and then change nothing. */

import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ContractError, type GenerateOptions, generate } from 'concordat';
import { expect } from 'chai';
import { imported } from './checks/schemas/compiled.js';
import { removeDirectory } from './generated-contract.js';
import { documentOf, operationOf, schemaOf, textOf } from './written-contract.js';

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
  [
    'a header that repeats its name',
    operationOf({ responses: { 200: { description: 'x', headers: { A: { name: 'A', schema: {} } } } } }),
    'unexpected-field',
    `${OPERATION}/responses/200/headers/A/name`,
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
  [
    'a format that is not known',
    schemaOf({ type: 'string', format: 'postcode' }),
    'unknown-format',
    '#/components/schemas/A/format',
  ],
  [
    'an exclusive bound as a flag, from 3.1',
    schemaOf({ type: 'integer', minimum: 1, exclusiveMinimum: true }),
    'exclusive-bound',
    '#/components/schemas/A/exclusiveMinimum',
  ],
  [
    'an exclusive bound as a number, in 3.0',
    schemaOf({ type: 'integer', exclusiveMaximum: 9 }, {}, '3.0.3'),
    'exclusive-bound',
    '#/components/schemas/A/exclusiveMaximum',
  ],
  [
    'a boolean required in a schema',
    schemaOf({ type: 'object', properties: { a: { type: 'string', required: true } } }),
    'required-flag',
    '#/components/schemas/A/properties/a/required',
  ],
  [
    'a boolean required that makes nothing required',
    schemaOf({ type: 'string', required: true }),
    'required-flag',
    '#/components/schemas/A/required',
  ],
  [
    'a path parameter that nothing declares',
    documentOf({ paths: { '/a/{id}': { get: { responses: { 204: { description: 'x' } } } } } }),
    'undeclared-path-parameter',
    '#/paths/~1a~1{id}/get',
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

  /** The notes of a document, or the problems that stop it. */
  async function foundIn(document: object) {
    const found: { kind: string; pointer?: string; line?: number; message: string }[] = [];
    await generatedWith(document, { notice: (notice) => found.push(notice) }).catch((error: unknown) => {
      if (!(error instanceof ContractError)) throw error;
      found.push(...error.problems.map((each) => ({ ...each, kind: String(each.feature) })));
    });
    return found;
  }

  for (const [what, document, feature, at] of rows) {
    it(`is ${what}`, async () => {
      const found = await foundIn(document);
      expect(found.map(({ kind, pointer }) => [kind, pointer])).to.deep.equal([[feature, at]]);
      expect(found[0]?.line).to.be.above(0);
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

  /** The schema of `A`, and whether its check takes some values. */
  const repaired: readonly (readonly [
    openapi: string,
    schema: object,
    fits: readonly number[],
    not: readonly number[],
  ])[] = [
    ['3.1.0', { minimum: 1, exclusiveMinimum: true }, [2], [1, 0]],
    ['3.1.0', { maximum: 9, exclusiveMaximum: true }, [8], [9, 10]],
    ['3.1.0', { minimum: 1, exclusiveMinimum: false }, [1], [0]],
    ['3.1.0', { exclusiveMinimum: true }, [-5], []],
    ['3.0.3', { exclusiveMinimum: 1 }, [2], [1]],
    ['3.0.3', { minimum: 5, exclusiveMinimum: 1 }, [5], [4]],
    ['3.0.3', { maximum: 9, exclusiveMaximum: 3 }, [2], [3, 9]],
  ];
  for (const [openapi, schema, fits, not] of repaired) {
    it(`means what is meant by ${JSON.stringify(schema)} in ${openapi}`, async () => {
      const document = schemaOf({ type: 'integer', ...schema }, {}, openapi);
      const { 'validators.ts': js = '' } = await generatedWith(document, { accept: ['exclusive-bound'] });
      const check = Object.values(await imported(js))[0] ?? (() => true);
      expect([fits.every((value) => check(value)), not.some((value) => check(value))]).to.deep.equal([
        true,
        false,
      ]);
    });
  }

  it('says in a notice what the accepted fault means', async () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'integer', required: true, minimum: 0, exclusiveMinimum: true } },
    };
    const document = documentOf({
      paths: {
        '/a/{id}': {
          get: { responses: { 200: { description: 'x', content: { 'application/json': { schema } } } } },
        },
      },
    });
    const notices: string[] = [];
    const files = await generatedWith(document, {
      lenient: true,
      notice: ({ pointer, message }) => notices.push(`${pointer.replace(/^.*\//, '')} ${message}`),
    });
    expect(notices.map((notice) => notice.slice(0, 60))).to.deep.equal([
      'required a boolean `required` in a schema is ignored',
      'exclusiveMinimum an exclusive bound keeps its meaning from t',
      'get a path parameter that nothing declares is a required str',
    ]);
    expect(files['operations.ts']).to.match(/id: string/);
  });

  it('stops nothing where it changes nothing that a user relies on', async () => {
    const stops = async (document: object) => (await foundIn(document)).some((each) => 'feature' in each);
    const property = (required: boolean) =>
      schemaOf({ type: 'object', properties: { a: { type: 'string', required } } });
    expect(await stops(property(true)), 'a property that would be optional').to.equal(true);
    expect(await stops(property(false))).to.equal(false);
    expect(await stops(schemaOf({ type: 'string', required: true }))).to.equal(false);
    expect(await stops(operationOf({ parameter: [] })), 'a misspelt field').to.equal(true);
    for (const document of [
      documentOf({ info: {} }),
      documentOf({ info: { ...info, version: 1 } }),
      schemaOf({ type: 'string', format: 'postcode' }),
    ])
      expect(await stops(document)).to.equal(false);
  });

  it('is a fault that cannot be accepted where the path and its parameters differ by their names', async () => {
    const id = { name: 'ID', in: 'path', required: true, schema: { type: 'string' } };
    const document = documentOf({
      paths: { '/a/{id}': { get: { parameters: [id], responses: { 204: { description: 'x' } } } } },
    });
    const error: unknown = await generatedWith(document, { lenient: true }).catch(String);
    expect(error).to.include('the path has no {ID}');
  });

  it('is an unknown format once, wherever it is used', async () => {
    const document = schemaOf({
      type: 'object',
      properties: {
        a: { type: 'string', format: 'postcode' },
        b: { type: 'string', format: 'postcode' },
        c: { type: 'string', format: 'colour' },
      },
    });
    expect((await foundIn(document)).map(({ message }) => message)).to.deep.equal([
      'the format "postcode" is not known, so nothing checks it; --value postcode=Postcode gives its values a type',
      'the format "colour" is not known, so nothing checks it; --value colour=Colour gives its values a type',
    ]);
  });

  it('is named in the message, with the file and the line', async () => {
    const problem: unknown = await generatedWith(operationOf({ unknown: 1 }), {}).catch(String);
    expect(problem).to.match(
      /openapi\.json:\d+:\d+ harmless fault unexpected-field at #\/paths\/~1a\/post\/unknown: /,
    );
  });
});
