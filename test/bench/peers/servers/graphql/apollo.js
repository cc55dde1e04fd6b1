/** Apollo Server with its defaults, behind its standalone server. */

import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { contextOf, resolvers, typeDefs } from './data.js';

const server = new ApolloServer({ typeDefs, resolvers });
const listen = { host: '127.0.0.1', port: 0 };
const { url } = await startStandaloneServer(server, { listen, context: contextOf });
console.log(url);
