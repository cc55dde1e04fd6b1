/** A comparison goes on without the faulty parts of the old version, and reports each fault with its place. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runProgram } from '../../../src/codegen/cli/program.js';
import { runInProcess } from '../../support/run-program.js';

const text = { type: 'string' };
const answer = { 200: { description: 'It', content: { 'application/json': { schema: text } } } };
const body = (schema: object) => ({ required: true, content: { 'application/json': { schema } } });

/** A document with an operation that a fault is put into, and another that breaks. */
const documentOf = (operation: object, maximum: number, more: object = {}, paths: object = {}): object => ({
  openapi: '3.1.0',
  info: { title: 'A', version: '1.0.0' },
  paths: {
    '/faulty': { post: { operationId: 'faulty', responses: answer, ...operation } },
    '/other': {
      get: {
        operationId: 'other',
        parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', maximum } }],
        responses: answer,
      },
    },
    ...paths,
  },
  components: { schemas: { Known: { type: 'object', required: ['a'], properties: { a: text } } }, ...more },
});

const query = (more: object) => ({ name: 'q', in: 'query', schema: text, ...more });
const whole = body({ type: 'object', required: ['a'], properties: { a: { ...text, maxLength: 5 } } });

/** The faulty operation, and the same without its fault. */
const FAULTS: Readonly<Record<string, readonly [faulty: object, mended: object]>> = {
  'a reference to nothing in a body': [
    { requestBody: body({ $ref: '#/components/schemas/Unknown' }) },
    { requestBody: body({ $ref: '#/components/schemas/Known' }) },
  ],
  'a reference to nothing in a property': [
    { requestBody: body({ type: 'object', properties: { a: { $ref: '#/components/schemas/Unknown' } } }) },
    { requestBody: body({ type: 'object', properties: { a: { $ref: '#/components/schemas/Known' } } }) },
  ],
  'a reference to a file that is missing': [
    { requestBody: body({ $ref: 'nowhere.json#/A' }) },
    { requestBody: whole },
  ],
  'a type that is none': [{ requestBody: body({ type: 'objekt', required: ['a'] }) }, { requestBody: whole }],
  'properties that are a list': [
    { requestBody: body({ type: 'object', properties: ['a'] }) },
    { requestBody: whole },
  ],
  'a parameter without a place': [
    { parameters: [query({ in: 'nowhere', required: true })] },
    { parameters: [query({ required: true })] },
  ],
  'a parameter without a name': [
    { parameters: [{ in: 'query', required: true, schema: text }, query({ name: 'r' })] },
    { parameters: [query({ required: true }), query({ name: 'r' })] },
  ],
  'a parameter twice': [{ parameters: [query({}), query({})] }, { parameters: [query({})] }],
  'parameters that are an object': [{ parameters: { q: query({}) } }, { parameters: [query({})] }],
  'responses that are a text': [{ responses: 'none' }, {}],
  'a security scheme that is none': [{ security: [{ key: 5 }] }, { security: [] }],
  'an extension that cannot be honoured': [{ 'x-deprecation': 'soon' }, {}],
  'a body that is a list': [{ requestBody: [] }, { requestBody: whole }],
  'an operation that is a number': [{}, {}],
};

describe('diff: an old version with faults', () => {
  let directory = '';
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'concordat-old-faults-'));
  });
  after(() => rm(directory, { recursive: true }));

  async function diff(old: unknown, next: unknown, ...options: readonly string[]) {
    const [one, other] = [join(directory, 'old.json'), join(directory, 'new.json')];
    await writeFile(one, typeof old === 'string' ? old : JSON.stringify(old, undefined, 1));
    await writeFile(other, JSON.stringify(next, undefined, 1));
    return runInProcess(runProgram, ['diff', one, other, ...options]);
  }

  for (const [fault, [faulty, mended]] of Object.entries(FAULTS)) {
    it(`${fault} is a note, and the rest is compared`, async () => {
      const odd = fault.includes('number') ? { '/odd': { get: 5 } } : {};
      const { stdout, stderr, exitCode } = await diff(
        documentOf(faulty, 9, {}, odd),
        documentOf(mended, 9),
        '--json',
      );
      expect([exitCode, stderr], stdout).to.deep.equal([0, '']);
      const [{ oldFaults, changes }] = JSON.parse(stdout) as [
        {
          oldFaults: { file: string; line: number; message: string }[];
          changes: { client: { severity: string } }[];
        },
      ];
      expect(oldFaults).to.have.length.within(1, 2);
      expect(oldFaults[0]?.file).to.match(/old\.json$/);
      expect(oldFaults[0]?.line).to.be.greaterThan(1);
      expect(changes.map(({ client }) => client.severity)).not.to.include('breaking');

      const broken = await diff(documentOf(faulty, 9, {}, odd), documentOf(mended, 5));
      expect(broken.exitCode, broken.stdout + broken.stderr).to.equal(1);
      expect(broken.stdout).to.match(/The old version has faults.*\n\S*old\.json:\d+:\d+ [a-z-]+ at #\//);
      expect(broken.stdout).to.match(/^breaking for clients: GET \/other: .*maximum 9 → 5/m);
    });
  }

  it('a GraphQL schema is compared as far as it can be read', async () => {
    const next = 'type Query { a: Int b(first: Int): [B!]! }\ntype B { id: ID! }\n';
    const old =
      'type Query { a: Int b(first: Int): [B!]! gone: Int }\ntype B { id: ID! odd: Nothing }\ntype C\n';
    const files = [join(directory, 'old.graphql'), join(directory, 'new.graphql')] as const;
    await writeFile(files[0], old);
    await writeFile(files[1], next);
    const run = (...names: readonly string[]) => runInProcess(runProgram, ['diff', ...names, '--json']);
    const { stdout, exitCode } = await run(...files);
    const [{ oldFaults, changes }] = JSON.parse(stdout) as [
      { oldFaults: { message: string; line: number }[]; changes: { message: string }[] },
    ];
    expect(oldFaults.map(({ message, line }) => [message, line])).to.deep.equal([
      ['Unknown type "Nothing". Did you mean "String"?', 2],
    ]);
    expect(changes.map(({ message }) => message).join()).to.include("Field 'gone' was removed");
    expect(exitCode).to.equal(1);
    expect((await run(files[1], files[0])).exitCode).to.equal(2);
  });

  it('a new version with a fault is refused, and so is an old one that cannot be read at all', async () => {
    const [faulty, mended] = FAULTS['a type that is none'] ?? [{}, {}];
    const refused = await diff(documentOf(mended, 9), documentOf(faulty, 9));
    expect([refused.exitCode, refused.stdout]).to.deep.equal([2, '']);
    for (const old of ['{ "openapi": ', '[]', '{ "swagger": "2.0" }']) {
      expect((await diff(old, documentOf(mended, 9))).exitCode, old).to.equal(2);
    }
  });
});
