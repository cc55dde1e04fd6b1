/** The entry point `@concordat/runtime/conformance`: the checks that a transport must pass. */

import type { TransportCheck } from './transport-check.js';
import { requestChecks } from './request-checks.js';
import { responseChecks } from './response-checks.js';
import { streamChecks } from './stream-checks.js';

export type { Serve, ServedHandler, TransportCheck } from './transport-check.js';

/**
 * All checks of a transport, for any test runner.
 *
 * @example
 * ```ts
 * const serve: Serve = async (handler) => {
 *   const server = createServer(nodeTransport(handler)).listen(0);
 *   await once(server, 'listening');
 *   const { port } = server.address() as AddressInfo;
 *   return { url: `http://127.0.0.1:${port}`, close: () => promisify(server.close.bind(server))() };
 * };
 * for (const check of transportChecks) {
 *   it(`${check.level} ${check.id}: ${check.name}`, () => check.run(serve));
 * }
 * ```
 */
export const transportChecks: readonly TransportCheck[] = [
  ...requestChecks,
  ...responseChecks,
  ...streamChecks,
];
