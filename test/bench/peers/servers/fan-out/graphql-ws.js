/** graphql-ws over ws with graphql-js, and graphql-js behind `node:http` for what is published. */

import { createServer } from 'node:http';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { graphql } from 'graphql';
import { useServer } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';
import { contextOf, resolvers, typeDefs } from '../graphql/data.js';
import { listen } from '../listen.js';
import { readJson } from '../read-json.js';

const schema = makeExecutableSchema({ typeDefs, resolvers });
const server = createServer(async (request, response) => {
  const { query: source, variables: variableValues } = await readJson(request);
  const result = await graphql({ schema, source, variableValues, contextValue: contextOf() });
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify(result));
});
useServer({ schema, context: contextOf }, new WebSocketServer({ server, path: '/graphql' }));
listen(server);
