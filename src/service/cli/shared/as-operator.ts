/** Runs a command on the services over the store that the environment names. */

import type { Caller, Services, Storage } from '@concordat/core';
import type { Terminal } from '@concordat/runtime/terminal';
import { causeOf } from '../../watch/causes.js';

/**
 * The operator may do everything. The store and the services are loaded only by commands that need them.
 *
 * @param changesUsers - whether the work changes users, which is then announced to the services; a broker that fails is reported on stderr
 */
export async function asOperator<Result>(
  terminal: Terminal,
  work: (services: Services, operator: Caller, storage: Storage) => Promise<Result>,
  { changesUsers = false } = {},
): Promise<Result> {
  const [{ readDatabase, withStore }, { operatorServices }, { operator }] = await Promise.all([
    import('./with-store.js'),
    import('../../open/operator-services.js'),
    import('@concordat/core'),
  ]);
  return await withStore(terminal, async ({ storage }) => {
    if (!changesUsers) return await work(operatorServices(storage), operator, storage);
    const { openEvents } = await import('../../open/adapters.js');
    let fault: unknown;
    const report = (error: unknown): void => void (fault ??= error);
    const events = await openEvents(readDatabase(terminal.env).events).catch(report);
    try {
      return await work(operatorServices(storage, { report, ...(events && { events }) }), operator, storage);
    } finally {
      await events?.close();
      if (fault !== undefined) {
        terminal.stderr.write(`open subscriptions may last ten more seconds: ${causeOf(fault).cause}\n`);
      }
    }
  });
}
