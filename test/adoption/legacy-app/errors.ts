/** The application's errors, and the middleware that turns all errors into its format. */

import type { Middleware } from 'koa';
import type { AppContext, AppState } from './types.js';

export interface Detail {
  field: string;
  problem: string;
}

export class AppError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: readonly Detail[] | readonly string[] | undefined;

  constructor(
    status: number,
    code: string,
    message: string,
    details?: readonly Detail[] | readonly string[],
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

export const notFound = (what: string): AppError => new AppError(404, 'NOT_FOUND', `${what} not found`);

export const conflict = (message: string): AppError => new AppError(409, 'CONFLICT', message);

const codesOfStatus: Record<number, string> = {
  400: 'BAD_REQUEST',
  413: 'TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
};

export function handleErrors(): Middleware<AppState, AppContext> {
  return async (ctx, next) => {
    try {
      await next();
      if (ctx.status === 404 && ctx.body === undefined) {
        ctx.status = 404;
        ctx.body = { code: 'NO_ROUTE', message: `Cannot ${ctx.method} ${ctx.path}` };
      }
    } catch (error) {
      if (error instanceof AppError) {
        ctx.status = error.status;
        ctx.body = { code: error.code, message: error.message, details: error.details };
        return;
      }
      const status = statusOf(error);
      ctx.status = status;
      if (status < 500) {
        ctx.body = { code: codesOfStatus[status] ?? 'BAD_REQUEST', message: 'The request cannot be read' };
        return;
      }
      ctx.log.error({ err: error }, 'unhandled error');
      ctx.body = { code: 'INTERNAL', message: 'Something went wrong' };
    }
  };
}

/** Libraries put it in `status`, formidable in `httpCode`. */
function statusOf(error: unknown): number {
  if (typeof error !== 'object' || error === null) return 500;
  if ('status' in error && typeof error.status === 'number') return error.status;
  if ('httpCode' in error && typeof error.httpCode === 'number') return error.httpCode;
  return 500;
}
