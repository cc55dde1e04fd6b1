/** Logs unexpected errors in full; clients see none of their details. */

import type { ServiceEngineOptions, ServicesOptions } from '@concordat/core';
import type { Log } from './log.js';
import type { ErrorOptions } from 'concordat/graphql';

interface FailureReports {
  /** The failure of a REST operation, with the id of its request. */
  readonly request: ServiceEngineOptions['report'];
  /** The failure of a GraphQL field, with the id of the request or upgrade that it came with. */
  readonly field: ErrorOptions['report'];
  /** The failure of a whole WebSocket. */
  readonly socket: (error: unknown) => void;
  /** A failure in the services that cannot be reported to a caller, such as that of announcing an event. */
  readonly aftermath: NonNullable<ServicesOptions['report']>;
}

export function failureReports(log: Log): FailureReports {
  return {
    request: (error, { method, path, headers }) =>
      log.error({ err: error, requestId: headers['x-request-id'], method, path }, 'a request failed'),
    field: (error, { operationName, path, headers }) => {
      const requestId = headers?.['x-request-id'];
      log.error({ err: error, requestId, operationName, field: path?.join('.') }, 'a GraphQL field failed');
    },
    socket: (error) => log.error({ err: error }, 'a WebSocket failed'),
    aftermath: (error) => log.error({ err: error }, 'an event could not be delivered'),
  };
}
