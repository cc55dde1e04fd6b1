/** What one execution may take: the bytes of its response, and its time, however it is run. */

import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { expect } from 'chai';
import { until } from '../../support/until.js';
import { GraphQLScalarType } from 'graphql';
import type { FormattedExecutionResult } from 'graphql';
import { compileQuery } from '../../../src/runtime/graphql/compiler/query-compiler.js';
import { type RunningOperation, graphqlEngine } from '../../../src/runtime/graphql/index.js';
import { unexpectedReport } from '../../support/unexpected-report.js';

const typeDefs = `
  scalar Any
  type Query { item: Item, items(count: Int!): [Item!]!, any: Any, late: String, fails: String, never: Item, nested: [[String]] }
  type Mutation { step(name: String!, wait: Boolean): String }
  type Subscription { event(sizes: [Int!]!): String, slow: String }
  type Item { text: String!, made: String, madeLate: String, child: Item, waits: Item }
`;

const text = 'x'.repeat(1000);
const item = { text };
const failure = new Error('it fails');
const cyclic: { self?: object } = {};
cyclic.self = cyclic;

/** What the resolvers did. */
/** The time of an operation, in seconds. */
const LIMIT = 0.05;

/** Milliseconds after which an operation has ended: resolvers sleep so long to show that nothing waits for them. */
const LATER = 80;

interface Seen {
  made: number;
  readonly steps: string[];
  running: RunningOperation | undefined;
  /** Whether the source of `slow` was ended. */
  hasEnded: boolean;
}

function setUp(limits: { readonly responseBytes?: number; readonly seconds?: number }) {
  const seen: Seen = { made: 0, steps: [], running: undefined, hasEnded: false };
  const over = { done: true, value: undefined } as const;
  const source = {
    next: () => Promise.resolve(over),
    // Its error is too late for the client.
    return: () => ((seen.hasEnded = true), Promise.reject(new Error('the source is gone'))),
    [Symbol.asyncIterator]: () => source,
  };
  const resolvers = {
    Any: new GraphQLScalarType({ name: 'Any', serialize: (value) => value }),
    Query: {
      item: () => item,
      items: (_: unknown, { count }: { count: number }) => Array.from({ length: count }, () => item),
      any: () => cyclic,
      late: () => sleep(20, text),
      fails: () => Promise.reject(failure),
      never: () => new Promise(() => undefined),
      nested: () => [[text, text], [text]],
    },
    Mutation: {
      step: async (_: unknown, { name, wait }: { name: string; wait?: boolean }) => {
        if (wait === true) await sleep(LATER);
        seen.steps.push(name);
        return name;
      },
    },
    Subscription: {
      event: {
        async *subscribe(_: unknown, { sizes }: { sizes: readonly number[] }) {
          for (const size of sizes) yield await Promise.resolve({ event: 'x'.repeat(size) });
        },
      },
      slow: { subscribe: () => sleep(LATER, source) },
    },
    Item: {
      made: () => ((seen.made += 1), text),
      madeLate: () => sleep(1, text).finally(() => (seen.made += 1)),
      child: () => item,
      waits: () => sleep(30, item),
    },
  };
  const engine = graphqlEngine<undefined>({
    schema: makeExecutableSchema({ typeDefs, resolvers }),
    compile: compileQuery,
    limits: { aliases: 1000, ...limits },
    begin: (_, running) => (seen.running = running),
    explain: (error) => (error === failure ? { code: 'FAILED', message: 'it fails' } : undefined),
    report: unexpectedReport,
  });
  return { engine, seen };
}

type Engine = ReturnType<typeof setUp>['engine'];

async function run(engine: Engine, query: string): Promise<FormattedExecutionResult> {
  const operation = engine.prepare({ query });
  return 'errors' in operation ? operation : await engine.execute(operation, undefined, undefined);
}

