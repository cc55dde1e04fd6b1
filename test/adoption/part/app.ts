/** The application with five operations moved: its own file, and three more lines. */

import { Router } from '@koa/router';
import Koa from 'koa';
import { koaTransport } from '@concordat/runtime/koa';
import { koaBody } from 'koa-body';
import { pino } from 'pino';
import type { AppOptions, Deps } from '../legacy-app/app.js';
import { authenticate } from '../legacy-app/auth.js';
import { handleErrors } from '../legacy-app/errors.js';
import { logRequests } from '../legacy-app/logging.js';
import { bookingRoutes } from '../legacy-app/routes/bookings.js';
import { customerRoutes } from '../legacy-app/routes/customers.js';
import { exportRoutes } from '../legacy-app/routes/exports.js';
import { fileRoutes } from '../legacy-app/routes/files.js';
import { invoiceRoutes } from '../legacy-app/routes/invoices.js';
import { paymentRoutes } from '../legacy-app/routes/payments.js';
import { productRoutes } from '../legacy-app/routes/products.js';
import { reportRoutes } from '../legacy-app/routes/reports.js';
import { roomRoutes } from '../legacy-app/routes/rooms.js';
import { searchRoutes } from '../legacy-app/routes/search.js';
import { sessionRoutes } from '../legacy-app/routes/session.js';
import { stockRoutes } from '../legacy-app/routes/stock.js';
import { systemRoutes } from '../legacy-app/routes/system.js';
import { webhookRoutes } from '../legacy-app/routes/webhooks.js';
import { createStore } from '../legacy-app/store.js';
import type { AppContext, AppState } from '../legacy-app/types.js';
import { createEngine } from './engine.js';
import { completeTypes } from './complete-types.js';

export function createApp({
  logger = pino({ level: process.env['LOG_LEVEL'] ?? 'info' }),
  now = () => new Date(),
  webhookSecret = process.env['WEBHOOK_SECRET'] ?? 'whsec_only_for_development',
}: AppOptions = {}): Koa<AppState, AppContext> {
  const store = createStore();
  const deps: Deps = { store, now, webhookSecret };
  const app = new Koa<AppState, AppContext>();
  app.use(logRequests(logger, store));
  app.use(handleErrors());
  app.use(authenticate(store));

  // Before the parser: the signature is over the bytes of the body.
  app.use(webhookRoutes(deps).routes());
  app.use(
    koaBody({
      multipart: true,
      jsonLimit: '256kb',
      formidable: { maxFileSize: 1024 * 1024, keepExtensions: true },
      jsonTypes: ['application/json', 'application/merge-patch+json'],
    }),
  );

  app.use(completeTypes);
  app.use(koaTransport(createEngine(deps), { unknownMethods: 'next' }).routes());

  const router = new Router<AppState, AppContext>();
  for (const routes of [
    systemRoutes,
    sessionRoutes,
    customerRoutes,
    invoiceRoutes,
    paymentRoutes,
    roomRoutes,
    bookingRoutes,
    productRoutes,
    stockRoutes,
    fileRoutes,
    reportRoutes,
    exportRoutes,
    searchRoutes,
  ]) {
    router.use(routes(deps).routes());
  }
  app.use(router.routes());
  app.use(router.allowedMethods());
  return app;
}
