/**
 * What developers wait for, in CPU time: `npm run bench -- desk`, after `npm install --prefix test/bench/peers`. The programs take turns.
 * `CONCORDAT_EARLIER=<folder>` names a checkout in which the packages are built: `diff`, `verify` and `mock` are measured beside its own.
 * `--only generate` measures the rows whose name has that text; `--rounds 9` is more precise.
 */

import { parseArgs } from 'node:util';
import { sharedContract } from './desk/contracts.js';
import type { DeskTask } from './desk/desk-task.js';
import { diffTask } from './desk/diff.js';
import { generateTasks } from './desk/generate.js';
import { typesTasks } from './desk/types.js';
import { verifyTask } from './desk/verify.js';
import { watchTask } from './desk/watch.js';
import { type Row, nameOf, tableOf } from './peers/row.js';

const TASKS: readonly DeskTask[] = [...generateTasks, watchTask, diffTask, verifyTask, ...typesTasks];

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, rounds: { type: 'string', default: '5' } },
});
const chosen = TASKS.filter(({ plans }) => plans.some((plan) => nameOf(plan).includes(values.only)));
const rows: Row[] = [];
for (const task of chosen) {
  const { plans, needs } = task;
  const missing = needs.filter((name) => sharedContract(name) === undefined);
  if (missing.length > 0) {
    console.log(`skipped, without ${missing.join(' and ')}: ${plans.map(nameOf).join(', ')}`);
    continue;
  }
  for (const row of await task.run(Number(values.rounds))) {
    console.log(`${nameOf(row)}: ${row.ratio?.toFixed(2) ?? 'measured'}`);
    rows.push(row);
  }
}
console.log(`\n${tableOf(rows)}`);
