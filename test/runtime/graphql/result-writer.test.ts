/** The objects that a compiled query makes are written as JSON.stringify writes them. */

import { makeExecutableSchema } from '@graphql-tools/schema';
import { expect } from 'chai';
import fc from 'fast-check';
import { type ExecutionResult, GraphQLScalarType, parse } from 'graphql';
import { graphqlEngine } from '../../../src/runtime/graphql/execution/graphql-engine.js';
import { jsonInTurns } from '../../../src/runtime/graphql/compiler/json-in-turns.js';
import { compileQuery } from '../../../src/runtime/graphql/compiler/query-compiler.js';
import { resultJson } from '../../../src/runtime/graphql/compiler/result-writer.js';

const typeDefs = `
  scalar Json
  interface Named { name: Json }
  type Cat implements Named { name: Json, lives: Json }
  type Dog implements Named { name: Json, owner: Dog }
  type Query { a: Json, b: Json, dog: Dog, dogs: [[Dog]], pets: [Named] }
`;

function resultOf(query: string, data: Readonly<Record<string, unknown>>): ExecutionResult {
  const fields = Object.keys(data).map((name) => [name, () => data[name]] as const);
  const schema = makeExecutableSchema({ typeDefs, resolvers: { Query: Object.fromEntries(fields) } });
  const result = compileQuery(schema, parse(query), undefined)?.(undefined, undefined);
  if (result === undefined || result instanceof Promise) throw new Error('not compiled, or not at once');
  expect(result.errors).to.equal(undefined);
  return result;
}

const LONG = 'long'.repeat(50);
/** More than the buffer of the writer holds at first. */
const ALIASES = Array.from({ length: 400 }, (_, index) => `a${String(index)}`);
const TEXT = 'text'.repeat(60);

const textOf = (body: string | Uint8Array | undefined): string | undefined =>
  typeof body === 'object' ? new TextDecoder().decode(body) : body;

describe('a writer of results', () => {
  const rex = { __typename: 'Dog', name: 'Rex', owner: null };
  const results: readonly (readonly [
    what: string,
    query: string,
    data: Readonly<Record<string, unknown>>,
    json: string,
  ])[] = [
    ['fields', '{ a b }', { a: '1', b: 'Ada' }, '{"a":"1","b":"Ada"}'],
    ['aliases', '{ first: a __proto: b }', { a: 1, b: 2 }, '{"first":1,"__proto":2}'],
    ['an object in an object', '{ dog { name } }', { dog: rex }, '{"dog":{"name":"Rex"}}'],
    ['null for an object', '{ dog { name } }', { dog: null }, '{"dog":null}'],
    [
      'lists of lists',
      '{ dogs { name } }',
      { dogs: [[], [rex, null], null] },
      '{"dogs":[[],[{"name":"Rex"},null],null]}',
    ],
    [
      'numbers, booleans and null',
      '{ a b }',
      { a: 1.5, b: [false, null, NaN] },
      '{"a":1.5,"b":[false,null,null]}',
    ],
    [
      'texts that need escapes',
      '{ a b }',
      { a: '"\\\u0001', b: 'ä\ud800' },
      '{"a":"\\"\\\\\\u0001","b":"ä\\ud800"}',
    ],
    ['the last half of a pair', '{ a b }', { a: '\udfff', b: 1 }, '{"a":"\\udfff","b":1}'],
    [
      'an object of a scalar that says itself what it is',
      '{ a b }',
      { a: { at: new Date(0) }, b: 1 },
      '{"a":{"at":"1970-01-01T00:00:00.000Z"},"b":1}',
    ],
    [
      'long names',
      `{ ${LONG}: a b ${LONG}2: dog { name } }`,
      { a: 1, b: 'b', dog: rex },
      `{"${LONG}":1,"b":"b","${LONG}2":{"name":"Rex"}}`,
    ],
    [
      'many long texts',
      `{ ${ALIASES.map((name) => `${name}: a`).join(' ')} }`,
      { a: TEXT },
      `{${ALIASES.map((name) => `"${name}":"${TEXT}"`).join()}}`,
    ],
    ['only the name of a type', '{ __typename }', {}, '{"__typename":"Query"}'],
    [
      'the name of a type among others',
      '{ a t: __typename b __typename }',
      { a: 1, b: 2 },
      '{"a":1,"t":"Query","b":2,"__typename":"Query"}',
    ],
    [
      'an object without members',
      '{ dog { name @skip(if: true) } a @skip(if: true) }',
      { dog: rex },
      '{"dog":{}}',
    ],
    [
      'objects of different types, each in its order',
      '{ pets { ... on Cat { lives name } __typename name ... on Dog { owner { name } } } }',
      { pets: [{ __typename: 'Cat', name: 'Tom', lives: 9 }, rex, null] },
      '{"pets":[{"lives":9,"name":"Tom","__typename":"Cat"},{"__typename":"Dog","name":"Rex","owner":null},null]}',
    ],
  ];
  for (const [what, query, data, json] of results) {
    it(`writes ${what}`, () => {
      const result = resultOf(query, data);
      expect(JSON.stringify(result)).to.equal(`{"data":${json}}`);
      expect(textOf(resultJson(result, Infinity))).to.equal(`{"data":${json}}`);
    });
  }

  it('writes every value of a scalar as JSON.stringify does', () => {
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 3 },
        fc.string({ unit: 'binary' }),
        fc.double(),
        fc.boolean(),
        fc.constantFrom(
          null,
          'a\u007f\u0080\u07ff\u0800\uffff\ud83d\ude00',
          '\ud800',
          'ä"\\\u0001'.repeat(100_000),
        ),
        fc.constantFrom(new Date(0), { toJSON: () => undefined }, { run: () => 1, next: 2 }, [undefined, 1]),
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(fc.string({ unit: 'binary' }), tie('tree'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        const result = resultOf('{ a b: a }', { a: value });
        expect(textOf(resultJson(result, Infinity))).to.equal(JSON.stringify(result));
      }),
      { numRuns: 100 },
    );
  });

  it('gives bytes that stay as they are when the next result is written', () => {
    const result = resultOf('{ a }', { a: 'fïrst'.repeat(10_000) });
    const first = resultJson(result, Infinity);
    resultJson(resultOf('{ a }', { a: 'sëcond'.repeat(10_000) }), Infinity);
    expect(first).to.deep.equal(new TextEncoder().encode(JSON.stringify(result)));
  });

  it('leaves results that no compiled query made to the built-in function', () => {
    for (const result of [{ data: null }, { data: { a: 1 } }, { errors: [] }]) {
      expect(resultJson(result, Infinity)).to.equal(JSON.stringify(result));
    }
  });

  it('writes errors and extensions beside the data', () => {
    const { data } = resultOf('{ a }', { a: 1 });
    const result = { data: data ?? null, extensions: { cost: 1 } };
    expect(resultJson(result, Infinity)).to.equal('{"data":{"a":1},"extensions":{"cost":1}}');
  });

  it('ends at the limit', () => {
    const result = resultOf('{ a }', { a: 'a'.repeat(100) });
    expect(resultJson(result, 100)).to.equal(undefined);
  });
});

