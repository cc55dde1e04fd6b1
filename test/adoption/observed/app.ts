/** The application with an observer in front of all its middleware. */

import type Koa from 'koa';
import { observe } from '@concordat/runtime/observe';
import * as responseChecks from '../generated/response-validators.js';
import { contract } from '../generated/routing.js';
import { type AppOptions, createApp as createOldApp } from '../legacy-app/app.js';
import type { AppContext, AppState } from '../legacy-app/types.js';

export const observer = observe({ contract, responseChecks });

export function createApp(options: AppOptions): Koa<AppState, AppContext> {
  const app = createOldApp(options);
  app.middleware.unshift(observer.koa);
  return app;
}
