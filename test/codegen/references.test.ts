/** References by anchor, by the URI that a document gives itself, and by the names that OpenAPI 3.2 adds. */

import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GenerateOptions, ContractError, generate } from 'concordat';
import { expect } from 'chai';
import { removeDirectory } from './generated-contract.js';
import { imported } from './checks/schemas/compiled.js';
import { complaints } from './strict-compiler.js';
import { bodyOf, documentOf, operationOf, problemsOf, textOf } from './written-contract.js';
import { memoryRequest } from '@concordat/runtime';
import { diffContract } from '../../src/tools/diff/diff.js';
import { mockHandler } from '../../src/tools/mock/mock-handlers.js';

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
    return (await generate({ openapi: join(directory, first), ...options }))['validators.ts'];
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
    const components = { mediaTypes: { A: { schema: { type: 'string', minLenght: 1 } } } };
    const content = { 'application/json': { $ref: '#/components/mediaTypes/A' } };
    const document = operationOf({ requestBody: { content } }, { components }, '3.2.0');
    const openapi = join(directory, 'openapi.json');
    const text = JSON.stringify(document, undefined, 1);
    await writeFile(openapi, text);
    const error: unknown = await generate({ openapi }).catch((reason: unknown) => reason);
    if (!(error instanceof ContractError)) throw new Error('it generates');
    expect(error.problems.map(({ line = 0 }) => text.split('\n')[line - 1]?.trim())).to.deep.equal([
      '"minLenght": 1',
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
    expect(problem).to.include({ feature: 'undeclared-security', pointer: '#/paths/~1a/post/security' });
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

describe('the references of a schema', () => {
  let directory = '';
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'concordat-schemas-'));
  });
  afterEach(() => removeDirectory(directory));

  /** Whether the body of the contract takes each value; the first document is the contract. */
  async function verdicts(
    documents: Readonly<Record<string, object>>,
    values: readonly unknown[],
    options: GenerateOptions = {},
  ): Promise<readonly boolean[]> {
    const [first = ''] = Object.keys(documents);
    for (const [name, document] of Object.entries(documents))
      await writeFile(join(directory, name), JSON.stringify(document, undefined, 1));
    const files = await generate({ openapi: join(directory, first), ...options });
    await writeFile(join(directory, 'openapi.ts'), files['openapi.ts'] ?? '');
    expect(complaints(directory, ['openapi.ts'])).to.deep.equal([]);
    const [check] = Object.values(await imported(files['validators.ts'] ?? '', files['shared-checks.ts']));
    return values.map((value) => check?.(value) ?? true);
  }

  const schemas = (parts: object) =>
    taking({ $ref: '#/components/schemas/A' }, { components: { schemas: parts } });

  it('lead to the `$id` of another component, relative to their own', async () => {
    const contract = schemas({
      A: { $id: 'https://example.com/a', properties: { next: { $ref: 'b#/$defs/text' } } },
      B: { $id: 'https://example.com/b', $defs: { text: { type: 'string' } } },
    });
    expect(await verdicts({ 'openapi.json': contract }, [{ next: 'x' }, { next: 1 }])).to.deep.equal([
      true,
      false,
    ]);
  });

  it('lead to the `$id` of a schema in another file, which is not fetched', async () => {
    const contract = schemas({
      A: { properties: { b: { $ref: 'https://schemas.invalid/b' }, c: { $ref: 'parts.json' } } },
    });
    const parts = { $defs: { b: { $id: 'https://schemas.invalid/b', type: 'string' } } };
    const values = [{ b: 'x', c: 1 }, { b: 1 }];
    expect(await verdicts({ 'openapi.json': contract, 'parts.json': parts }, values)).to.deep.equal([
      true,
      false,
    ]);
  });

  it('lead to a file that lies where the `$id` around them says', async () => {
    const contract = schemas({ A: { $id: 'parts/a.json', properties: { b: { $ref: '../b.json' } } } });
    const values = [{ b: 'x' }, { b: 1 }];
    const documents = { 'openapi.json': contract, 'b.json': { type: 'string' } };
    expect(await verdicts(documents, values)).to.deep.equal([true, false]);
  });

  it('lead back from a given document to a component by its URN', async () => {
    const contract = schemas({
      A: { properties: { list: { $ref: 'urn:example:list' } } },
      Text: { $id: 'urn:example:text', type: 'string' },
    });
    const remotes = { 'urn:example:list': { type: 'array', items: { $ref: 'urn:example:text' } } };
    const values = [{ list: ['x'] }, { list: [1] }];
    expect(await verdicts({ 'openapi.json': contract }, values, { remotes })).to.deep.equal([true, false]);
  });

  it('lead to the outermost dynamic anchor, through a given document', async () => {
    const contract = schemas({
      A: {
        $id: 'https://example.com/texts',
        $ref: 'urn:example:list#/$defs/list',
        $defs: { item: { $dynamicAnchor: 'item', type: 'string' } },
      },
    });
    const list = { type: 'array', items: { $dynamicRef: '#item' } };
    const remotes = { 'urn:example:list': { $defs: { list, any: { $dynamicAnchor: 'item' } } } };
    expect(await verdicts({ 'openapi.json': contract }, [['x'], [1]], { remotes })).to.deep.equal([
      true,
      false,
    ]);
  });

  it('are without the keywords that the meta-schema of their dialect leaves out', async () => {
    const vocab = 'https://json-schema.org/draft/2020-12/vocab';
    const $schema = 'https://example.com/dialect';
    const contract = {
      ...schemas({ A: { properties: { a: { type: 'string' } } } }),
      jsonSchemaDialect: $schema,
    };
    const $vocabulary = { [`${vocab}/core`]: true, [`${vocab}/applicator`]: true };
    const remotes = { [$schema]: { $id: $schema, $vocabulary } };
    expect(await verdicts({ 'openapi.json': contract }, [{ a: 1 }], { remotes })).to.deep.equal([true]);
  });

  it('have types where they lead into schemas, and values have no `$defs`', async () => {
    const contract = schemas({
      A: {
        type: 'object',
        required: ['list', 'text'],
        properties: {
          list: { type: 'array', items: { $ref: '#/components/schemas/A/$defs/item~1s' } },
          text: { $ref: '#/components/schemas/A/$defs/yes' },
        },
        $defs: { 'item/s': { type: 'integer' }, yes: true },
      },
    });
    await verdicts({ 'openapi.json': contract }, []);
    const types = await readFile(join(directory, 'openapi.ts'), 'utf8');
    expect(types)
      .to.include('list: AItemS[];')
      .and.include('type AItemS = number;')
      .and.not.include('$defs:');
  });

  it('have types where a property leads to a dynamic anchor of a body', async () => {
    const schema = {
      type: 'object',
      required: ['id', 'text'],
      properties: { id: { $dynamicRef: '#id' }, text: { type: 'string' } },
      $defs: { id: { $dynamicAnchor: 'id', type: 'integer', readOnly: true } },
    };
    await verdicts({ 'openapi.json': taking(schema) }, []);
    const types = await readFile(join(directory, 'openapi.ts'), 'utf8');
    expect(types).to.match(/type ABody = \{\s*text: string;\s*\}/);
  });

  it('lead to a part of another file whose name needs escapes', async () => {
    const $ref = 'parts.json#/$defs/a~1b%25c';
    const parts = { $defs: { 'a/b%c': { type: 'string' } } };
    const documents = { 'openapi.json': schemas({ A: { $ref, title: 'A' } }), 'parts.json': parts };
    expect(await verdicts(documents, ['x', 1])).to.deep.equal([true, false]);
  });

  for (const name of ['a%2Fb', 'a%41', 'a~1b', 'a~0b', '%'])
    it(`lead to a part of another file that a component has under its name, ${name}`, async () => {
      const pointer = `#/schemas/${encodeURIComponent(name.replaceAll('~', '~0'))}`;
      const parts = { schemas: { [name]: { type: 'string' }, A: { allOf: [{ $ref: pointer }] } } };
      const documents = {
        'openapi.json': schemas({
          [name]: { $ref: `parts.json${pointer}` },
          A: { $ref: 'parts.json#/schemas/A' },
        }),
        'parts.json': parts,
      };
      expect(await verdicts(documents, ['x', 1])).to.deep.equal([true, false]);
    });

  const problems: readonly (readonly [what: string, parts: object, message: string])[] = [
    [
      'to a name that several schemas have',
      { A: { $ref: '#twice' }, B: { $anchor: 'twice' }, C: { $anchor: 'twice' } },
      '$ref #twice: several schemas have this anchor',
    ],
    [
      'to a URI that several schemas have',
      { A: { $ref: 'urn:a:b' }, B: { $id: 'urn:a:b' }, C: { $id: 'urn:a:b' } },
      '$ref urn:a:b: several schemas have this $id',
    ],
    [
      'that is dynamic and leads nowhere',
      { A: { $dynamicRef: '#none' } },
      '$dynamicRef #none: the reference has no target',
    ],
    [
      'into the document from a schema with its own URI',
      { A: { $id: 'urn:a:a', $ref: '#/components/schemas/B' }, B: {} },
      "Can't resolve $ref #/components/schemas/B",
    ],
    [
      'to an anchor of another resource',
      { A: { $id: 'urn:a:a', properties: { a: { $ref: '#b' } } }, B: { $anchor: 'b' } },
      "Can't resolve $ref #b",
    ],
  ];
  for (const [what, parts, message] of problems) {
    it(`are refused with their place: one ${what}`, async () => {
      const found = await problemsOf(schemas(parts));
      expect(found.map((each) => each.message)).to.include(message);
      for (const { fault, pointer = '', line = 0 } of found) {
        expect(fault).to.equal('unresolved-reference');
        expect(line).to.be.above(1);
        expect(pointer).to.match(/^#\/(?:components\/schemas\/A|paths)/);
      }
    });
  }

  it('are relative to their document in OpenAPI 3.0, where `$id` is no keyword', async () => {
    const parts = {
      A: { $id: 'https://example.com/a', allOf: [{ $ref: '#/components/schemas/B' }] },
      B: note,
    };
    const contract = { ...schemas(parts), openapi: '3.0.3' };
    const accept = ['unknown-keyword'];
    const values = [{ note: 'x' }, { note: 1 }];
    expect(await verdicts({ 'openapi.json': contract }, values, { accept })).to.deep.equal([true, false]);
  });

  it('are followed through dynamic anchors by mocks and by diff', async () => {
    const contractOf = (type: string) => {
      const list = { $id: 'urn:a:list', type: 'array', minItems: 1, items: { $dynamicRef: '#item' } };
      const $defs = {
        item: { $dynamicAnchor: 'item', type },
        list: { ...list, $defs: { any: { $dynamicAnchor: 'item' } } },
      };
      const content = { 'application/json': { schema: { $id: 'urn:a:texts', $ref: 'urn:a:list', $defs } } };
      const responses = { 200: { description: 'A list', content } };
      return documentOf({ paths: { '/a': { get: { operationId: 'a', responses } } } });
    };
    const [old, next] = ['boolean', 'integer'].map((type) => join(directory, `${type}.json`));
    if (old === undefined || next === undefined) throw new Error('there are two');
    await writeFile(old, textOf(contractOf('boolean')));
    await writeFile(next, textOf(contractOf('integer')));
    const handler = await mockHandler(old);
    const { body } = await handler(memoryRequest({ method: 'GET', path: '/a' }));
    expect(JSON.parse(body as string)).to.deep.equal([true]);
    const { changes } = await diffContract({ old, new: next }, new Date(0));
    expect(changes.map(({ message }) => message)).to.deep.equal(['response body/*: type boolean → integer']);
  });
});
