/** Compiled queries answer what interpreted ones do, byte for byte. */

import { makeExecutableSchema } from '@graphql-tools/schema';
import { expect } from 'chai';
import fc from 'fast-check';
import { GraphQLScalarType, parse } from 'graphql';
import { graphqlJit } from '../../../src/runtime/execution/graphql-jit.js';
import {
  type GraphqlEngine,
  type QueryCompiler,
  type Variables,
  graphqlEngine,
} from '../../../src/runtime/graphql/index.js';
import { type RandomQuery, randomQuery, testSchema } from './random-queries.js';

const schema = testSchema();

/** How often a compiled query ran, and how often its result was good enough to be the answer. */
const uses = { compiled: 0, answered: 0 };

const watchedJit: QueryCompiler = (...parameters) => {
  const compiled = graphqlJit(...parameters);
  if (compiled === undefined) return undefined;
  return async (context, variables) => {
    const result = await compiled(context, variables);
    uses.compiled += 1;
    if (result.errors === undefined) uses.answered += 1;
    return result;
  };
};

const ignore = (): void => undefined;
const explain = (error: unknown): { code: string; message: string } => ({
  code: 'FAILED',
  message: String(error),
});
const interpreting = graphqlEngine<undefined>({ schema, explain, report: ignore });
const compiling = graphqlEngine<undefined>({ schema, explain, report: ignore, compile: watchedJit });

const textOf = (body: string | Uint8Array): string =>
  typeof body === 'string' ? body : new TextDecoder().decode(body);

async function answer(engine: GraphqlEngine<undefined>, { query, variables }: RandomQuery): Promise<string> {
  const operation = engine.prepare({ query });
  if ('errors' in operation) return JSON.stringify(operation);
  const { json } = await engine.executeToJson(operation, variables, undefined);
  return textOf(json);
}

describe('graphql-jit', () => {
  it('answers random queries as graphql does: data, order, errors and the propagation of null', async function () {
    this.timeout(30_000);
    const runs = 400;
    await fc.assert(
      fc.asyncProperty(randomQuery, async (question) => {
        const expected = await answer(interpreting, question);
        expect(expected, question.query).not.to.include('GRAPHQL_');
        // The first run is interpreted, the second compiles, the third runs what was compiled.
        for (let turn = 0; turn < 3; turn += 1) expect(await answer(compiling, question)).to.equal(expected);
      }),
      { numRuns: runs },
    );
    // The comparison would be empty if everything fell back.
    expect(uses.compiled).to.be.greaterThan(runs / 2);
    expect(uses.answered).to.be.greaterThan(runs / 3);
  });

  it('answers other variables with the same compiled query', async () => {
    const query = 'query ($limit: Int) { things(limit: $limit) { id children { name } } }';
    for (const variables of [{ limit: 1 }, { limit: 2 }, {}, { limit: 'x' }, { limit: null }, { limit: 4 }]) {
      const expected = await answer(interpreting, { query, variables });
      expect(await answer(compiling, { query, variables })).to.equal(expected);
    }
  });

  describe('leaves to graphql', () => {
    const left: readonly (readonly [what: string, query: string])[] = [
      ['conditions', 'query ($yes: Boolean!) { things { id @include(if: $yes) } }'],
      ['variables in an input object', 'query ($limit: Int) { things(filter: { limit: $limit }) { id } }'],
      ['interfaces', '{ named { name } }'],
      ['unions', '{ any { __typename } }'],
      ['an alias that is no name of a property', '{ __proto__: thing(id: 1) { id } }'],
    ];
    for (const [what, query] of left) {
      it(what, () => {
        expect(graphqlJit(schema, parse(query), undefined)).to.equal(undefined);
      });
    }

    const inputs = makeExecutableSchema({
      typeDefs: `
        scalar Moment
        enum Level { LOW }
        input In { a: Int, n: In }
        input One @oneOf { a: Int, b: Int }
        type Query { in(in: In, list: [In!]): String, one(a: One, b: One, c: One): String, at(at: Moment): String, level(level: Level = LOW): String }
      `,
      resolvers: {
        Query: Object.fromEntries(
          ['in', 'one', 'at', 'level'].map((name) => [
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
      ['literals of custom scalars', '{ at(at: "2026-01-01") }', {}],
      ['defaults of variables of custom scalars', 'query ($at: Moment = "2026-01-01") { at(at: $at) }', {}],
      ['defaults of enums with objects as their values', '{ level }', {}],
    ];
    for (const [what, query, variables] of requests) {
      it(what, async () => {
        expect(graphqlJit(inputs, parse(query), undefined)).to.equal(undefined);
        const [one, other] = [undefined, graphqlJit].map((compile) =>
          graphqlEngine<undefined>({ schema: inputs, explain, report: ignore, ...(compile && { compile }) }),
        ) as [GraphqlEngine<undefined>, GraphqlEngine<undefined>];
        const expected = await answer(one, { query, variables });
        for (let turn = 0; turn < 3; turn += 1) {
          expect(await answer(other, { query, variables })).to.equal(expected);
        }
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
        compile: graphqlJit,
      });
      const query = 'mutation { a: step(name: "a") b: step(name: "b", fail: true) c: step(name: "c") }';
      for (let turn = 0; turn < 3; turn += 1) await answer(engine, { query, variables: {} });
      expect(ran).to.deep.equal(['a', 'b', 'a', 'b', 'a', 'b']);
    });
  });
});
