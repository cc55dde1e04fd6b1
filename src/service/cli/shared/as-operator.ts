/** Runs a command on the services over the store that the environment names. */

import type { Caller, Services, Storage } from '@concordat/core';
import type { Terminal } from '@concordat/runtime/terminal';

/** The operator may do everything. The store and the services are loaded only by commands that need them. */
export async function asOperator<Result>(
  terminal: Terminal,
  work: (services: Services, operator: Caller, storage: Storage) => Promise<Result>,
): Promise<Result> {
  const [{ withStore }, { operatorServices }, { operator }] = await Promise.all([
    import('./with-store.js'),
    import('../../open/operator-services.js'),
    import('@concordat/core'),
  ]);
  return await withStore(terminal, ({ storage }) => work(operatorServices(storage), operator, storage));
}
