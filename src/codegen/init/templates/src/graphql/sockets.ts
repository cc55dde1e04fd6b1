/** Subscriptions over WebSocket (`graphql-transport-ws`), at the path of the endpoint. */

import { graphqlWs } from '@concordat/runtime/graphql-ws';
import { engine, openSession } from './endpoint.js';

export const sockets = graphqlWs({ engine, openSession, report: console.error });
