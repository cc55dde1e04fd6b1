/** The door of the service: a Koa application, one step after the other. */

import Koa from 'koa';
import { koaTransport } from '../../adapters/transport/koa.js';
import type { Caller } from '../../core/services/caller.js';
import type { RestEngine } from '../../engine/index.js';

/** What stands behind the door. */
export interface DoorParts {
  /** The contract of `openapi.yaml`; it answers for every path that nothing before it took. */
  readonly rest: RestEngine<Caller>;
}

/** Puts the steps in the order in which a request takes them. A step that a setting leaves out is undefined. */
export function createDoor({ rest }: DoorParts): Koa {
  const steps: readonly (Koa.Middleware | undefined)[] = [];
  const app = new Koa();
  for (const step of steps) if (step !== undefined) app.use(step);
  // The contract has an answer for every path that is left.
  app.use(koaTransport(rest, { unknownPaths: 'answer' }).routes());
  // The engine answers for what goes wrong within; a connection that its client broke off is nobody's failure.
  app.on('error', (error: Error, context?: Koa.Context) => {
    if (context?.writable !== false) app.onerror(error);
  });
  return app;
}
