/** What is around the service, and may misbehave. */

import type { Random } from '../random.js';

export interface Neighbour {
  /** Misbehaves from now on, in some way, or behaves well. */
  change(random: Random): void;
  /** Behaves well from now on. */
  heal(): void;
}

/** Never settles. */
export const forEver = new Promise<never>(() => undefined);
