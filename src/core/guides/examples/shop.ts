// shop.ts
import Koa from 'koa';
import { createServices, openPolicy, securityHandlers, serviceEngine } from '@concordat/core';
import { memoryEvents } from '@concordat/core/events/memory';
import { openGraphqlSession, serviceGraphqlEngine } from '@concordat/core/graphql';
import { memoryStorage } from '@concordat/core/storage/memory';
import { graphqlHttp } from '@concordat/runtime/graphql';
import { koaTransport } from '@concordat/runtime/koa';
import { mcpHttp } from '@concordat/runtime/mcp';
import { xmlEncoder } from '@concordat/runtime/xml';
import { contract } from './generated/routing.js';
import { typeDefs } from './generated/schema.js';
import { tools } from './generated/tools.js';
import { shopResolvers } from './resolvers.js';
import { shopOperations } from './stock.js';

const report = console.error;
const events = memoryEvents<'STOCK_COUNTED'>();
const services = createServices({ storage: memoryStorage({ contract }), events, policy: openPolicy });
const engine = serviceEngine({
  services,
  contract,
  operations: await shopOperations(services, events),
  security: securityHandlers(services.authentication),
  xml: xmlEncoder(contract.xmlNames),
  report,
});
const resolvers = shopResolvers(services, events);
const graphql = graphqlHttp(serviceGraphqlEngine({ services, typeDefs, resolvers, report }), {
  openSession: (client) => openGraphqlSession(services, client),
});

const app = new Koa();
app.use(koaTransport(mcpHttp({ engine, tools })));
app.use(koaTransport(graphql));
app.use(koaTransport(engine).routes());
app.listen(3000);
