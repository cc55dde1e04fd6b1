/** Checks whether the service can serve: it is not stopping, and what requests need answers. It also checks without a request. */

import { ServiceError, within } from '@concordat/core';

/** The state of the service. */
interface HealthState {
  /** A sentence that explains why the service cannot serve; undefined when it can. */
  readonly fault: string | undefined;
  /** A sentence for each part that does not answer, although requests succeed without it. */
  readonly warnings: readonly string[];
}

export interface Health {
  check(): Promise<HealthState>;
  /** Whether each part answered when it was last asked. */
  readonly answers: ReadonlyMap<string, boolean>;
  /** Checks in the background from now on, so that an outage is noticed when there are neither requests nor probes. */
  watch(): void;
  /** Ends `watch`. */
  close(): void;
}

/** A part of the deployment, with a ping that rejects when it cannot be used. */
interface Dependency {
  readonly name: string;
  /** Whether requests fail without it. */
  readonly isRequired: boolean;
  ping(): Promise<void>;
}

interface HealthOptions {
  readonly dependencies: readonly Dependency[];
  readonly isStopping: () => boolean;
  /** Called with the error of each ping that fails, for the log. */
  readonly report: (error: unknown, dependency: Dependency) => void;
  /** Called when a dependency answers again. @param seconds - since it was first found not to answer */
  readonly recovered: (dependency: Dependency, seconds: number) => void;
  /** The time to wait for a ping, in milliseconds. Probes have short timeouts, and a hanging connection is as bad as none. */
  readonly patienceMs?: number;
}

/** With the wait for a ping, an outage is noticed within five seconds. */
const PERIOD_MS = 2_500;

export function healthOf({
  dependencies,
  isStopping,
  report,
  recovered,
  patienceMs = 1_500,
}: HealthOptions): Health {
  /** Probes that come during a check share its outcome, so that they do not queue while nothing answers. */
  let checking: Promise<HealthState> | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** When each outage began that is not over, on the clock of `performance.now()`. */
  const outages = new Map<string, number>();
  const answers = new Map(dependencies.map(({ name }) => [name, true]));

  async function check(): Promise<HealthState> {
    const faults = await Promise.all(dependencies.map(faultOf));
    checking = undefined;
    const found = (isRequired: boolean): string[] =>
      faults.filter(
        (fault, at) => fault !== undefined && dependencies[at]?.isRequired === isRequired,
      ) as string[];
    return { fault: found(true)[0], warnings: found(false) };
  }

  async function faultOf(dependency: Dependency): Promise<string | undefined> {
    const { name } = dependency;
    const asked = performance.now();
    try {
      await within(patienceMs, dependency.ping());
      const began = outages.get(name);
      outages.delete(name);
      answers.set(name, true);
      if (began !== undefined) recovered(dependency, (performance.now() - began) / 1000);
      return undefined;
    } catch (error) {
      if (!outages.has(name)) outages.set(name, asked);
      answers.set(name, false);
      report(error, dependency);
      return error instanceof ServiceError ? error.message : `The ${name} does not answer`;
    }
  }

  const shared = (): Promise<HealthState> => (checking ??= check());
  return {
    answers,
    check: async () => (isStopping() ? { fault: 'The service is stopping', warnings: [] } : await shared()),
    watch: () => {
      timer ??= setInterval(() => void shared(), PERIOD_MS).unref();
    },
    close: () => clearInterval(timer),
  };
}
