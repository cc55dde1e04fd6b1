/** Logs unexpected errors in full; clients see none of their details. */

import type { ServiceEngineOptions, ServicesOptions } from '@concordat/core';
import type { Log } from './log.js';
import type { ErrorOptions } from 'concordat/graphql';

/** Logs the failure of a REST operation, with the id of its request. */
export function reportRequestTo(log: Log): ServiceEngineOptions['report'] {
  return (error, { method, path, headers }) => {
    log.error({ err: error, requestId: headers['x-request-id'], method, path }, 'a request failed');
  };
}

/** Logs the failure of a GraphQL field, with the id of the request or upgrade that it came with. */
export function reportFieldTo(log: Log): ErrorOptions['report'] {
  return (error, { operationName, path, headers }) => {
    const requestId = headers?.['x-request-id'];
    log.error({ err: error, requestId, operationName, field: path?.join('.') }, 'a GraphQL field failed');
  };
}

/** Logs the failure of a whole WebSocket. */
export function reportSocketTo(log: Log): (error: unknown) => void {
  return (error) => {
    log.error({ err: error }, 'a WebSocket failed');
  };
}

/** Logs failures of the services that have no caller, such as those of announcing events. */
export function reportAftermathTo(log: Log): NonNullable<ServicesOptions['report']> {
  return (error) => {
    log.error({ err: error }, 'an event could not be delivered');
  };
}
