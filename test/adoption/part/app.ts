/** The application with five operations moved: its own file, and two more lines. */

import type Koa from 'koa';
import { koaTransport } from '@concordat/runtime/koa';
import { type AppOptions, createBase, useParser, useRoutes } from '../legacy-app/app.js';
import type { AppContext, AppState } from '../legacy-app/types.js';
import { createEngine } from './engine.js';
import { completeTypes } from './complete-types.js';

export function createApp(options?: AppOptions): Koa<AppState, AppContext> {
  const { app, deps } = createBase(options);
  useParser(app, deps);
  app.use(completeTypes);
  app.use(koaTransport(createEngine(deps), { unknownMethods: 'next' }).routes());
  useRoutes(app, deps);
  return app;
}