describe('a large result', () => {
  const unlimited = 64 * 1024 * 1024;

  it('is written in turns as JSON.stringify writes it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.object({ withNullPrototype: true, maxDepth: 4 }), async (value) => {
        const written = await jsonInTurns({ value }, unlimited);
        expect(textOf(written)).to.equal(JSON.stringify({ value }));
      }),
    );
    const odd = {
      a: undefined,
      b: [undefined, () => 1, NaN],
      c: new Date(0),
      '\ud800': '\ud800"\u2028é',
      d: {},
    };
    expect(textOf(await jsonInTurns(odd, unlimited))).to.equal(JSON.stringify(odd));
  });

  it('lets others run in between', async () => {
    const value = {
      items: Array.from({ length: 20_000 }, (_, id) => ({ id, text: 'x'.repeat(300), in: [{}] })),
    };
    const state = { turns: 0, isOver: false };
    const written = jsonInTurns(value, unlimited).finally(() => (state.isOver = true));
    while (!state.isOver) {
      await new Promise(setImmediate);
      state.turns += 1;
    }
    expect(textOf(await written)).to.equal(JSON.stringify(value));
    expect(state.turns).to.be.above(2);
  });

  it('is refused beyond the limit, also if it contains itself, and for what JSON does not have', async () => {
    const text = { text: 'é'.repeat(1000) };
    expect(await jsonInTurns(text, 2100)).to.have.lengthOf(2011);
    expect(await jsonInTurns(text, 2000)).to.equal(undefined);
    const round: { self?: unknown } = {};
    round.self = { a: [round] };
    expect(await jsonInTurns(round, 1_000_000)).to.equal(undefined);
    expect(await jsonInTurns({ a: [{ b: [{ c: 1n }] }] }, 100).catch(String)).to.include('BigInt');
  });

  for (const [what, of, message] of [
    ['answers', (id: number) => ({ id, text: 'y'.repeat(900) }), undefined],
    [
      'is one error for what JSON does not have',
      () => ({ id: 1n, text: 'y'.repeat(900) }),
      'Internal server error',
    ],
  ] as const) {
    it(`${what}, of an engine`, async () => {
      const engine = graphqlEngine<undefined>({
        schema: makeExecutableSchema({
          typeDefs: 'scalar Any type Query { items: [Any!]! }',
          resolvers: {
            Any: new GraphQLScalarType({ name: 'Any', serialize: (value) => value }),
            Query: { items: () => Array.from({ length: 3000 }, (_, id) => of(id)) },
          },
        }),
        compile: compileQuery,
        explain: () => undefined,
        report: () => undefined,
      });
      const operation = engine.prepare({ query: '{ items }' });
      if ('errors' in operation) throw new Error('it does not run');
      for (const how of ['interpreted', 'compiled']) {
        const { result, json } = await engine.executeToJson(operation, undefined, undefined);
        expect(result.errors?.map((error) => error.message)[0], how).to.equal(message);
        const read = JSON.parse(textOf(json) ?? '') as typeof result;
        expect(read.errors?.length ?? (read.data?.['items'] as unknown[]).length, how).to.equal(
          message ? 1 : 3000,
        );
      }
    });
  }
});
