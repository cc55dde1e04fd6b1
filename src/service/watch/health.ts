/** Checks whether the service can serve: it is not stopping, and its dependencies answer. */

import { ServiceError, within } from '@concordat/core';

/** The state of the service. */
export interface Health {
  /** @returns a sentence that explains why the service cannot serve; undefined when it can */
  findFault(): Promise<string | undefined>;
}

/** Something that the service needs, with a ping that rejects when it cannot be used. */
export interface Dependency {
  readonly name: string;
  ping(): Promise<void>;
}

export interface HealthOptions {
  readonly dependencies: readonly Dependency[];
  readonly isStopping: () => boolean;
  /** Called with the error of each ping that fails, for the log. */
  readonly report: (error: unknown) => void;
  /** The time to wait for a ping, in milliseconds. Probes have short timeouts, and a hanging connection is as bad as none. */
  readonly patienceMs?: number;
}

export function healthOf({ dependencies, isStopping, report, patienceMs = 1_500 }: HealthOptions): Health {
  /** Probes that come during a check share its outcome, so that they do not queue while nothing answers. */
  let checking: Promise<string | undefined> | undefined;

  async function check(): Promise<string | undefined> {
    const faults = await Promise.all(dependencies.map(faultOf));
    checking = undefined;
    return faults.find((fault) => fault !== undefined);
  }

  async function faultOf(dependency: Dependency): Promise<string | undefined> {
    try {
      await within(patienceMs, dependency.ping());
      return undefined;
    } catch (error) {
      report(error);
      return error instanceof ServiceError ? error.message : `The ${dependency.name} does not answer`;
    }
  }

  return {
    findFault: async () => (isStopping() ? 'The service is stopping' : await (checking ??= check())),
  };
}
