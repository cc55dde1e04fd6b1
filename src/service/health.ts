/** Whether the service can serve: it is not about to stop, and what it stands on answers. */

import { within } from '@concordat/core';
import type { Health } from './server/probes.js';

/** Something that the service needs, and a ping of it that rejects when it does not answer. */
export interface Foundation {
  readonly name: string;
  ping(): Promise<void>;
}

/** Whoever asks has little patience, and a connection that hangs is no better than none. */
const PATIENCE_MS = 2000;

/** @param patienceMs - how long to wait for a ping */
export function healthOf(
  foundations: readonly Foundation[],
  isStopping: () => boolean,
  patienceMs = PATIENCE_MS,
): Health {
  return {
    findFault: async () => {
      if (isStopping()) return 'The service is stopping';
      const faults = await Promise.all(foundations.map((each) => faultOf(each, patienceMs)));
      return faults.find((fault) => fault !== undefined);
    },
  };
}

async function faultOf(foundation: Foundation, patienceMs: number): Promise<string | undefined> {
  try {
    await within(patienceMs, foundation.ping());
    return undefined;
  } catch {
    return `The ${foundation.name} does not answer`;
  }
}
