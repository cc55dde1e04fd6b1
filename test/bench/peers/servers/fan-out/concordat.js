/** Concordat's engine behind `node:http`, with subscriptions over WebSocket. */

import { createServer } from 'node:http';
import { compileQuery, graphqlHttp } from '@concordat/runtime/graphql';
import { graphqlWs } from '@concordat/runtime/graphql-ws';
import { nodeTransport } from '@concordat/runtime/node';
import { serviceGraphqlEngine } from '@concordat/core/graphql';
import { contextOf, services } from '../graphql/data.js';
import { listen } from '../listen.js';

const report = console.error;
const engine = serviceGraphqlEngine({ services, report, compile: compileQuery });
// As in the service: each event has a context of its own.
const openSession = () => ({ context: contextOf(), makeContext: contextOf });
const sockets = graphqlWs({ engine, openSession, report });
const server = createServer(nodeTransport(graphqlHttp(engine, { openSession })));
server.on('upgrade', sockets.handleUpgrade);
listen(server);
