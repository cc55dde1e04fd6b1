/**
 * What work costs as its surroundings grow: `npm run bench -- growth`. A figure is a median of rounds, beside the memory of the
 * server. `--only rows` measures one kind; `--rows 100000` takes less time; `--json file` also writes the table as JSON.
 */

import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { bodiesTask } from './growth/bodies.js';
import { connectionsTask } from './growth/connections.js';
import { type Growth, type GrowthTask, isMissed, linesOf } from './growth/growth-row.js';
import { operationsTask } from './growth/operations.js';
import { outboxTask } from './growth/outbox.js';
import { pagesTask } from './growth/pages.js';
import { processesTask } from './growth/processes.js';
import { rowsTask } from './growth/rows.js';
import { subscribersTask } from './growth/subscribers.js';

const TASKS: readonly GrowthTask[] = [
  operationsTask,
  rowsTask,
  outboxTask,
  pagesTask,
  subscribersTask,
  connectionsTask,
  bodiesTask,
  processesTask,
];

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    rows: { type: 'string', default: '1000000' },
    json: { type: 'string' },
  },
});
const options = {
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  rows: Number(values.rows),
};
const growths: Growth[] = [];
for (const task of TASKS.filter(({ name }) => name.includes(values.only))) {
  const measured = await task.run(options);
  console.table(measured.flatMap(linesOf));
  growths.push(...measured);
}
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(growths, undefined, 2)}\n`);
const missed = growths.filter(isMissed).map(({ work }) => work);
console.log(missed.length === 0 ? 'all is flat that should be' : `not flat: ${missed.join('; ')}`);
if (missed.length > 0) process.exitCode = 1;
