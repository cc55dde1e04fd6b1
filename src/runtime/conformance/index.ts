/** The entry point `@concordat/runtime/conformance`: the checks that a transport must pass. */

import type { Serve, TransportCheck } from './transport-check.js';
import { requestChecks } from './request-checks.js';
import { responseChecks } from './response-checks.js';
import { streamChecks } from './stream-checks.js';

export type { Serve, ServedHandler, TransportCheck } from './transport-check.js';

/**
 * All checks of a transport, for any test runner.
 *
 * @example
 * ```ts
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

/** The result of one check. */
export interface TransportReport extends Pick<TransportCheck, 'id' | 'level' | 'name'> {
  /** Absent when the transport passes the check. */
  readonly error?: unknown;
}

/**
 * Runs every check, one after the other.
 *
 * @param serve - starts a server that runs a handler through the transport
 * @example
 * ```ts
 * const reports = await checkTransport(async (handler) => {
 *   const server = createServer(nodeTransport(handler)).listen(0);
 *   await once(server, 'listening');
 *   const { port } = server.address() as AddressInfo;
 *   return { url: `http://127.0.0.1:${port}`, close: () => promisify(server.close.bind(server))() };
 * });
 * const broken = reports.filter(({ level, error }) => level === 'MUST' && error !== undefined);
 * ```
 */
export async function checkTransport(serve: Serve): Promise<readonly TransportReport[]> {
  const reports: TransportReport[] = [];
  for (const check of transportChecks) {
    const { id, level, name } = check;
    try {
      await check.run(serve);
      reports.push({ id, level, name });
    } catch (error) {
      reports.push({ id, level, name, error });
    }
  }
  return reports;
}
