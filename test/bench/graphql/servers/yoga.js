/** GraphQL Yoga with its defaults, behind node:http. */

import { createServer } from 'node:http';
import { createSchema, createYoga } from 'graphql-yoga';
import { contextOf, resolvers, typeDefs } from './data.js';

const yoga = createYoga({
  schema: createSchema({ typeDefs, resolvers }),
  context: contextOf,
  logging: false,
});
const server = createServer(yoga);
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
