/** Operations that answer with examples: never in production, and never without a word. */

import type { RestOperation } from './operation.js';

export const MOCK_HEADERS = { 'X-Mock': 'true' } as const;

/** Warns of the operations whose handlers are mocks. @throws where `NODE_ENV` is `production` */
export function announceMocks(operations: readonly Pick<RestOperation<never>, 'id' | 'handler'>[]): void {
  const ids = operations.filter(({ handler }) => handler.isMock === true).map(({ id }) => id);
  if (ids.length === 0) return;
  const list = ids.join(', ');
  // Not every runtime that serves a contract has the process of Node.
  if (typeof process !== 'undefined' && process.env['NODE_ENV'] === 'production') {
    throw new Error(`these operations have no handler, only examples, and NODE_ENV is production: ${list}`);
  }
  console.warn(`These operations answer with the examples of the contract: ${list}`);
}
