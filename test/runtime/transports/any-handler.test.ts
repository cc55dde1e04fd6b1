/** What works behind one transport works behind all: GraphQL with its subscriptions, and bodies of any size. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { GraphQLError, buildSchema } from 'graphql';
import type { ServedHandler } from '../../../src/runtime/conformance/index.js';
import { graphqlEngine, graphqlHttp } from '../../../src/runtime/graphql/index.js';
import { until } from '../../support/until.js';
import { listeners, listenTo } from './listeners.js';
import { patientNow } from '../../support/durations.js';

const MEBIBYTE = 1024 * 1024;

const schema = buildSchema(`
  type Query { count: Int! }
  type Mutation { add(by: Int!): Int! }
  type Subscription { counted: Int! }
`);

/** Counts for its subscribers until they leave. */
class Counter {
  value = 0;
  subscribers = 0;

  readonly rootValue = {
    count: () => this.value,
    add: ({ by }: { readonly by: number }) => (this.value += by),
  };

  async *counted(): AsyncGenerator<{ readonly counted: number }, void, void> {
    this.subscribers += 1;
    try {
      for (let counted = 1; ; counted += 1) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        yield { counted };
      }
    } finally {
      this.subscribers -= 1;
    }
  }
}

for (const [name, listen] of Object.entries(listeners)) {
  describe(`any handler behind ${name}`, () => {
    const counter = new Counter();
    let served: ServedHandler;

    before(async () => {
      const fields = { Query: ['count'], Mutation: ['add'] } as const;
      for (const [type, names] of Object.entries(fields)) {
        for (const field of names) {
          const resolve = counter.rootValue[field as 'count'] as (args: unknown) => number;
          const definition = schema.getType(type);
          if (definition === undefined || !('getFields' in definition)) throw new GraphQLError(type);
          Object.assign(definition.getFields()[field] ?? {}, {
            resolve: (_source: unknown, parameters: unknown) => resolve(parameters),
          });
        }
      }
      Object.assign(schema.getSubscriptionType()?.getFields()['counted'] ?? {}, {
        subscribe: () => counter.counted(),
      });
      const engine = graphqlEngine<undefined>({ schema, explain: () => undefined, report: () => undefined });
      const handler = graphqlHttp(engine, { openSession: () => ({ context: undefined }) });
      served = await listenTo(listen(handler));
    });
    after(() => served.close());

    const ask = (query: string, accept = 'application/json', signal?: AbortSignal): Promise<Response> =>
      fetch(`${served.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept },
        body: JSON.stringify({ query }),
        ...(signal && { signal }),
      });

    it('answers queries and mutations', async () => {
      expect(await (await ask('mutation { add(by: 2) }')).json()).to.deep.equal({ data: { add: 2 } });
      expect(await (await ask('{ count }')).json()).to.deep.equal({ data: { count: 2 } });
    });

    it('streams a subscription, which ends within a second when its client goes', async () => {
      const client = new AbortController();
      const response = await ask('subscription { counted }', 'text/event-stream', client.signal);
      let text = '';
      for await (const chunk of response.body ?? []) {
        text += Buffer.from(chunk).toString();
        if (text.includes('"counted":3')) break;
      }
      expect(text).to.match(/^:\n\nevent: next\ndata: \{"data":\{"counted":1\}\}\n\n/);
      client.abort();
      const left = patientNow();
      await until('the producer has ended', () => counter.subscribers === 0);
      expect(patientNow() - left).to.be.lessThan(1000);
    });

    it('sends 256 MiB with less than 50 MiB of memory', async () => {
      const server: ChildProcess = spawn(
        process.execPath,
        [
          '--expose-gc',
          '--conditions=@concordat/source',
          '--import',
          'tsx',
          'test/runtime/transports/large-body-server.ts',
          name,
        ],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      try {
        const [line] = (await once(server.stdout ?? server, 'data')) as [Buffer];
        const url = line.toString().trim();
        const peak = async (): Promise<number> => Number(await (await fetch(`${url}/rss`)).text());
        await peak();
        const before = await peak();
        let bytes = 0;
        const { body } = await fetch(`${url}/large`);
        for await (const chunk of body ?? []) bytes += Buffer.from(chunk).length;
        expect(bytes).to.equal(256 * MEBIBYTE);
        const grown = ((await peak()) - before) / MEBIBYTE;
        console.log(`      ${name}: ${grown.toFixed(1)} MiB more at most`);
        expect(grown).to.be.lessThan(50);
      } finally {
        server.kill();
      }
    });
  });
}