/** The same as JSON, read again. */
async function runToJson(engine: Engine, query: string): Promise<unknown> {
  const operation = engine.prepare({ query });
  if ('errors' in operation) return operation;
  const { result, json } = await engine.executeToJson(operation, undefined, undefined);
  const read: unknown = JSON.parse(typeof json === 'string' ? json : new TextDecoder().decode(json));
  expect(read).to.deep.equal(JSON.parse(JSON.stringify(result)));
  return read;
}

const tooLarge = (bytes: number): FormattedExecutionResult => ({
  errors: [
    {
      message: `The response would have more than ${String(bytes)} bytes: ask for less`,
      extensions: { code: 'LIMIT_EXCEEDED' },
    },
  ],
  data: null,
});

const aliases = (count: number, field: string): string =>
  Array.from({ length: count }, (_, n) => `a${String(n)}: ${field}`).join(' ');

describe('the limit of a GraphQL response', () => {
  const queries: Readonly<Record<string, string>> = {
    'a property under many aliases': `{ item { ${aliases(10, 'text')} } }`,
    'a list': '{ items(count: 10) { text } }',
    'values of resolvers': `{ item { ${aliases(10, 'made')} } }`,
    'values that resolvers make later': `{ item { ${aliases(10, 'madeLate')} } }`,
    'lists of lists': `{ ${aliases(3, 'nested')} }`,
    'a value of a custom scalar that contains itself': '{ any }',
  };
  for (const [what, query] of Object.entries(queries)) {
    it(`holds for ${what}, interpreted and compiled`, async () => {
      const { engine } = setUp({ responseBytes: 5000 });
      for (let turn = 0; turn < 2; turn += 1) {
        expect(await run(engine, query)).to.deep.equal(tooLarge(5000));
      }
    });

    it(`holds for ${what} as JSON, interpreted and compiled`, async () => {
      const { engine } = setUp({ responseBytes: 5000 });
      for (let turn = 0; turn < 2; turn += 1) {
        expect(await runToJson(engine, query)).to.deep.equal(tooLarge(5000));
      }
    });
  }

  it('is exact for JSON', async () => {
    const query = '{ items(count: 100) { text } }';
    const length = JSON.stringify({ data: { items: Array.from({ length: 100 }, () => item) } }).length;
    for (const [limit, isEnough] of [
      [length, true],
      [length - 1, false],
    ] as const) {
      const { engine } = setUp({ responseBytes: limit });
      // The first run is interpreted, and estimated.
      await run(engine, query);
      for (let turn = 0; turn < 2; turn += 1) {
        const read = (await runToJson(engine, query)) as FormattedExecutionResult;
        expect('errors' in read).to.equal(!isEnough);
      }
    }
  });

  it('lets pass what is within it', async () => {
    const { engine } = setUp({ responseBytes: 5000 });
    for (let turn = 0; turn < 2; turn += 1) {
      const query = '{ items(count: 4) { text } }';
      const items = [item, item, item, item];
      expect(await run(engine, query)).to.deep.equal({ data: { items } });
      expect(await runToJson(engine, query)).to.deep.equal({ data: { items } });
    }
  });

  it('counts a late text once, also when a compiled query fails before', async () => {
    const { engine } = setUp({ responseBytes: 1500 });
    for (let turn = 0; turn < 2; turn += 1) {
      const { data, errors } = await run(engine, '{ late fails }');
      expect(data).to.deep.equal({ late: text, fails: null });
      expect(errors).to.have.length(1);
    }
  });

  it('counts the names of the response', async () => {
    const { engine } = setUp({ responseBytes: 50_000 });
    const query = `{ items(count: 1000) { ${'x'.repeat(60)}: __typename } }`;
    expect(await run(engine, query)).to.deep.equal(tooLarge(50_000));
  });

  it('counts texts in the bytes of UTF-8', async () => {
    const schema = makeExecutableSchema({
      typeDefs: 'type Query { text: String }',
      resolvers: { Query: { text: () => '語'.repeat(1000) } },
    });
    const engine = graphqlEngine<undefined>({
      schema,
      limits: { responseBytes: 2000 },
      explain: () => undefined,
      report: () => undefined,
    });
    expect(await run(engine, '{ text }')).to.deep.equal(tooLarge(2000));
  });

  it('ends the calls of resolvers once it is reached', async () => {
    const { engine, seen } = setUp({ responseBytes: 5000 });
    const query = `{ items(count: 100) { made child { made child { made } } } }`;
    for (let turn = 0; turn < 2; turn += 1) {
      seen.made = 0;
      expect(await run(engine, query)).to.deep.equal(tooLarge(5000));
      expect(seen.made).to.be.within(1, 10);
    }
  });

  it('lets no later mutation run', async () => {
    const { engine, seen } = setUp({ responseBytes: 100 });
    const name = 'n'.repeat(90);
    const query = `mutation { a: step(name: "${name}") b: step(name: "${name}") c: step(name: "c") }`;
    expect(await run(engine, query)).to.deep.equal(tooLarge(100));
    expect(seen.steps).to.deep.equal([name, name]);
  });

  it('holds for each event of a subscription on its own', async () => {
    const { engine } = setUp({ responseBytes: 5000 });
    const operation = engine.prepare({ query: 'subscription { event(sizes: [4000, 6000, 4000, 4000]) }' });
    if ('errors' in operation) throw new Error('it does not run');
    const results = await engine.subscribe(operation, undefined, () => undefined);
    if (!(Symbol.asyncIterator in results)) throw new Error('it does not start');
    const codes: unknown[] = [];
    for await (const { errors } of results) codes.push(errors?.[0]?.extensions?.['code']);
    expect(codes).to.deep.equal([undefined, 'LIMIT_EXCEEDED', undefined, undefined]);
  });
});

