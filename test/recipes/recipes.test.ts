/** The recipes of the README, each with the core's contract and GraphQL, asked over HTTP. */

import type { RequestListener } from 'node:http';
import { expect } from 'chai';
import { type GraphqlClient, graphqlHttp } from '../../src/runtime/graphql/index.js';
import type { ServedHandler } from '../../src/runtime/conformance/index.js';
import type { HttpHandler, RestEngine } from '../../src/runtime/index.js';
import { openGraphqlSession, serviceGraphqlEngine } from '../../src/core/resolvers/index.js';
import type { Caller } from '../../src/core/services/rights/caller.js';
import { serviceEngine } from '../../src/core/operations/rest-engine.js';
import { openPolicy } from '../../src/core/services/rights/policy.js';
import { type Services, createServices } from '../../src/core/services/services.js';
import { memoryStorage } from '../../src/core/storage/memory.js';
import { fetchListener, listenTo } from '../runtime/transports/listeners.js';
import { expressApp } from './express.js';
import { fastifyApp } from './fastify.js';
import { honoApp } from './hono.js';
import { koaApp } from './koa.js';
import { nestApp } from './nest.js';
import { nodeServer } from './node.js';

type Recipe = (engine: RestEngine<Caller>, graphql: HttpHandler) => Promise<RequestListener>;

const recipes: Readonly<Record<string, Recipe>> = {
  Koa: (...handlers) => Promise.resolve(koaApp(...handlers).callback()),
  Express: (...handlers) => Promise.resolve(expressApp(...handlers) as RequestListener),
  Fastify: async (...handlers) => {
    const app = fastifyApp(...handlers);
    await app.ready();
    return (request, response) => {
      app.routing(request, response);
    };
  },
  Nest: async (...handlers) => {
    const app = await (await nestApp(...handlers)).init();
    return app.getHttpAdapter().getInstance() as RequestListener;
  },
  Hono: (...handlers) => {
    const app = honoApp(...handlers);
    return Promise.resolve(fetchListener((request) => app.fetch(request)));
  },
  'node:http': (...handlers) => {
    const server = nodeServer(...handlers);
    return Promise.resolve((request, response) => void server.emit('request', request, response));
  },
};

const JSON_TYPE = { 'content-type': 'application/json' };

for (const [name, recipe] of Object.entries(recipes)) {
  describe(`the recipe for ${name}`, () => {
    const reported: unknown[] = [];
    let services: Services;
    let served: ServedHandler;

    before(async () => {
      const report = (error: unknown): void => void reported.push(error);
      services = createServices({ storage: memoryStorage(), policy: openPolicy, report });
      const graphql = graphqlHttp(serviceGraphqlEngine({ services, report }), {
        openSession: (client: GraphqlClient) => openGraphqlSession(services, client),
      });
      const engine = serviceEngine({ services, xml: () => '', report });
      served = await listenTo(await recipe(engine, graphql));
    });
    after(() => served.close());

    it('serves the contract, with a body that may have been parsed already', async () => {
      const body = JSON.stringify({ name: 'Ada', email: 'ada@example.com' });
      const made = await fetch(`${served.url}/api/users`, { method: 'POST', headers: JSON_TYPE, body });
      expect(made.status).to.equal(201);
      const found = await fetch(`${served.url}/api/users/1`);
      expect(await found.json()).to.include({ name: 'Ada', email: 'ada@example.com' });
      expect(reported).to.deep.equal([]);
    });

    it('refuses a bad body with 400 or 415, and never with 500', async () => {
      const bodies: readonly (readonly [type: string, body: string])[] = [
        ['application/json', '{'],
        ['application/json', '"text"'],
        ['application/json', '{"name":5}'],
        ['text/plain', 'text'],
        ['application/x-www-form-urlencoded', 'a=1&a=2'],
      ];
      for (const [type, body] of bodies) {
        const headers = { 'content-type': type };
        const { status } = await fetch(`${served.url}/api/users`, { method: 'POST', headers, body });
        expect(status, `${type} ${body}`).to.be.oneOf([400, 415]);
      }
      expect(reported).to.deep.equal([]);
    });

    it('answers queries, and streams a subscription until its client goes', async () => {
      const query = (text: string, headers = {}) =>
        fetch(`${served.url}/graphql`, {
          method: 'POST',
          headers: { ...JSON_TYPE, ...headers },
          body: JSON.stringify({ query: text }),
        });
      expect(await (await query('{ users { name } }')).json()).to.deep.equal({
        data: { users: [{ name: 'Ada' }] },
      });
      const stream = await query('subscription { postAdded { title } }', { accept: 'text/event-stream' });
      await services.posts.create({ kind: 'anonymous' }, { title: 'News', content: 'x', authorId: '1' });
      let text = '';
      for await (const chunk of stream.body ?? []) {
        text += Buffer.from(chunk).toString();
        if (text.includes('News')) break;
      }
      expect(text).to.include('event: next\nid: 1\ndata: {"data":{"postAdded":{"title":"News"}}}\n\n');
    });

    it('leaves other paths to the application', async () => {
      const { status } = await fetch(`${served.url}/hello`);
      expect(status).to.equal(name === 'node:http' ? 404 : 200);
    });
  });
}
