/** `concordat diff` blames a change only for what it does itself, and knows changes that no check of one message can prove. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runProgram } from '../../../src/codegen/cli/program.js';
import { runInProcess } from '../../support/run-program.js';

const documentWith = (schema: object, parameter: object = {}): object => ({
  openapi: '3.1.0',
  info: { title: 'One place', version: '1' },
  paths: {
    '/a': {
      get: {
        operationId: 'a',
        parameters: [
          { name: 'q', in: 'query', schema: { type: 'array', items: { type: 'string' } }, ...parameter },
        ],
        responses: { 200: { description: 'x', content: { 'application/json': { schema } } } },
      },
    },
  },
});

const pattern = (text: string): object => ({ type: 'string', pattern: text });

describe('diff: one place', () => {
  let directory = '';
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'concordat-one-place-'));
  });
  after(() => rm(directory, { recursive: true }));

  async function diff(old: object, next: object): Promise<string> {
    const files = ['old.json', 'new.json'].map((name) => join(directory, name)) as [string, string];
    await writeFile(files[0], JSON.stringify(old));
    await writeFile(files[1], JSON.stringify(next));
    return (await runInProcess(runProgram, ['diff', '--all', ...files])).stdout;
  }

  it('does not blame an added property for one that was removed', async () => {
    const scope = { scope: { type: 'string' } };
    const text = await diff(
      documentWith({ type: 'object', required: ['scope'], properties: scope }),
      documentWith({ type: 'object', properties: { minValue: { type: 'number' } } }),
    );
    expect(text).to.include('safe: GET /a: response body/minValue is added');
    expect(text).to.match(/^breaking for clients: GET \/a: response body\/scope is removed/m);
  });

  it('does not blame one change of an object for another', async () => {
    const object = (scope: object, others: object): object => ({
      type: 'object',
      required: ['scope'],
      properties: { scope, ...others },
    });
    const text = await diff(
      documentWith(object({ type: 'string' }, { code: pattern('^[a-z]+$'), removed: { type: 'string' } })),
      documentWith(object({ type: 'integer' }, { code: pattern('^[a-z]{1,}$') })),
    );
    expect(text).to.match(/^breaking for clients.*response body\/scope/m);
    expect(text).to.match(/^dangerous for clients: GET \/a: response body\/removed is removed/m);
    expect(text).to.match(/^dangerous for clients.*: GET \/a: response body\/code: pattern/m);
  });

  it('does not blame a removed parameter for another one', async () => {
    const withOther = (type: string, others: readonly object[]): object => ({
      openapi: '3.1.0',
      info: { title: 'One place', version: '1' },
      paths: {
        '/a': {
          get: {
            parameters: [{ name: 'kept', in: 'query', required: true, schema: { type } }, ...others],
            responses: { 204: { description: 'x' } },
          },
        },
      },
    });
    const text = await diff(
      withOther('boolean', [{ name: 'gone', in: 'query', schema: { type: 'string' } }]),
      withOther('integer', []),
    );
    expect(text).to.match(/^dangerous for clients: GET \/a: the parameter gone in query is removed/m);
  });

  it('calls one change of several operations as bad as it is for the worst of them', async () => {
    const answer = (required: readonly string[]): object => {
      // No text is found that it matches, so that no answer that requires it can be built.
      const unread = { type: 'string', pattern: '^(?<=^)[a-f]{3}$' };
      const properties = { code: unread, shared: { $ref: '#/components/schemas/Shared' } };
      const content = { 'application/json': { schema: { type: 'object', required, properties } } };
      return { get: { responses: { 200: { description: 'x', content } } } };
    };
    const sharing = (deep: object): object => ({
      openapi: '3.1.0',
      info: { title: 'One place', version: '1' },
      paths: { '/a': answer(['code']), '/b': answer([]) },
      components: {
        schemas: { Shared: { type: 'object', properties: { deep } } },
      },
    });
    const text = await diff(sharing({ enum: ['a'], not: { const: 'b' } }), sharing({ enum: ['a'] }));
    expect(text).to.match(
      /^breaking, unproven for clients: GET \/a and 1 more: response body\/shared\/deep/m,
    );
  });

  it('calls another style of a list or an object breaking', async () => {
    expect(await diff(documentWith({}, { explode: true }), documentWith({}, { explode: false }))).to.match(
      /^breaking, unproven for clients.*another style$/m,
    );
    const schema = { type: 'object', properties: { x: { type: 'string' } } };
    expect(
      await diff(
        documentWith({}, { schema, style: 'deepObject' }),
        documentWith({}, { schema, style: 'form' }),
      ),
    ).to.match(/^breaking, unproven for clients.*another style$/m);
  });

  describe('schemas on every path through others', () => {
    const each = Array.from({ length: 24 }, (_, index) => index);
    const reference = (index: number): object => ({ $ref: `#/components/schemas/S${index}` });
    /** Schemas that refer to all that follow. */
    const graph = (form: (own: object, following: readonly object[]) => object, last: object): object => {
      const schemas = each.map((index) => {
        const own = {
          type: 'object',
          properties: { [`p${index}`]: index === 23 ? last : { type: 'string' } },
        };
        return [`S${index}`, form(own, each.slice(index + 1).map(reference))] as const;
      });
      return { ...documentWith(reference(0)), components: { schemas: Object.fromEntries(schemas) } };
    };
    const forms = {
      anyOf: (own: object, following: readonly object[]) => ({ anyOf: [own, ...following] }),
      allOf: (own: object, following: readonly object[]) => ({ allOf: [own, ...following] }),
      'anyOf beside properties': (own: object, following: readonly object[]) =>
        following.length === 0 ? own : { ...own, anyOf: following },
    };
    for (const [name, form] of Object.entries(forms)) {
      it(`are compared at a few of their places: ${name}`, async () => {
        const text = await diff(graph(form, { type: 'string' }), graph(form, { type: 'integer' }));
        expect(text).to.include('p23: type string → integer');
      });
    }

    it('have their change proved where the first of their places has no message', async () => {
      // No value fits the first four.
      const none = {
        type: 'object',
        required: ['n'],
        properties: { n: { allOf: [{ const: 1 }, { const: 2 }] } },
      };
      const document = (last: object): object => {
        const properties = Object.fromEntries(
          each.slice(0, 5).map((index) => {
            const holder = { type: 'object', properties: { last: reference(23) } };
            return [`p${index}`, index < 4 ? { allOf: [none, holder] } : holder] as const;
          }),
        );
        const schemas = { S23: { type: 'object', required: ['a'], properties: { a: last } } };
        return { ...documentWith({ type: 'object', properties }), components: { schemas } };
      };
      const text = await diff(document({ type: 'string' }), document({ type: 'integer' }));
      expect(text).to.match(/^breaking for clients, .*a: type string → integer/m);
      expect(text).to.include('body/p4/last/a must be string');
    });
  });
});
