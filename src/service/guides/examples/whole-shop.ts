// whole-shop.ts
import { serviceEngine } from '@concordat/core';
import { memoryEvents } from '@concordat/core/events/memory';
import { createService, readSettings } from '@concordat/service';
import { document } from './generated/document.js';
import { contract } from './generated/routing.js';
import { typeDefs } from './generated/schema.js';
import { tools } from './generated/tools.js';
import { shopResolvers } from './resolvers.js';
import { shopOperations } from './stock.js';

const events = memoryEvents<'STOCK_COUNTED'>();
const service = await createService({
  settings: { ...readSettings(process.env), mcpTools: ['getProduct', 'listStockChanges'] },
  events,
  rest: {
    contract,
    document,
    tools,
    engine: async (parts) =>
      serviceEngine({ ...parts, contract, operations: await shopOperations(parts.services, events) }),
  },
  graphql: { typeDefs, resolvers: (services) => shopResolvers(services, events) },
});
const { url } = await service.listen();
console.log(url);
