/** Compiled queries answer what interpreted ones do, byte for byte. */

import { makeExecutableSchema } from '@graphql-tools/schema';
import { expect } from 'chai';
import { type GraphQLResolveInfo, GraphQLScalarType, parse } from 'graphql';
import { compileQuery } from '../../../../src/runtime/graphql/compiler/query-compiler.js';
import {
  type GraphqlEngine,
  type QueryCompiler,
  type Variables,
  graphqlEngine,
} from '../../../../src/runtime/graphql/index.js';
import { calledAgain, countCalls } from './counted-calls.js';

const schema = makeExecutableSchema({
  typeDefs: 'type Query { things: [Thing] } type Thing { id: ID }',
  resolvers: { Query: { things: () => [{ id: '1' }, null, { id: '2' }] } },
});

type Noted = readonly [source: unknown, args: unknown, context: unknown, info: GraphQLResolveInfo];

/** How often the result of a compiled query was good enough to be the answer. */
let answered = 0;

const watched: QueryCompiler = (...parameters) => {
  const compiled = compileQuery(...parameters);
  if (compiled === undefined) return undefined;
  return async (context, variables) => {
    const result = await compiled(context, variables);
    if (result.errors === undefined) answered += 1;
    return result;
  };
};

const ignore = (): void => undefined;
const explain = (error: unknown): { code: string; message: string } => ({
  code: 'FAILED',
  message: String(error),
});
const interpreting = graphqlEngine<undefined>({ schema, explain, report: ignore });

const textOf = (body: string | Uint8Array): string =>
  typeof body === 'string' ? body : new TextDecoder().decode(body);

async function answer(
  engine: GraphqlEngine<undefined>,
  { query, variables }: { readonly query: string; readonly variables: Variables },
): Promise<string> {
  const operation = engine.prepare({ query });
  if ('errors' in operation) return JSON.stringify(operation);
  const { json } = await engine.executeToJson(operation, variables, undefined);
  return textOf(json);
}

