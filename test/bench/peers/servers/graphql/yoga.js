/** GraphQL Yoga with its defaults, behind node:http. */

import { createServer } from 'node:http';
import { createSchema, createYoga } from 'graphql-yoga';
import { listen } from '../listen.js';
import { contextOf, resolvers, typeDefs } from './data.js';

const yoga = createYoga({
  schema: createSchema({ typeDefs, resolvers }),
  context: contextOf,
  logging: false,
});
listen(createServer(yoga));
