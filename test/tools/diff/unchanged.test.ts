/** `concordat diff` compiles and compares only the operations that differ, wherever it is that they do. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { diffOpenapi } from '../../../src/tools/diff/openapi/diff-openapi.js';

const done = { responses: { 204: { description: 'Done' } } };
const ofSchema = (name: string): object => ({
  ...done,
  requestBody: { content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } } },
});

/** A contract whose operations depend on one thing each. */
const contract = {
  openapi: '3.1.0',
  info: { title: 'Unchanged', version: '1.0.0' },
  paths: {
    '/plain': { get: done },
    '/deep': { post: ofSchema('Outer') },
    '/animal': { post: ofSchema('Animal') },
    '/around': { parameters: [{ name: 'q', in: 'query', schema: { type: 'string' } }], get: done },
    '/shared': { $ref: '#/components/pathItems/Shared' },
    '/secured': { get: { ...done, security: [{ key: [] }] } },
    '/events': {
      post: { ...done, callbacks: { told: { '{$request.query.url}': { post: ofSchema('Inner') } } } },
    },
    '/users/{id}': {
      get: { ...done, parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }] },
    },
  },
  components: {
    pathItems: { Shared: { get: done } },
    securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'key' } },
    schemas: {
      Outer: {
        type: 'object',
        properties: { list: { type: 'array', items: { $ref: '#/components/schemas/Inner' } } },
      },
      Inner: {
        type: 'object',
        properties: { outer: { $ref: '#/components/schemas/Outer' }, a: { type: 'string' } },
      },
      Animal: {
        type: 'object',
        required: ['kind'],
        properties: { kind: { type: 'string' } },
        discriminator: { propertyName: 'kind' },
      },
      Dog: {
        allOf: [
          { $ref: '#/components/schemas/Animal' },
          { type: 'object', properties: { name: { type: 'string' } } },
        ],
      },
    },
  },
};

/** Each change of the text, and the operations that it must not leave out. */
const CHANGES: Readonly<
  Record<string, { readonly from: string; readonly to: string; readonly compared: number }>
> = {
  'a schema that a schema refers to': {
    from: '"a":{"type":"string"}',
    to: '"a":{"type":"string","maxLength":3}',
    // Two that refer to it, one of them in a callback, and the one whose schema others may extend.
    compared: 3,
  },
  'the parameters of a path': {
    from: '"in":"query","schema":{"type":"string"}',
    to: '"in":"query","schema":{"type":"integer"}',
    compared: 1,
  },
  'a path item that is a component': {
    from: '"Shared":{"get":{"responses":{"204"',
    to: '"Shared":{"get":{"responses":{"200"',
    compared: 1,
  },
  'a security scheme': { from: '"name":"key"', to: '"name":"token"', compared: 1 },
};

describe('concordat diff: what has not changed', () => {
  let directory = '';
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'concordat-unchanged-'));
  });
  after(() => rm(directory, { recursive: true, force: true }));

  /** The changes, and how many operations were compared in the first round; undefined where nothing was compiled. */
  async function diff(old: string, next: string) {
    const files = { old: join(directory, 'old.json'), new: join(directory, 'new.json') };
    await writeFile(files.old, old);
    await writeFile(files.new, next);
    const stages = new Map<string, number>();
    const found = await diffOpenapi(files.old, files.new, new Date(), (stage) => (_, total) => {
      if (!stages.has(stage)) stages.set(stage, total);
    });
    return { ...found, compared: stages.get('Comparing operations') };
  }

  const text = JSON.stringify(contract);

  it('compiles nothing where both are equal, also in another format of the same document', async () => {
    const { changes, compared, version } = await diff(text, JSON.stringify(contract, undefined, 2));
    expect([changes, compared, version?.old]).to.deep.equal([[], undefined, '1.0.0']);
  });

  for (const [what, { from, to, compared }] of Object.entries(CHANGES)) {
    it(`compares only the operations that depend on ${what}`, async () => {
      expect(text.split(from)).to.have.length(2);
      const found = await diff(text, text.replace(from, to));
      expect(found.changes).not.to.deep.equal([]);
      expect(found.compared).to.equal(compared);
    });
  }

  it('compares the operations of a schema that others extend', async () => {
    const found = await diff(
      text,
      text.replace('"name":{"type":"string"}', '"name":{"type":"string","maxLength":3}'),
    );
    expect(found.compared).to.equal(1);
  });

  it('asks an unchanged operation that takes the requests of an added one', async () => {
    const added = { ...contract, paths: { ...contract.paths, '/users/me': { get: done } } };
    const { changes } = await diff(text, JSON.stringify(added));
    expect(changes.map(({ kind, client, server }) => [kind, client.severity, server.severity])).to.deep.equal(
      [['operation-added', 'safe', 'dangerous']],
    );
    const elsewhere = { ...contract, paths: { ...contract.paths, '/people/me': { get: done } } };
    const [change] = (await diff(text, JSON.stringify(elsewhere))).changes;
    expect(change?.server.severity).to.equal('breaking');
  });

  it('compares schemas that refer to the next several times in a time that does not multiply', async () => {
    const levels = Array.from({ length: 14 }, (_, index) => {
      const next = { $ref: `#/components/schemas/Level${String(index + 1)}` };
      return [
        `Level${String(index)}`,
        { type: 'object', properties: { a: next, b: next, c: next } },
      ] as const;
    });
    const deep = (leaf: object): string => {
      const last = { Level14: { type: 'object', properties: { leaf } } };
      const schemas: Readonly<Record<string, object>> = { ...Object.fromEntries(levels), ...last };
      return JSON.stringify({
        ...contract,
        paths: { '/deep': { post: ofSchema('Level0') } },
        components: { schemas },
      });
    };
    // There are five million places.
    const { changes } = await diff(deep({ type: 'string' }), deep({ type: 'string', maxLength: 3 }));
    expect(changes.map(({ kind, client }) => [kind, client.severity])).to.deep.equal([
      ['maxLength-changed', 'breaking'],
    ]);
  });
});
