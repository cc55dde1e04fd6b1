/**
 * Ours beside the peers', in one table: `npm run bench -- peers`, after `npm install --prefix test/bench/peers`. Servers take
 * turns on one core; the load comes from another. `--list` names the rows; `--only "service read"` measures those whose name has
 * that text; `--rounds 9 --seconds 3` is more precise; `--json file` also writes the table as JSON. `--earlier DIR` measures ours
 * beside ours in an earlier checkout, which is installed and built.
 */

import { existsSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Rounds } from './compare.js';
import { CAN_PIN } from './cores.js';
import { findMeter } from './load.js';
import type { Task } from './peers/rate-task.js';
import { type Row, nameOf, tableOf } from './peers/row.js';
import { fanOutTask } from './peers/tasks/fan-out.js';
import { firstAnswerTask } from './peers/tasks/first-answer.js';
import { graphqlTasks } from './peers/tasks/graphql.js';
import { largeContractTask } from './peers/tasks/large-contract.js';
import { memoryTasks } from './peers/tasks/memory.js';
import { restTasks } from './peers/tasks/rest.js';
import { serviceTasks } from './peers/tasks/service.js';
import { servicePostgresTasks } from './peers/tasks/service-postgres.js';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '2' },
    only: { type: 'string', default: '' },
    json: { type: 'string' },
    earlier: { type: 'string' },
    list: { type: 'boolean', default: false },
    /** GitHub's description, where it does not lie beside the project. */
    github: { type: 'string' },
  },
});
const rounds: Rounds = { count: Number(values.rounds), seconds: Number(values.seconds) };
const { earlier } = values;
const all: readonly Task[] = [
  ...restTasks,
  ...serviceTasks,
  ...servicePostgresTasks,
  ...graphqlTasks,
  fanOutTask,
  firstAnswerTask,
  ...memoryTasks,
  largeContractTask(values.github),
];
const tasks = earlier === undefined ? all : all.flatMap((task) => task.beside?.(resolve(earlier)) ?? []);
const chosen = tasks
  .map((task) => ({ task, plans: task.plans.filter((plan) => nameOf(plan).includes(values.only)) }))
  .filter(({ plans }) => plans.length > 0);

if (values.list) {
  for (const { plans } of chosen) for (const plan of plans) console.log(nameOf(plan));
} else if (earlier === undefined && !existsSync(new URL('peers/node_modules', import.meta.url))) {
  console.log('The other servers are not installed: npm install --prefix test/bench/peers');
} else {
  await measure();
}

async function measure(): Promise<void> {
  // All servers inherit it: some libraries check more without it.
  process.env['NODE_ENV'] = 'production';
  const conditions = {
    node: process.version,
    processor: cpus()[0]?.model,
    load: findMeter().name,
    pinned: CAN_PIN,
    rounds: rounds.count,
    seconds: rounds.seconds,
  };
  console.log(
    Object.entries(conditions)
      .map(([name, value]) => `${name} ${String(value)}`)
      .join(', '),
  );
  const rows: Row[] = [];
  const failures: string[] = [];
  for (const { task, plans } of chosen) {
    try {
      const measured = await task.run(plans, rounds);
      for (const row of measured) console.log(`${nameOf(row)}: ${row.ratio?.toFixed(2) ?? 'measured'}`);
      rows.push(...measured);
    } catch (error) {
      failures.push(`${plans.map(nameOf).join(', ')}: ${String(error)}`);
    }
  }
  console.log(`\n${tableOf(rows)}`);
  if (values.json !== undefined) {
    writeFileSync(values.json, `${JSON.stringify({ ...conditions, rows, failures }, undefined, 2)}\n`);
  }
  for (const failure of failures) console.error(`NOT MEASURED: ${failure}`);
  if (failures.length > 0) process.exitCode = 1;
}
