/** Lantern House: a shop, its warehouse and its bills, as one Koa application. */

import { Router } from '@koa/router';
import Koa from 'koa';
import { koaBody } from 'koa-body';
import { type Logger, pino } from 'pino';
import { authenticate } from './auth.js';
import { handleErrors } from './errors.js';
import { logRequests } from './logging.js';
import { customerRoutes } from './routes/customers.js';
import { exportRoutes } from './routes/exports.js';
import { fileRoutes } from './routes/files.js';
import { invoiceRoutes } from './routes/invoices.js';
import { paymentRoutes } from './routes/payments.js';
import { productRoutes } from './routes/products.js';
import { reportRoutes } from './routes/reports.js';
import { searchRoutes } from './routes/search.js';
import { sessionRoutes } from './routes/session.js';
import { stockRoutes } from './routes/stock.js';
import { systemRoutes } from './routes/system.js';
import { webhookRoutes } from './routes/webhooks.js';
import { type Store, createStore } from './store.js';
import type { AppContext, AppState } from './types.js';

export interface AppOptions {
  logger?: Logger;
  now?: () => Date;
  /** The secret that the payment provider signs its webhooks with. */
  webhookSecret?: string;
}

/** What the routes share. */
export interface Deps {
  store: Store;
  now: () => Date;
  webhookSecret: string;
}

/** The middleware of all routes. */
export function createBase({
  logger = pino({ level: process.env['LOG_LEVEL'] ?? 'info' }),
  now = () => new Date(),
  webhookSecret = process.env['WEBHOOK_SECRET'] ?? 'whsec_only_for_development',
}: AppOptions = {}): { app: Koa<AppState, AppContext>; deps: Deps } {
  const store = createStore();
  const app = new Koa<AppState, AppContext>();
  app.use(logRequests(logger, store));
  app.use(handleErrors());
  app.use(authenticate(store));
  return { app, deps: { store, now, webhookSecret } };
}

/** Adds the parser of bodies. */
export function useParser(app: Koa<AppState, AppContext>, deps: Deps): void {
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
}

export function useRoutes(app: Koa<AppState, AppContext>, deps: Deps): void {
  const router = new Router<AppState, AppContext>();
  for (const routes of [
    systemRoutes,
    sessionRoutes,
    customerRoutes,
    invoiceRoutes,
    paymentRoutes,
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
}

export function createApp(options?: AppOptions): Koa<AppState, AppContext> {
  const { app, deps } = createBase(options);
  useParser(app, deps);
  useRoutes(app, deps);
  return app;
}
