/** A short document cannot ask for endless work: it is read in seconds, or refused with the place that asks for it. */

import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseYaml } from '@redocly/openapi-core';
import { expect } from 'chai';
import { ContractError, generate } from 'concordat';
import { mockHandler } from '@concordat/tools/mock';
import { memoryRequest } from '@concordat/runtime';
import { fixture } from './contract-list.js';
import { removeDirectory } from './generated-contract.js';
import { bodyOf, documentOf, generated, operationOf, problemsOf, textOf } from './written-contract.js';

const HEAD = 'openapi: 3.1.0\ninfo: { title: T, version: "1" }\npaths: {}\n';
const nine = (item: string): string => `[${Array<string>(9).fill(item).join(', ')}]`;
const LEVELS = 9;

/** Nine levels of nine aliases each, some 400 million values. */
const bomb = Array.from(
  { length: LEVELS },
  (_, level) => `  a${level}: &a${level} ${nine(level === 0 ? 'x' : `*a${level - 1}`)}\n`,
).join('');

/** Members that refer to the members of the next of nine levels, nine times each. */
function levels(
  prefix: string,
  level: (references: Readonly<Record<string, object>>) => object,
  last: object,
): object {
  const parts = Array.from({ length: LEVELS }, (_, index) => {
    const $ref = `${prefix}/L${index + 1}`;
    const references = Object.fromEntries(Array.from({ length: 9 }, (__, n) => [`p${n}`, { $ref }] as const));
    return [`L${index}`, level(references)] as const;
  });
  return Object.fromEntries([...parts, [`L${LEVELS}`, last]]);
}

describe('a document that asks for more work than it has text', () => {
  let directory = '';
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'concordat-bounded-'));
  });
  after(() => removeDirectory(directory));

  /** The problems of a contract of several files; the first is the contract. */
  async function problemsOfFiles(
    files: Readonly<Record<string, string>>,
  ): Promise<ContractError['problems']> {
    for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
    const [first = ''] = Object.keys(files);
    const error: unknown = await generate({ openapi: join(directory, first) }).catch((each: unknown) => each);
    if (error instanceof ContractError) return error.problems;
    throw error;
  }

  it('is refused where its aliases repeat aliases', async () => {
    const [problem] = await problemsOfFiles({ 'openapi.yaml': `${HEAD}x-bomb:\n${bomb}` });
    expect(problem).to.include({ fault: 'invalid-syntax', line: 10, column: 3 });
    expect(problem?.message).to.equal('this part repeats its parts: it has over 100000 values');
  });

  it('is refused where an alias is inside its anchor', async () => {
    const [problem] = await problemsOfFiles({ 'openapi.yaml': `${HEAD}x-a: &a [1, *a]\n` });
    expect(problem).to.include({ fault: 'invalid-syntax', line: 4 });
    expect(problem?.message).to.equal('this part contains itself');
  });

  it('is refused where a file that it refers to does so', async () => {
    const contract = `${HEAD}components: { schemas: { A: { $ref: 'parts.yaml#/A' } } }\n`;
    const [problem] = await problemsOfFiles({
      'openapi.yaml': contract,
      'parts.yaml': `A: { type: string }\nbomb:\n${bomb}`,
    });
    expect(problem).to.include({ fault: 'invalid-syntax', line: 8, column: 3 });
    expect(problem?.file).to.match(/parts\.yaml$/);
  });

  it('is generated from where its aliases repeat little', async () => {
    const schema = 'A: &a { type: object, properties: { b: { type: string } } }';
    const file = join(directory, 'openapi.yaml');
    await writeFile(
      file,
      `${HEAD}components:\n  schemas:\n    ${schema}\n    B: *a\n    C: { allOf: [*a, *a] }\n`,
    );
    expect((await generate({ openapi: file }))['openapi.ts']).to.include('C');
  });

  it('is refused where media types are inside media types', async () => {
    const headers = (references: Readonly<Record<string, object>>) =>
      Object.fromEntries(
        Object.entries(references).map(([name, media]) => [name, { content: { 'a/b': media } }]),
      );
    const mediaTypes = levels(
      '#/components/mediaTypes',
      (references) => ({ itemSchema: {}, itemEncoding: { headers: headers(references) } }),
      { schema: { type: 'string' } },
    );
    const body = { content: { 'multipart/mixed': { $ref: '#/components/mediaTypes/L0' } } };
    const contract = operationOf({ requestBody: body }, { components: { mediaTypes } }, '3.2.0');
    const [problem] = await problemsOf(contract);
    expect(problem?.message).to.match(/^this part repeats its parts/);
    expect(problem?.line).to.be.above(0);
  });

  const returning = { responses: { 204: { description: 'Nothing' } } };
  const callbacksOf = (pathItems: object) =>
    operationOf(
      { callbacks: { first: { '{$url}': { $ref: '#/components/pathItems/L0' } } } },
      { components: { pathItems } },
    );

  it('names its callbacks of callbacks where they are too many', async () => {
    const asking = (references: Readonly<Record<string, object>>) =>
      Object.fromEntries(Object.entries(references).map(([name, item]) => [name, { '{$url}': item }]));
    const pathItems = levels(
      '#/components/pathItems',
      (references) => ({ post: { ...returning, callbacks: asking(references) } }),
      { post: returning },
    );
    const contract = callbacksOf(pathItems);
    const [problem] = await problemsOf(contract);
    expect(problem).to.include({ feature: 'recursive-callback' });
    await generated(contract, ['recursive-callback']);
  });

  it('names a callback that asks for itself', async () => {
    const again = { again: { '{$url}': { $ref: '#/components/pathItems/L0' } } };
    const contract = callbacksOf({ L0: { post: { ...returning, callbacks: again } } });
    const place = '#/components/pathItems/L0/post/callbacks/again/{$url}';
    const problems = await problemsOf(contract);
    expect(problems.map(({ feature, pointer }) => [feature, pointer])).to.deep.equal([
      ['recursive-callback', place],
    ]);
    const files = await generated(contract, ['recursive-callback']);
    expect(files['outgoing.ts']).to.include('a.first.again').and.not.include('a.first.again.again');
  });

  it('names every reference of thousands that lead nowhere', async () => {
    const schemas = Array.from(
      { length: 3000 },
      (_, n) => [`A${n}`, { $ref: `#/components/schemas/B${n}` }] as const,
    );
    const problems = await problemsOf(documentOf({ components: { schemas: Object.fromEntries(schemas) } }));
    expect(problems).to.have.length(3000);
  });

  it('names the keyword of a schema that is all components', async () => {
    const text = await readFile(fixture('schemas.openapi-3.0.yaml').file, 'utf8');
    const contract = parseYaml(text) as { readonly components: { readonly schemas: Record<string, object> } };
    contract.components.schemas['Circle'] = { $ref: '#/components' };
    expect((await generated(contract, ['unknown-keyword at #/components/schemas']))['openapi.ts']).to.include(
      'Circle',
    );
  });

  it('is generated from where schemas that refer twice to the next ask what all evaluated', async () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => {
        const $ref = `#/components/schemas/L${n + 1}`;
        return [`L${n}`, { allOf: [{ $ref }, { $ref }], unevaluatedProperties: false }] as const;
      }),
    );
    const L40 = { type: 'object', properties: { a: { type: 'string' } } };
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/L0' } } };
    const contract = operationOf(
      { requestBody: { content }, responses: { 200: { description: 'It', content } } },
      { components: { schemas: { ...schemas, L40 } } },
    );
    const files = await generated(contract);
    for (const [name, text] of Object.entries(files)) expect(text.length, name).to.be.lessThan(500_000);
    const file = join(directory, 'openapi.json');
    await writeFile(file, textOf(contract));
    const mock = await mockHandler(file);
    const { status } = await mock(memoryRequest({ method: 'POST', path: '/a' }));
    expect(status).to.equal(200);
  });

  it('has a mock that answers where schemas hold many times over', async () => {
    const schemas = levels('#/components/schemas', (references) => ({ allOf: Object.values(references) }), {
      type: 'object',
      required: ['a'],
      properties: { a: { type: 'string' } },
    });
    const schema = { $ref: '#/components/schemas/L0' };
    const responses = { 200: { description: 'It', content: { 'application/json': { schema } } } };
    const file = join(directory, 'openapi.json');
    await writeFile(file, textOf(operationOf({ responses }, { components: { schemas } })));
    const mock = await mockHandler(file);
    const { status } = await mock(memoryRequest({ method: 'POST', path: '/a' }));
    expect(status).to.equal(200);
  });
});

