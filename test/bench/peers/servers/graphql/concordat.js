/** Concordat's engine behind bare Koa, with `send` past Koa, or with `node` behind bare `node:http`. */

import { createServer } from 'node:http';
import Koa from 'koa';
import { compileQuery, graphqlHttp } from '@concordat/runtime/graphql';
import { koaTransport, sendPastKoa } from '@concordat/runtime/koa';
import { nodeTransport } from '@concordat/runtime/node';
import { serviceGraphqlEngine } from '@concordat/core/graphql';
import { listen } from '../listen.js';
import { contextOf, services } from './data.js';

const engine = serviceGraphqlEngine({ services, report: console.error, compile: compileQuery });
const handler = graphqlHttp(engine, { openSession: () => ({ context: contextOf() }) });
const options = process.argv[2] === 'send' ? { send: sendPastKoa } : {};
const isNode = process.argv[2] === 'node';
listen(isNode ? createServer(nodeTransport(handler)) : new Koa().use(koaTransport(handler, options)));
