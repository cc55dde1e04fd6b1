/** Where errors go that nobody foresaw: clients learn nothing of them, the log has them in full. */

import type { ServiceEngineOptions, ServicesOptions } from '@concordat/core';
import type { Log } from './log.js';
import type { GraphqlParts } from './open-graphql.js';

/** Of an operation, under the id of its request. */
export function reportRequestTo(log: Log): ServiceEngineOptions['report'] {
  return (error, { method, path, headers }) => {
    log.error({ err: error, requestId: headers['x-request-id'], method, path }, 'a request failed');
  };
}

/** Of a field of a GraphQL operation, under the id of the request or the upgrade that it was asked with. */
export function reportFieldTo(log: Log): GraphqlParts['report'] {
  return (error, { operationName, path, headers }) => {
    const requestId = headers?.['x-request-id'];
    log.error({ err: error, requestId, operationName, field: path?.join('.') }, 'a GraphQL field failed');
  };
}

/** Of a WebSocket as a whole. */
export function reportSocketTo(log: Log): (error: unknown) => void {
  return (error) => {
    log.error({ err: error }, 'a WebSocket failed');
  };
}

/** Of what the services do after they have answered. */
export function reportAftermathTo(log: Log): NonNullable<ServicesOptions['report']> {
  return (error) => {
    log.error({ err: error }, 'an event was not told of');
  };
}
