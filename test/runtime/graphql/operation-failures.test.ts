/** Each failure of an operation is an error of that operation, over HTTP and before it runs. */

import { makeExecutableSchema } from '@graphql-tools/schema';
import { expect } from 'chai';
import { type GraphQLError, GraphQLScalarType } from 'graphql';
import { graphqlEngine, graphqlHttp } from '../../../src/runtime/graphql/index.js';
import { Problem } from '../../../src/runtime/http/problem.js';
import { fetchTransport } from '../../../src/runtime/transports/fetch.js';

const typeDefs = `
  scalar Big
  type Query { up: String, down: String, required: String!, big: Big }
  type Mutation { write: Written!, refuse: Written!, maybe: Written }
  type Written { id: Int!, read: Int! }
  type Subscription { event: String }
`;

const down = (): never => {
  throw new Problem(503, 'The store does not answer', { 'Retry-After': '7' });
};

const reported: unknown[] = [];
const engine = graphqlEngine<undefined>({
  schema: makeExecutableSchema({
    typeDefs,
    resolvers: {
      Big: new GraphQLScalarType({ name: 'Big', serialize: (value) => value }),
      Mutation: { write: () => ({ id: 1 }), maybe: down, refuse: down },
      Written: { read: down },
      Query: { up: () => 'up', down, required: down, big: () => 1n },
      Subscription: { event: { subscribe: () => [] } },
    },
  }),
  explain: () => undefined,
  report: (error) => reported.push(error),
});

function serve(openSession: () => { readonly context: undefined }) {
  const handle = fetchTransport(graphqlHttp(engine, { openSession }));
  return (query: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
    Promise.resolve(
      handle(
        new Request('http://localhost/graphql', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', ...headers },
          body: JSON.stringify({ query, operationName: /query (\w+)/.exec(query)?.[1] }),
        }),
      ),
    );
}

const ask = serve(() => ({ context: undefined }));

async function codesOf(answer: Response): Promise<readonly unknown[]> {
  const { errors = [] } = (await answer.json()) as { readonly errors?: readonly GraphQLError[] };
  return errors.map(({ extensions }) => extensions['code']);
}

beforeEach(() => {
  reported.length = 0;
});

describe('conditions at the root of a subscription', () => {
  const documents = [
    'subscription ($is: Boolean!) { event @skip(if: $is) }',
    'subscription ($is: Boolean!) { event @include(if: $is) }',
    'subscription { event @skip(if: false) }',
    'subscription { ... @include(if: true) { event } }',
    'subscription { ...F @skip(if: false) } fragment F on Subscription { event }',
    'subscription { ...F } fragment F on Subscription { ...G } fragment G on Subscription { event @skip(if: true) }',
    'subscription S($is: Boolean!) { event @skip(if: $is) } query Q { up }',
  ];
  for (const query of documents) {
    it(`are errors of validation: ${query}`, async () => {
      const answer = await ask(query);
      expect(answer.status).to.equal(200);
      expect(await codesOf(answer)).to.deep.equal(['GRAPHQL_VALIDATION_FAILED']);
      expect(reported).to.deep.equal([]);
    });
  }

  it('are allowed elsewhere', () => {
    for (const query of [
      'query ($is: Boolean!) { up @skip(if: $is) }',
      'subscription S { event } query Q($is: Boolean!) { ...F } fragment F on Query { up @skip(if: $is) }',
    ]) {
      const prepared = engine.prepare({ query, operationName: query.includes('Q') ? 'Q' : undefined });
      expect(prepared).to.not.have.property('errors');
    }
  });
});

describe('an outage over GraphQL', () => {
  it('is a 503 with Retry-After where nothing could be read', async () => {
    for (const query of ['{ down }', '{ required up }', '{ a: down b: down }']) {
      const answer = await ask(query);
      expect([answer.status, answer.headers.get('retry-after')]).to.deep.equal([503, '7']);
      for (const code of await codesOf(answer)) expect(code).to.equal('SERVICE_UNAVAILABLE');
    }
  });

  it('is no 503 after a field of a mutation has written', async () => {
    const fragment = 'mutation { ...F } fragment F on Mutation';
    for (const query of [
      'mutation { write { id read } }',
      'mutation { write { id } refuse { id } }',
      'mutation { write { id } maybe { id } }',
      `${fragment} { write { id } refuse { id } }`,
    ]) {
      const answer = await ask(query);
      expect([query, answer.status, answer.headers.get('retry-after')]).to.deep.equal([query, 200, null]);
      expect(await codesOf(answer)).to.deep.equal(['SERVICE_UNAVAILABLE']);
    }
    for (const query of ['mutation { refuse { id } }', 'mutation { maybe { id } }']) {
      expect((await ask(query)).status).to.equal(503);
    }
  });

  it('is a 503 where the caller cannot be found out', async () => {
    const answer = await serve(down)('{ up }');
    expect([answer.status, answer.headers.get('retry-after')]).to.deep.equal([503, '7']);
  });

  it('is an error beside what could be read', async () => {
    const answer = await ask('{ up down }');
    expect([answer.status, answer.headers.get('retry-after')]).to.deep.equal([200, null]);
  });
});

it('a compressed body of GraphQL is a 415 that says so', async () => {
  const answer = await ask('{ up }', { 'Content-Encoding': 'gzip' });
  expect([answer.status, answer.headers.get('accept-encoding')]).to.deep.equal([415, 'identity']);
  expect(await answer.text()).to.contain('must not be compressed');
});

it('a value that JSON does not have is an error of its operation', async () => {
  const answer = await ask('{ big }');
  expect(answer.status).to.equal(200);
  expect(await codesOf(answer)).to.deep.equal(['INTERNAL_SERVER_ERROR']);
  expect(reported.length).to.equal(1);
});
