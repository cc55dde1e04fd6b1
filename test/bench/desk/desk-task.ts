/** What a benchmark of the developer's desk is: rows that are measured together. */

import type { Plan, Row, Unit } from '../peers/row.js';

/** CPU time of a program, from its start to its end. */
export const cpuTime: Unit = { name: 'ms CPU', isCost: true };

export interface DeskTask {
  readonly plans: readonly Plan[];
  /** The contracts in `../shared/contracts` without which it is left out. */
  readonly needs: readonly string[];
  run(rounds: number): Promise<readonly Row[]>;
}