describe('the time of a GraphQL operation', () => {
  const tooLong: FormattedExecutionResult = {
    errors: [
      {
        message: 'The operation took longer than 0.05 seconds',
        extensions: { code: 'LIMIT_EXCEEDED' },
      },
    ],
    data: null,
  };

  it('ends at the limit, interpreted and compiled, and its signal aborts', async () => {
    const { engine, seen } = setUp({ seconds: LIMIT });
    for (let turn = 0; turn < 2; turn += 1) {
      const start = performance.now();
      const ending = run(engine, '{ late never { text } }');
      const signal = seen.running?.signal;
      expect(signal?.aborted).to.equal(false);
      expect(await ending).to.deep.equal(tooLong);
      expect(performance.now() - start).to.be.at.least(1000 * LIMIT - 10);
      expect(signal?.aborted).to.equal(true);
      expect(() => seen.running?.check()).to.throw('longer');
    }
  });

  it('lets no later resolver run', async () => {
    const { engine, seen } = setUp({ seconds: LIMIT });
    const query = '{ item { waits { waits { waits { waits { waits { made } } } } } } }';
    for (let turn = 0; turn < 2; turn += 1) expect(await run(engine, query)).to.deep.equal(tooLong);
    await sleep(2 * LATER);
    expect(seen.made).to.equal(0);
  });

  it('lets no later mutation run', async () => {
    const { engine, seen } = setUp({ seconds: LIMIT });
    const query = 'mutation { a: step(name: "a", wait: true) b: step(name: "b") }';
    expect(await run(engine, query)).to.deep.equal(tooLong);
    await sleep(2 * LATER);
    expect(seen.steps).to.deep.equal(['a']);
  });

  it('ends a subscription that does not start, and its source once it has started', async () => {
    const { engine, seen } = setUp({ seconds: LIMIT });
    const operation = engine.prepare({ query: 'subscription { slow }' });
    if ('errors' in operation) throw new Error('it does not run');
    const unhandled: unknown[] = [];
    const note = (reason: unknown): unknown => unhandled.push(reason);
    process.on('unhandledRejection', note);
    expect(await engine.subscribe(operation, undefined, () => undefined)).to.deep.equal(tooLong);
    await until('its source has ended', () => seen.hasEnded);
    process.off('unhandledRejection', note);
    expect(unhandled).to.deep.equal([]);
  });

  it('is not that of a subscription, only that of its start', async () => {
    const { engine } = setUp({ seconds: LIMIT });
    const operation = engine.prepare({ query: 'subscription { event(sizes: [1, 2]) }' });
    if ('errors' in operation) throw new Error('it does not run');
    const results = await engine.subscribe(operation, undefined, () => undefined);
    if (!(Symbol.asyncIterator in results)) throw new Error('it does not start');
    await results.next();
    await sleep(LATER);
    expect(await results.next()).to.deep.include({ value: { data: { event: 'xx' } } });
    await results.return();
  });
});

