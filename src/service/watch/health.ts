/** Checks whether the service can serve: it is not stopping, and its dependencies answer. */

import { ServiceError, within } from '@concordat/core';

/** The state of the service. */
export interface Health {
  /** @returns a sentence that explains why the service cannot serve; undefined when it can */
  findFault(): Promise<string | undefined>;
}

/** Something that the service needs, with a ping that rejects when it does not answer. */
export interface Dependency {
  readonly name: string;
  ping(): Promise<void>;
}

/** The time to wait for a ping. Probes have short timeouts, and a hanging connection is as bad as none. */
const PATIENCE_MS = 2000;

/** @param patienceMs - the time to wait for a ping */
export function healthOf(
  dependencies: readonly Dependency[],
  isStopping: () => boolean,
  patienceMs = PATIENCE_MS,
): Health {
  return {
    findFault: async () => {
      if (isStopping()) return 'The service is stopping';
      const faults = await Promise.all(dependencies.map((each) => faultOf(each, patienceMs)));
      return faults.find((fault) => fault !== undefined);
    },
  };
}

async function faultOf(dependency: Dependency, patienceMs: number): Promise<string | undefined> {
  try {
    await within(patienceMs, dependency.ping());
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'storage-full') return error.message;
    return `The ${dependency.name} does not answer`;
  }
}
