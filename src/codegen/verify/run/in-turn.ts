/** Spends the budget of a run evenly on all operations. */

import type { Server } from './server.js';

interface Spending {
  readonly server: Server;
  /** Called after each attempt. */
  readonly progress: ((done: number, total: number) => void) | undefined;
}

/** Attempts one case per queue in turn, until all are done or the server's budget is spent. */
export async function inTurn<Case>(
  queues: readonly (readonly Case[])[],
  { server, progress }: Spending,
  attempt: (next: Case) => Promise<unknown>,
): Promise<void> {
  const total = queues.reduce((sum, { length }) => sum + length, 0);
  let done = 0;
  for (let turn = 0; queues.some(({ length }) => turn < length); turn += 1) {
    for (const queue of queues) {
      const next = queue[turn];
      if (next === undefined) continue;
      if (server.isOver) return;
      await attempt(next);
      progress?.((done += 1), total);
    }
  }
}