describe('the end of a GraphQL operation', () => {
  const ITEMS = 1000;

  /** So long that all calls take many turns on any machine. */
  function takeTime(): void {
    for (const start = performance.now(); performance.now() - start < 0.02;);
  }

  for (const how of ['interpreted', 'compiled'] as const) {
    function setUpLong() {
      const seen = { calls: 0, running: undefined as RunningOperation | undefined };
      const engine = graphqlEngine<undefined>({
        schema: makeExecutableSchema({
          typeDefs: 'type Query { items: [Item!] } type Item { made: Int!, later: Int!, items: [Item!] }',
          resolvers: {
            Query: { items: () => Array.from({ length: ITEMS }, () => ({})) },
            Item: {
              made: () => (takeTime(), (seen.calls += 1)),
              later: async () => (await Promise.resolve(), 1),
              items: () => Array.from({ length: 10 }, () => ({})),
            },
          },
        }),
        compile: compileQuery,
        begin: (_, running) => (seen.running = running),
        explain: () => undefined,
        report: unexpectedReport,
      });
      const operation = engine.prepare({ query: '{ items { made later items { made } } }' });
      if ('errors' in operation) throw new Error('it does not run');
      if (how === 'compiled') operation.compiled();
      return {
        seen,
        execute: (cancel?: AbortController) => engine.execute(operation, undefined, undefined, {}, cancel),
      };
    }

    it(`lets others run in between, ${how}`, async () => {
      const { seen, execute } = setUpLong();
      const counts = new Set<number>();
      const state = { isOver: false };
      const result = Promise.resolve(execute()).finally(() => (state.isOver = true));
      while (!state.isOver) {
        await turn();
        counts.add(seen.calls);
      }
      expect((await result).errors).to.equal(undefined);
      expect(seen.calls).to.equal(11 * ITEMS);
      expect(counts.size).to.be.above(2);
    });

    for (const [why, message] of [
      ['its client leaves', 'The client has left'],
      ['a resolver refuses it', 'too many'],
    ] as const) {
      it(`calls no resolver any more when ${why}, ${how}`, async () => {
        const { seen, execute } = setUpLong();
        const client = new AbortController();
        const result = execute(client);
        // An execution learns of its client only after some time, and in a turn of its own.
        const turns = new Set<number>();
        for (const start = performance.now(); turns.size < 3 && seen.calls < 11 * ITEMS;) {
          await turn();
          if (performance.now() - start > 40) turns.add(seen.calls);
        }
        if (why === 'its client leaves') client.abort();
        else expect(() => seen.running?.refuse('too many')).to.throw('too many');
        const { calls } = seen;
        const { errors = [], data } = await result;
        expect(errors.map((error) => error.message)).to.deep.equal([message]);
        expect(data).to.equal(null);
        for (let count = 0; count < 5; count += 1) await turn();
        expect(seen.calls).to.equal(calls);
        expect(calls).to.be.below(11 * ITEMS);
      });
    }
  }
});
