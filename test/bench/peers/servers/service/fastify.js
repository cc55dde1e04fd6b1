/**
 * Fastify with what the service has around its contract: helmet, request ids, a log, metrics, and tokens that the secret signs.
 * After the secret, `cached` keeps verified tokens.
 */

import helmet from '@fastify/helmet';
import jwt from '@fastify/jwt';
import Fastify, { LogController } from 'fastify';
import { destination } from 'pino';
import { strictAjv, userRoutes } from '../fastify-users.js';
import { render, requestEnded, requestStarted } from './metrics.js';
import { profileRoute } from './profile.js';
import { requestIdOf } from './request-id.js';
import { contentSecurityPolicy, vary } from './settings.js';
import { lineOf, logDestination, logOptions } from './log.js';

const [secret, caching] = process.argv.slice(2);
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
  reply.code(status).headers(headers).header('Vary', vary).send(body);
}

userRoutes(app, send);
profileRoute(app, send);
app.get('/metrics', async (_request, reply) => reply.type('text/plain').send(await render()));
app.get('/healthz', (_request, reply) => reply.send({ status: 'ok' }));
const url = await app.listen({ host: '127.0.0.1', port: 0 });
console.log(url);
