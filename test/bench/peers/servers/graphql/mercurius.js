/** mercurius behind Fastify, with jit from the first run; `plain` selects the cheapest resolvers. */

import { makeExecutableSchema } from '@graphql-tools/schema';
import Fastify from 'fastify';
import mercurius from 'mercurius';
import { contextOf, plainResolvers, resolvers, typeDefs } from './data.js';

const isPlain = process.argv[2] === 'plain';
const schema = makeExecutableSchema({ typeDefs, resolvers: isPlain ? plainResolvers : resolvers });
const app = Fastify();
await app.register(mercurius, { schema, jit: 1, context: isPlain ? () => ({}) : contextOf });
console.log(await app.listen({ host: '127.0.0.1', port: 0 }));
