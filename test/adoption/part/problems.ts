/** The engine's problems in the application's own format of errors. */

import { type HttpRequest, Problem, type ProblemFormat } from '@concordat/runtime';
import { AppError } from '../legacy-app/errors.js';

/** An error of the application, on its way through the engine. */
class AppProblem extends Problem {
  readonly error: AppError;

  constructor(error: AppError, headers: Readonly<Record<string, string>> = {}) {
    super(error.status, error.message, headers);
    this.error = error;
  }
}

export const problems: ProblemFormat = {
  mediaTypes: ['application/json'],
  body: (problem) => {
    const { code, message, details } = problem instanceof AppProblem ? problem.error : errorOf(problem);
    return { code, message, details };
  },
};

/** The errors that handlers throw, and in the place of the engine's own problems those that the old routes answered. */
export function explain(error: unknown, { path }: HttpRequest): Problem | undefined {
  if (error instanceof AppError) return new AppProblem(error);
  if (!(error instanceof Problem)) return undefined;
  return new AppProblem(error.status === 415 ? wrongType(path) : errorOf(error), error.headers);
}

/** Most of the old routes took a body of another type for no body. */
function wrongType(path: string): AppError {
  if (/(?:import|image)$/.test(path)) return new AppError(415, 'UNSUPPORTED_MEDIA_TYPE', 'Send another type');
  if (path === '/files') return new AppError(400, 'NO_FILE', 'Send a part named file');
  return new AppError(400, 'BAD_REQUEST', 'Expected an object');
}

const codes: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  413: 'TOO_LARGE',
  500: 'INTERNAL',
};

function errorOf({ status, message, failures }: Problem): AppError {
  const [, part = '', member] = /^\/(\w+)(\/)?/.exec(failures[0]?.pointer ?? '') ?? [];
  if (part === 'path') return new AppError(400, 'BAD_ID', message);
  if (part === 'query') return new AppError(400, 'BAD_QUERY', message);
  if (part === 'body' && member !== undefined) {
    const details = failures.map(({ pointer, detail }) => ({ field: fieldOf(pointer), problem: detail }));
    return new AppError(422, 'VALIDATION', 'The request has problems', details);
  }
  return new AppError(status, codes[status] ?? 'BAD_REQUEST', message);
}

/** `/body/tags/0` is the field `tags`, and `/body/address/street` is `address.street`. */
const fieldOf = (pointer: string): string =>
  pointer
    .replace('/body/', '')
    .replace(/\/\d+.*/, '')
    .replaceAll('/', '.');
