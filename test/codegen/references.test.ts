/** References by anchor, by the URI that a document gives itself, and by the names that OpenAPI 3.2 adds. */

import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GenerateOptions, ContractError, generate } from '@concordat/codegen';
import { expect } from 'chai';
import { removeDirectory } from './generated-contract.js';
import { bodyOf, documentOf, operationOf, problemsOf } from './written-contract.js';

const taking = (schema: object, others: object = {}) =>
  bodyOf('application/json', { schema }, others, '3.2.0');
const isNote = 'properties: { note: { type: "string" } }';
const note = { type: 'object', properties: { note: { type: 'string' } } };

describe('a reference', () => {
  let directory = '';
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'concordat-references-'));
  });
  afterEach(() => removeDirectory(directory));

  /** What is checked of the body, from documents by their file names; the first is the contract. */
  async function checksOf(
    documents: Readonly<Record<string, object>>,
    options: GenerateOptions = {},
  ): Promise<string | undefined> {
    const [first = ''] = Object.keys(documents);
    for (const [name, document] of Object.entries(documents)) {
      await mkdir(join(directory, name, '..'), { recursive: true });
      await writeFile(join(directory, name), JSON.stringify(document, undefined, 1));
    }
    return (await generate({ openapi: join(directory, first), ...options }))['validators.js'];
  }

  it('leads to an anchor of another file from within that file', async () => {
    const parts = { A: { properties: { b: { $ref: '#b' } } }, B: { $anchor: 'b', ...note } };
    const text = await checksOf({ 'openapi.json': taking({ $ref: 'parts.json#/A' }), 'parts.json': parts });
    expect(text).to.include(isNote);
  });

  it('is relative to the URI that its document gives itself', async () => {
    const uri = 'https://example.com/api/openapi.json';
    const contract = { ...taking({ $ref: 'schemas/note.json' }), $self: uri };
    const remotes = { 'https://example.com/api/schemas/note.json': note };
    expect(await checksOf({ 'openapi.json': contract }, { remotes })).to.include(isNote);
  });

  it('leads to a file beside its document where nothing is known of the URI', async () => {
    const contract = {
      ...taking({ $ref: 'schemas/note.json' }),
      $self: 'https://example.com/api/openapi.json',
    };
    expect(await checksOf({ 'openapi.json': contract, 'schemas/note.json': note })).to.include(isNote);
  });

  it('leads back to the contract by its URI, from another file', async () => {
    const uri = 'https://example.com/api/openapi.json';
    const contract = {
      ...taking({ $ref: 'parts.json#/A' }, { components: { schemas: { Note: note } } }),
      $self: uri,
    };
    const parts = { A: { properties: { b: { $ref: `${uri}#/components/schemas/Note` } } } };
    expect(await checksOf({ 'openapi.json': contract, 'parts.json': parts })).to.include(isNote);
  });

  it('to an anchor that is not there has its place', async () => {
    const [problem, ...others] = await problemsOf(taking({ $ref: '#nothing' }));
    expect(others).to.deep.equal([]);
    expect(problem).to.include({ fault: 'unresolved-reference', message: "Can't resolve $ref #nothing" });
  });

  it('in a mapping to a name that is none has its place', async () => {
    const schema = { oneOf: [note], discriminator: { propertyName: 'note', mapping: { a: 'Nothing' } } };
    const [problem] = await problemsOf(taking(schema));
    expect(problem).to.include({ fault: 'unresolved-reference', message: "Can't resolve $ref Nothing" });
    expect(problem?.pointer).to.match(/\/mapping\/a$/);
  });

  it('to a media type leaves its problems where they are written', async () => {
    const components = { mediaTypes: { A: { schema: { type: 'string', format: 'postcode' } } } };
    const content = { 'application/json': { $ref: '#/components/mediaTypes/A' } };
    const document = operationOf({ requestBody: { content } }, { components }, '3.2.0');
    const openapi = join(directory, 'openapi.json');
    const text = JSON.stringify(document, undefined, 1);
    await writeFile(openapi, text);
    const error: unknown = await generate({ openapi }).catch((reason: unknown) => reason);
    if (!(error instanceof ContractError)) throw new Error('it generates');
    expect(error.problems.map(({ line = 0 }) => text.split('\n')[line - 1]?.trim())).to.deep.equal([
      '"format": "postcode"',
    ]);
  });

  it('of an example to the web is not followed', async () => {
    const examples = { one: { externalValue: 'http://127.0.0.1:1/example.json' } };
    const body = { content: { 'application/json': { schema: note, examples } } };
    expect(await problemsOf(operationOf({ requestBody: body }))).to.deep.equal([]);
  });

  it('to no security scheme has its place', async () => {
    const security = [{ '#/components/securitySchemes/none': [] }];
    const [problem] = await problemsOf(operationOf({ security }, {}, '3.2.0'));
    expect(problem).to.include({ fault: 'unresolved-reference', pointer: '#/paths/~1a/post/security' });
  });

  it('to the whole contract by its URI is refused where it makes a circle', async () => {
    const problems = await problemsOf({
      ...documentOf({}, '3.2.0'),
      $self: 'https://example.com/a',
      paths: { '/a': { get: { responses: { 200: { $ref: 'https://example.com/a' } } } } },
    });
    expect(problems).to.not.deep.equal([]);
    for (const { line } of problems) expect(line).to.be.above(0);
  });
});
