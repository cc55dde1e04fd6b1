/** What the engine remembers of the documents that it was asked to run. */

import { makeExecutableSchema } from '@graphql-tools/schema';
import { expect } from 'chai';
import { Problem } from '../../../src/runtime/http/problem.js';
import { graphqlEngine } from '../../../src/runtime/graphql/index.js';
import { unexpectedReport } from '../../support/unexpected-report.js';

const schema = makeExecutableSchema({
  typeDefs: 'type Query { a: Int, b: Query }',
  resolvers: { Query: { a: () => 1, b: () => ({}) } },
});

function engineFor(cache: { readonly documents: number }) {
  return graphqlEngine<undefined>({
    schema,
    cache,
    limits: { depth: 3, tokens: 50, aliases: 1 },
    explain: () => undefined,
    report: unexpectedReport,
  });
}

describe('a GraphQL engine', () => {
  it('prepares a document once, and again only when others have taken its place', () => {
    const engine = engineFor({ documents: 2 });
    const first = engine.prepare({ query: '{ a }' });
    expect(first).not.to.have.property('errors');
    expect(engine.prepare({ query: '{ a }' })).to.equal(first);
    for (const query of ['{ b { a } }', '{ a b { a } }']) engine.prepare({ query });
    expect(engine.prepare({ query: '{ a }' })).not.to.equal(first);
  });

  it('evicts no document for one that is refused, for any reason', () => {
    const engine = engineFor({ documents: 1 });
    const good = engine.prepare({ query: '{ a }' });
    const refused: Readonly<Record<string, string>> = {
      '{ a': 'GRAPHQL_PARSE_FAILED',
      '{ c }': 'GRAPHQL_VALIDATION_FAILED',
      '{ b { b { b { a } } } }': 'LIMIT_EXCEEDED',
      '{ x: a y: a }': 'LIMIT_EXCEEDED',
      [`{ ${'a '.repeat(50)} }`]: 'LIMIT_EXCEEDED',
    };
    for (const [query, code] of Object.entries(refused)) {
      for (let turn = 0; turn < 3; turn += 1) {
        expect(engine.prepare({ query }), query).to.have.nested.property('errors[0].extensions.code', code);
      }
    }
    expect(engine.prepare({ query: '{ a }' })).to.equal(good);
  });

  for (const [status, code] of [
    [400, 'BAD_USER_INPUT'],
    [401, 'UNAUTHENTICATED'],
    [403, 'FORBIDDEN'],
    [404, 'NOT_FOUND'],
    [409, 'CONFLICT'],
    [429, 'LIMIT_EXCEEDED'],
    [501, 'NOT_IMPLEMENTED'],
    [503, 'SERVICE_UNAVAILABLE'],
  ] as const) {
    it(`shows a problem with the status ${String(status)} that a resolver throws as ${code}, as REST does`, async () => {
      const refusing = makeExecutableSchema({
        typeDefs: 'type Query { a: Int }',
        resolvers: {
          Query: {
            a: () => {
              throw new Problem(status, 'There is no such order');
            },
          },
        },
      });
      const engine = graphqlEngine<undefined>({
        schema: refusing,
        explain: () => undefined,
        report: unexpectedReport,
      });
      const operation = engine.prepare({ query: '{ a }' });
      if ('errors' in operation) throw new Error('the document is refused');
      const { errors } = await engine.execute(operation, {}, undefined);
      expect(errors?.map(({ message, extensions }) => [message, extensions?.['code']])).to.deep.equal([
        ['There is no such order', code],
      ]);
    });
  }

  it('masks errors when its explanation or its report fails', async () => {
    const fail = (): never => {
      throw new Error('no log');
    };
    const ticking = makeExecutableSchema({
      typeDefs: 'type Query { a: Int } type Subscription { tick: Int }',
      resolvers: {
        Query: { a: fail },
        Subscription: {
          tick: {
            subscribe: async function* () {
              yield await Promise.resolve({ id: '1' });
            },
            resolve: () => Promise.reject(new Error('no tick')),
          },
        },
      },
    });
    for (const explain of [fail, () => undefined]) {
      const engine = graphqlEngine<object>({ schema: ticking, explain, report: fail, eventId: () => '1' });
      const prepare = (query: string) => {
        const operation = engine.prepare({ query });
        if ('errors' in operation) throw new Error(JSON.stringify(operation));
        return operation;
      };
      const masked = { message: 'Internal server error', extensions: { code: 'INTERNAL_SERVER_ERROR' } };
      expect(engine.failure(new Error('no session'))).to.deep.equal(masked);
      const results = await engine.subscribe(prepare('subscription { tick }'), {}, () => ({}));
      if (!(Symbol.asyncIterator in results)) throw new Error(JSON.stringify(results));
      for (const { errors } of [
        await engine.execute(prepare('{ a }'), {}, {}),
        (await results.next()).value ?? {},
      ]) {
        expect(errors).to.have.lengthOf(1);
        expect(errors?.[0]).to.deep.include(masked);
      }
    }
  });
});
