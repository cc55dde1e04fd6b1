/** No promise that an operation has begun rejects unhandled, whatever fails beside it. */

import { setImmediate as turn } from 'node:timers/promises';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { expect } from 'chai';
import { compileQuery } from '../../../src/runtime/graphql/compiler/query-compiler.js';
import { type RunningOperation, graphqlEngine } from '../../../src/runtime/graphql/index.js';

const typeDefs = `
  type Query { required: [Item!], list: [Item], texts: [String!], lateTexts: [String!], lateItems: [Item!], many: [Item], ends: Int, sure: Item!, soon: Item!, lists: [[String!]!], item: Item, thing: Thing, generated: [Item!] }
  type Mutation { change: [Item!] }
  type Subscription { event: [Item!] }
  interface Thing { id: ID }
  type Item { texts: [String!], items: [Item!], late: String!, now: String!, both: String, child: Item! }
  type First implements Thing { id: ID }
  type Second implements Thing { id: ID }
`;

const failure = new Error('a resolver failed');

/** It rejects some turns later, when its operation may have ended. */
async function late(): Promise<never> {
  for (let count = 0; count < 3; count += 1) await turn();
  throw failure;
}

const now = (): never => {
  throw failure;
};

const items = () => [{ now: 'ready' }, { now: 'ready' }, {}];
const lateItems = () => [late(), late(), null, late()];

let running: RunningOperation | undefined;

const resolvers = {
  Query: {
    required: items,
    list: () => [...items(), late(), late()],
    texts: () => [late(), null, late()],
    lateTexts: async () => (await turn(), [late(), null, late()]),
    lateItems: async () => (await turn(), lateItems()),
    many: () => Array.from({ length: 300 }, () => ({})),
    ends: () => running?.refuse('enough'),
    sure: () => now(),
    soon: () => Promise.reject(failure),
    lists: () => [[late(), 'a'], [null, late()], late()],
    // graphql-js reads no later property when an earlier one fails at once.
    item: () => ({ now, late: late(), child: late() }),
    thing: () => ({}),
    *generated() {
      yield late();
      yield now();
    },
  },
  Mutation: { change: lateItems },
  Subscription: {
    event: {
      async *subscribe() {
        yield { event: lateItems() };
        yield await Promise.resolve({ event: items() });
      },
    },
  },
  Item: {
    texts: async () => (await turn(), [late(), null, late()]),
    items: async () => (await turn(), lateItems()),
    late: (item: { readonly late?: unknown }) => item.late ?? late(),
    now: (item: { readonly now?: unknown }) => item.now ?? now(),
  },
  First: { __isTypeOf: late },
  Second: { __isTypeOf: () => true },
};

const engine = graphqlEngine<undefined>({
  schema: makeExecutableSchema({ typeDefs, resolvers }),
  compile: compileQuery,
  begin: (_, begun) => (running = begun),
  explain: () => ({ code: 'FAILED', message: 'failed' }),
  report: () => undefined,
});

function prepared(query: string) {
  const operation = engine.prepare({ query });
  if ('errors' in operation) throw new Error(JSON.stringify(operation.errors));
  return operation;
}

describe('promises of an operation that fails', () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown): unknown => unhandled.push(reason);
  let others: NodeJS.UnhandledRejectionListener[] = [];

  beforeEach(() => {
    unhandled.length = 0;
    others = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection');
    process.on('unhandledRejection', note);
  });

  afterEach(async () => {
    for (let count = 0; count < 10; count += 1) await turn();
    process.off('unhandledRejection', note);
    for (const each of others) process.on('unhandledRejection', each);
    expect(unhandled).to.deep.equal([]);
  });

  const queries = [
    '{ required { late now } }',
    '{ required { now late } }',
    '{ list { late now } }',
    '{ list { child { late now } now } }',
    '{ texts }',
    '{ lists }',
    '{ lateTexts sure { now } }',
    '{ sure { now } lateTexts }',
    '{ lateTexts soon { now } }',
    '{ lateTexts item { now } }',
    '{ lateItems { now } sure { now } }',
    '{ lateItems { now } ends }',
    '{ lateTexts ends }',
    '{ many { texts } sure { now } }',
    '{ many { items { now } } sure { now } }',
    '{ many { texts items { now } } item { now } }',
    '{ item { now late child { now late } } }',
    '{ item { now child { now } both late } }',
    '{ thing { id } }',
    '{ generated { late } }',
    '{ required { late now } texts lists list { now } item { late now } }',
    'mutation { change { late } again: change { now } }',
  ];
  for (const query of queries) {
    it(`are handled: ${query}`, async () => {
      const operation = prepared(query);
      // The second run is compiled, and the third one too.
      for (let count = 0; count < 3; count += 1) {
        const { errors } = await engine.execute(operation, undefined, undefined);
        if (!query.includes('thing')) expect(errors).to.not.equal(undefined);
      }
    });
  }

  it('are handled in events of a subscription', async () => {
    const results = await engine.subscribe(
      prepared('subscription { event { late now } }'),
      undefined,
      () => undefined,
    );
    if (!(Symbol.asyncIterator in results)) throw new Error('it does not start');
    let count = 0;
    for await (const { errors } of results) {
      expect(errors).to.not.equal(undefined);
      count += 1;
    }
    expect(count).to.equal(2);
  });
});
