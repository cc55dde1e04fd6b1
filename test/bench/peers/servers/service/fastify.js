/**
 * Fastify with what the service has around its contract: helmet, request ids, a log, metrics, and tokens that the secret signs.
 * After the secret, `cached` keeps verified tokens, and the URL of a PostgreSQL database reads users there.
 */

import helmet from '@fastify/helmet';
import jwt from '@fastify/jwt';
import Fastify, { LogController } from 'fastify';
import { destination } from 'pino';
import { strictAjv, userRoutes } from '../fastify-users.js';
import { findUser } from '../users.js';
import { render, requestEnded, requestStarted } from './metrics.js';
import { profileRoute } from './profile.js';
import { requestIdOf } from './request-id.js';
import { contentSecurityPolicy, vary, varyOfLists } from './settings.js';
import { lineOf, logDestination, logOptions } from './log.js';

const [secret, caching, database] = process.argv.slice(2);
const app = Fastify({
  ajv: strictAjv,
  // The hook below writes one line in place of Fastify's two.
  logController: new LogController({ disableRequestLogging: true }),
  genReqId: requestIdOf,
  logger: { ...logOptions, stream: destination(logDestination) },
});
await app.register(helmet, { contentSecurityPolicy });
await app.register(jwt, {
  secret,
  verify: { algorithms: ['HS256'], cache: caching === 'cached' },
});

app.addHook('onRequest', (request, reply, done) => {
  requestStarted();
  reply.header('X-Request-Id', request.id);
  done();
});
app.addHook('onResponse', (request, reply, done) => {
  const durationMs = reply.elapsedTime;
  const status = reply.statusCode;
  const { operation = 'unknown' } = request.routeOptions.config;
  requestEnded(operation, status, durationMs / 1000);
  app.log.info(lineOf(request.id, request, status, durationMs, operation, request.ip), 'request');
  done();
});

function send(reply, { status, headers, body }) {
  // Only lists have versions.
  const varies = headers['X-API-Supported-Versions'] === undefined ? vary : varyOfLists;
  reply.code(status).headers(headers).header('Vary', varies).send(body);
}

if (database === undefined) {
  userRoutes(app, send);
  profileRoute(app, send, findUser);
} else {
  const { postgresUsers } = await import('./postgres-users.js');
  const users = postgresUsers(database);
  userRoutes(app, async (reply, answer) => send(reply, await answer), users);
  profileRoute(app, send, users.findUser);
}
app.get('/metrics', async (_request, reply) => reply.type('text/plain').send(await render()));
app.get('/healthz', (_request, reply) => reply.send({ status: 'ok' }));
const url = await app.listen({ host: '127.0.0.1', port: 0 });
console.log(url);