describe('a form whose schemas refer to each other', () => {
  const each = Array.from({ length: 24 }, (_, index) => index);
  const reference = (index: number): object => ({ $ref: `#/components/schemas/S${index}` });
  const formOf = (mediaType: string, schemas: readonly object[], encoding: object = {}): object => {
    const named = Object.fromEntries(schemas.map((schema, index) => [`S${index}`, schema]));
    return bodyOf(mediaType, { schema: reference(0), encoding }, { components: { schemas: named } });
  };

  it('is generated from where its objects all have each other', async () => {
    const schemas = each.map((own) => {
      const others = each
        .filter((other) => other !== own)
        .map((other) => [`s${other}`, reference(other)] as const);
      return { type: 'object', properties: { id: { type: 'integer' }, ...Object.fromEntries(others) } };
    });
    const encoding = { s1: { style: 'deepObject', explode: true } };
    const form = formOf('application/x-www-form-urlencoded', schemas, encoding);
    const files = await generated(form);
    expect(files['openapi.ts']).to.include('s23');
    // A text for each of the places that two levels have would be longer.
    expect(files['openapi.ts']?.length).to.be.below(200_000);
  });

  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    it(`is generated from where the schemas of a form are ${keyword} of all that follow`, async () => {
      const schemas = each.map((own) => {
        const others = each.slice(own + 1).map(reference);
        const plain = { type: 'object', properties: { [`p${own}`]: { type: 'string' } } };
        return others.length === 0 ? plain : { [keyword]: [plain, ...others] };
      });
      const files = await generated(formOf('application/x-www-form-urlencoded', schemas));
      expect(files['openapi.ts']).to.include('p23');
    });
  }

  it('is generated from where the parts with files of a form are allOf of all that follow', async () => {
    const file = { type: 'string', format: 'binary' };
    const schemas = each.map((own) => {
      const others = each.slice(own + 1).map(reference);
      const properties = { file, [`p${own}`]: { type: 'string' } };
      return { type: 'object', properties, ...(others.length > 0 && { allOf: others }) };
    });
    const files = await generated(formOf('multipart/form-data', schemas));
    expect(files['openapi.ts']?.length).to.be.below(200_000);
  });
});