describe('a compiled query', () => {
  // A turn that is over changes which errors come before the answer. On a busy machine that would be luck.
  before(() => (performance.now = () => 0));
  after(() => Reflect.deleteProperty(performance, 'now'));

  it('keeps code for a bounded number of selections', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    const query = `query (${names.map((name) => `$${name}: Boolean!`).join()}) {
      things { ${names.map((name) => `${name}: id @skip(if: $${name})`).join(' ')} }
    }`;
    const engine = graphqlEngine<undefined>({ schema, explain, report: ignore, compile: watched });
    answered = 0;
    for (let turn = 0; turn < 2; turn += 1) {
      for (let bits = 0; bits < 32; bits += 1) {
        const variables = Object.fromEntries(names.map((name, index) => [name, ((bits >> index) & 1) === 1]));
        const expected = await answer(interpreting, { query, variables });
        expect(await answer(engine, { query, variables })).to.equal(expected);
      }
    }
    // The first operation is interpreted before anything is compiled; the second turn has it again.
    expect(answered).to.equal(8 + 8);
  });

  it('leaves no promise behind when a resolver fails at once', async () => {
    const failing = makeExecutableSchema({
      typeDefs: 'type Query { later: Int, now: Int }',
      resolvers: {
        Query: {
          later: () => Promise.reject(new Error('later')),
          now: () => {
            throw new Error('now');
          },
        },
      },
    });
    const query = '{ later now }';
    const [one, other] = [undefined, compileQuery].map((compile) =>
      graphqlEngine<undefined>({ schema: failing, explain, report: ignore, ...(compile && { compile }) }),
    ) as [GraphqlEngine<undefined>, GraphqlEngine<undefined>];
    const expected = await answer(one, { query, variables: {} });
    // A rejection that nothing handles would fail this test.
    for (let turn = 0; turn < 3; turn += 1)
      expect(await answer(other, { query, variables: {} })).to.equal(expected);
    await new Promise(setImmediate);
  });

  it('calls no resolver after the answer', async () => {
    const after: string[] = [];
    const items = Array.from({ length: 50 }, (_, id) => ({ id }));
    const failing = makeExecutableSchema({
      typeDefs: 'type Query { list: [Item], required: Int! } type Item { id: Int, item: Item }',
      resolvers: {
        Query: { list: () => items, required: () => Promise.reject(new Error('it rejects')) },
        Item: {
          item: async (item: object) => {
            after.push('a call');
            await new Promise(setImmediate);
            return item;
          },
        },
      },
    });
    for (const compile of [undefined, compileQuery]) {
      const engine = graphqlEngine<undefined>({
        schema: failing,
        explain,
        report: ignore,
        ...(compile && { compile }),
      });
      for (let turn = 0; turn < 3; turn += 1) {
        await answer(engine, { query: '{ list { item { item { id } } } required }', variables: {} });
        after.length = 0;
        for (let wait = 0; wait < 5; wait += 1) await new Promise(setImmediate);
        expect(after).to.deep.equal([]);
      }
    }
  });

  describe('calls each resolver once, also when', () => {
    const typeDefs = `
      scalar Odd
      type Query { a: Int, late: [String], rejects: Int, text: Odd, list: [Item], sure: Item!, made: Item, now: Int, required: Int!, typed: Typed, named: Named }
      interface Named { a: Int }
      type Typed implements Named { a: Int }
      type Item { a: Int, late: Int!, now: Int!, method: Int, each: [Int] }
    `;
    const fail = (): never => {
      throw new Error('it fails');
    };
    const item = { method: () => 4, each: new Set([1, 2]) };
    const failing = makeExecutableSchema({
      typeDefs,
      resolvers: {
        Odd: new GraphQLScalarType({ name: 'Odd', serialize: fail }),
        Query: {
          a: () => 1,
          late: () => new Promise((resolve) => setImmediate(resolve, ['a', Promise.resolve('b'), null])),
          rejects: () => Promise.reject(new Error('it rejects')),
          text: () => 'text',
          list: () => [item, Promise.resolve(item), null],
          sure: () => Promise.resolve(item),
          made: () => item,
          now: fail,
          required: fail,
          typed: () => ({}),
          named: () => ({}),
        },
        Named: { __resolveType: () => Promise.resolve('Typed') },
        Typed: { a: () => 2, __isTypeOf: () => Promise.resolve(true) },
        Item: { a: () => 2, late: () => Promise.resolve(3), now: fail },
      },
    });
    const counts = countCalls(failing);
    const queries: readonly (readonly [what: string, query: string])[] = [
      ['another throws', '{ a b: a now c: a late }'],
      ['a required one throws', '{ a late list { a } required b: a }'],
      ['another rejects', '{ a late rejects sure { a late } }'],
      ['what it gave is no leaf', '{ a late text b: text }'],
      ['one of an item in a list throws', '{ late list { a late now } a }'],
      ['nothing that is allowed to be null is around one that throws', '{ a sure { late a now } late }'],
      ['the type of an object is known after it has failed', '{ typed { a } now }'],
      ['the type of a thing is known after it has failed', '{ named { a } now }'],
      ['a property is a method', '{ a made { a method late } late }'],
      ['a list is no array', '{ late made { a each late } }'],
    ];
    for (const [what, query] of queries) {
      it(what, async () => {
        expect(compileQuery(failing, parse(query), undefined)).to.be.a('function');
        const [one, other] = [undefined, compileQuery].map((compile) =>
          graphqlEngine<undefined>({ schema: failing, explain, report: ignore, ...(compile && { compile }) }),
        ) as [GraphqlEngine<undefined>, GraphqlEngine<undefined>];
        const expected = await answer(one, { query, variables: {} });
        const places = [...counts.keys()];
        counts.clear();
        for (let turn = 0; turn < 3; turn += 1) {
          expect(await answer(other, { query, variables: {} })).to.equal(expected);
          // graphql-js 17 begins less after the failure that ends an operation.
          expect([...counts.keys()]).to.include.members(places);
          expect(calledAgain(counts)).to.deep.equal([]);
        }
      });
    }
  });

  describe('gives resolvers the same', () => {
    const inputs = makeExecutableSchema({
      typeDefs: `
        scalar Moment
        enum Level { LOW }
        input In { a: Int, n: In }
        input One @oneOf { a: Int, b: Int }
        type Query { in(in: In, list: [In!]): String, one(a: One, b: One, c: One): String, at(at: Moment): String, level(level: Level = LOW): String, text(text: String): String }
      `,
      resolvers: {
        Query: Object.fromEntries(
          ['in', 'one', 'at', 'level', 'text'].map((name) => [
            name,
            (_: unknown, given: object) => JSON.stringify(given),
          ]),
        ),
        Level: { LOW: { rank: 1 } },
        Moment: new GraphQLScalarType({ name: 'Moment', parseValue: (value) => value }),
      },
    });
    const requests: readonly (readonly [what: string, query: string, variables: Variables])[] = [
      [
        'variables of a type that contains itself',
        'query ($in: In) { in(in: $in) }',
        { in: { n: { n: { a: 1 } } } },
      ],
      ['lists of them', 'query ($list: [In!]) { in(list: $list) }', { list: [{ n: { a: 1 } }, { a: 2 }] }],
      [
        'variables of @oneOf types',
        'query ($a: One, $b: One, $c: One) { one(a: $a, b: $b, c: $c) }',
        { a: { a: 1 }, b: { a: 1, b: 2 }, c: {} },
      ],
      [
        'variables that are not given and are named as what all objects have',
        'query ($constructor: In, $__proto__: One) { in(in: $constructor) one(a: $__proto__) }',
        {},
      ],
      [
        'such variables where they are given',
        'query ($constructor: String, $__proto__: String) { text(text: $constructor) more: text(text: $__proto__) }',
        JSON.parse('{ "constructor": "a", "__proto__": "b" }') as Variables,
      ],
      ['literals of custom scalars', '{ at(at: "2026-01-01") }', {}],
      ['defaults of variables of custom scalars', 'query ($at: Moment = "2026-01-01") { at(at: $at) }', {}],
      ['defaults of enums with objects as their values', '{ level }', {}],
    ];
    for (const [what, query, variables] of requests) {
      it(what, async () => {
        expect(compileQuery(inputs, parse(query), undefined)).to.be.a('function');
        const [one, other] = [undefined, compileQuery].map((compile) =>
          graphqlEngine<undefined>({ schema: inputs, explain, report: ignore, ...(compile && { compile }) }),
        ) as [GraphqlEngine<undefined>, GraphqlEngine<undefined>];
        const expected = await answer(one, { query, variables });
        for (let turn = 0; turn < 3; turn += 1) {
          expect(await answer(other, { query, variables })).to.equal(expected);
        }
      });
    }

    it('place and context where they find out the type of an object', async () => {
      const seen: unknown[] = [];
      const note = (value: unknown, context: unknown, info: GraphQLResolveInfo): void => {
        seen.push([value, context, info.path, info.fieldName, info.parentType.name, String(info.returnType)]);
      };
      const typing = makeExecutableSchema({
        typeDefs: `
          interface Pet { name: String }
          type Cat implements Pet { name: String }
          type Query { pets: [[Pet]!], cat: Cat }
        `,
        resolvers: {
          Query: { pets: () => [[{ name: 'Tom' }], [{ name: 'Felix' }]], cat: () => ({ name: 'Tom' }) },
          Pet: {
            __resolveType: (...given: Parameters<typeof note>) => {
              note(...given);
              return 'Cat';
            },
          },
          Cat: {
            __isTypeOf: (...given: Parameters<typeof note>) => {
              note(...given);
              return true;
            },
          },
        },
      });
      const engine = graphqlEngine<object>({
        schema: typing,
        explain,
        report: ignore,
        compile: compileQuery,
      });
      const operation = engine.prepare({ query: '{ all: pets { name } cat { name } }' });
      if ('errors' in operation) throw new Error('the query is not valid');
      for (let turn = 0; turn < 2; turn += 1) await engine.execute(operation, {}, { of: 'this run' });
      expect(seen.length).to.equal(10);
      // Fields that do not depend on each other are in any order.
      expect(seen.slice(5)).to.have.deep.members(seen.slice(0, 5));
    });

    it('source, context and info', async () => {
      const seen: unknown[] = [];
      const note = (...given: readonly unknown[]): readonly object[] => {
        const [source, args, context, { fragments, schema: of, parentType, ...rest }] = given as Noted;
        // graphql-js 17 has functions there too.
        const info = Object.entries(rest).filter(([, value]) => typeof value !== 'function');
        seen.push([
          source,
          args,
          context,
          Object.keys(fragments),
          of.getTypeMap()['Query'],
          parentType,
          info,
        ]);
        return [{ name: 'a' }, { name: 'b' }];
      };
      const noting = makeExecutableSchema({
        typeDefs: 'type Query { things: [Thing] } type Thing { name: String, things(limit: Int): [Thing] }',
        resolvers: { Query: { things: note }, Thing: { things: note } },
      });
      const engine = graphqlEngine<object>({
        schema: noting,
        explain,
        report: ignore,
        compile: compileQuery,
      });
      const query =
        'query Q($n: Int) { all: things { name more: things(limit: $n) { ...F ...F } } } fragment F on Thing { name most: things { name } }';
      const operation = engine.prepare({ query });
      if ('errors' in operation) throw new Error('the query is not valid');
      const context = { of: 'this run' };
      for (let turn = 0; turn < 2; turn += 1) await engine.execute(operation, { n: 3 }, context);
      expect(seen.length).to.equal(14);
      expect(seen.slice(7)).to.have.deep.members(seen.slice(0, 7));
    });
  });

  describe('leaves to graphql', () => {
    const left: readonly (readonly [what: string, query: string])[] = [
      ['introspection', '{ __schema { types { name } } }'],
      ['fragments that may come later', '{ ... @defer { things { id } } }'],
      ['an alias that is no name of a property', '{ __proto__: things { id } }'],
    ];
    for (const [what, query] of left) {
      it(what, () => {
        expect(compileQuery(schema, parse(query), undefined)).to.equal(undefined);
      });
    }

    it('mutations, of which the later do not run where an earlier one failed', async () => {
      const ran: string[] = [];
      const mutations = makeExecutableSchema({
        typeDefs: 'type Query { a: Int } type Mutation { step(name: String!, fail: Boolean): Int! }',
        resolvers: {
          Mutation: {
            step: (_: unknown, { name, fail }: { name: string; fail?: boolean }) => {
              ran.push(name);
              if (fail === true) throw new Error('failed');
              return 1;
            },
          },
        },
      });
      const engine = graphqlEngine<undefined>({
        schema: mutations,
        explain,
        report: ignore,
        compile: compileQuery,
      });
      const query = 'mutation { a: step(name: "a") b: step(name: "b", fail: true) c: step(name: "c") }';
      for (let turn = 0; turn < 3; turn += 1) await answer(engine, { query, variables: {} });
      expect(ran).to.deep.equal(['a', 'b', 'a', 'b', 'a', 'b']);
    });
  });
});
