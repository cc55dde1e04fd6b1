/** Contracts with the traits of others' contracts are read as they are meant, or stop with a sentence and a place. */

import { expect } from 'chai';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ContractError, generate } from 'concordat';
import { named } from '../../src/codegen/init/parts.js';
import { removeDirectory } from './generated-contract.js';
import { documentOf, generated, operationOf, problemsOf, schemaOf } from './written-contract.js';

describe('a contract of others', () => {
  it('has one path where paths differ by the names of parameters, with the names of each operation', async () => {
    const get = (name: string) => ({
      operationId: name,
      parameters: [{ name, in: 'path', required: true, schema: { type: 'string' } }],
      responses: { 204: { description: 'Nothing' } },
    });
    const contract = documentOf({
      paths: {
        '/a/{x}': { get: get('x'), delete: get('gone') },
        '/a/{y}': { get: get('other'), put: get('y') },
      },
    });
    const problems = await problemsOf(
      documentOf({ paths: { '/a/{x}': { get: get('x') }, '/a/{y}': { get: get('y') } } }),
    );
    expect(problems.map(({ pointer, message }) => [pointer, message])).to.deep.equal([
      [
        '#/paths/~1a~1{y}',
        'the path differs only by the names of parameters from /a/{x}, with which it is one path',
      ],
      ['#/paths/~1a~1{y}/get', 'GET /a/{x} is served, and this operation is not'],
    ]);
    const wrong = await problemsOf(contract, ['same-path']);
    // Each operation has the parameters of its own path.
    expect(wrong.map(({ message }) => message)).to.include('the path has no {gone}');
  });

  it('asks for a handler for a security scheme that nothing declares', async () => {
    const contract = operationOf({ security: [{ ory: ['a'] }] });
    const { 'routing.ts': routing } = await generated(contract, ['undeclared-security']);
    expect(routing).to.match(/ory: \{ type: "http", scheme: "bearer" \}/);
  });

  it('may have any $ref in an extension, but not in a map of names', async () => {
    const $ref = 'nowhere.yaml#/a';
    expect(await problemsOf(operationOf({ 'x-a': [{ $ref }] }))).to.deep.equal([]);
    expect(await problemsOf(schemaOf({ type: 'object', 'x-a': { b: { $ref: '#/no' } } }))).to.deep.equal([]);
    const [problem] = await problemsOf(schemaOf({ type: 'object', properties: { 'x-a': { $ref } } }));
    expect(problem).to.include({ fault: 'unresolved-reference' });
  });

  it('is refused with a place where schemas are nested 700 deep, and read where they are nested 100 deep', async () => {
    const nested = (depth: number): object =>
      depth === 0 ? { type: 'string' } : { type: 'object', properties: { a: nested(depth - 1) } };
    const [problem] = await problemsOf(schemaOf(nested(700)));
    expect(problem?.message).to.equal('this part is nested over 400 levels deep');
    expect(problem?.line).to.be.above(400);
    expect(await problemsOf(schemaOf(nested(100)))).to.deep.equal([]);
  });

  it('is refused where a chain of references is too long to follow', async () => {
    const links = Array.from({ length: 20_000 }, (_, n): readonly [string, object] => [
      `B${n}`,
      { allOf: [{ $ref: `#/components/schemas/B${n + 1}` }] },
    ]);
    const problems = await problemsOf(
      schemaOf({ $ref: '#/components/schemas/B0' }, { ...Object.fromEntries(links), B20000: {} }),
    );
    for (const { message } of problems) expect(message).to.not.match(/stack/);
  });

  it('gives the files of long operations names that a file system takes', () => {
    const long = 'a'.repeat(400);
    const files = named([long, `${long}b`, 'é'.repeat(300)].map((words) => ({ path: [words], words })));
    expect(new Set(files.map(({ file }) => file)).size).to.equal(3);
    for (const { file } of files) expect(Buffer.byteLength(`${file}.ts`)).to.be.lessThan(256);
  });

  const refusals: readonly (readonly [why: string, sdl: string, line: number, column: number])[] = [
    [
      'a link leads to no address',
      'directive @link(url: String!) on SCHEMA\nextend schema @link(url: "nowhere")\ntype Query { a: Int }\n',
      2,
      26,
    ],
    [
      'a directive has the name of a member of every object',
      'type Query { a: Int @constructor }\n\ndirective @constructor on FIELD_DEFINITION\n',
      3,
      12,
    ],
  ];
  for (const [why, sdl, line, column] of refusals) {
    it(`is refused with its place where ${why}`, async () => {
      const directory = await mkdtemp(join(tmpdir(), 'concordat-link-'));
      try {
        const schema = join(directory, 'schema.graphql');
        await writeFile(schema, sdl);
        const error: unknown = await generate({ schema }).catch((each: unknown) => each);
        expect(error).to.be.instanceOf(ContractError);
        if (error instanceof ContractError)
          expect(error.problems[0]).to.include({ fault: 'invalid-schema', line, column });
      } finally {
        await removeDirectory(directory);
      }
    });
  }
});
