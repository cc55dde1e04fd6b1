/** The first answer of the whole service on SQLite, from `node`, beside that of bare Koa, which answers the same body. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from '../../compare.js';
import { type FirstAnswer, firstAnswer } from '../../first-answer.js';
import type { Task } from '../rate-task.js';
import { type Figure, type Plan, milliseconds, rowOf } from '../row.js';
import { withoutTimes } from '../same-answers.js';
import { settings, startService } from './service.js';

/** A start is short, so that there are more of them than of other rounds. */
const STARTS_EACH_ROUND = 2;
const PATH = '/api/users/1';
const SERVICE = ['src/service/bin/concordat-service.js'];
const KOA = [fileURLToPath(new URL('../servers/rest/bare-koa.js', import.meta.url))];

const plan: Plan = {
  work: 'first answer, from node',
  ours: 'service on SQLite',
  peer: 'bare Koa',
  target: { required: 2, aim: 1.7 },
};

export const firstAnswerTask: Task = {
  plans: [plan],
  async run(_, { count }) {
    const directory = await mkdtemp(join(tmpdir(), 'concordat-bench-'));
    try {
      const onSqlite = { ...settings, DATABASE_URL: `sqlite:${join(directory, 'service.db')}` };
      // The store exists when a service is started again.
      await (await startService(onSqlite)).stop();
      const sides = [
        { start: () => firstAnswer(SERVICE, PATH, onSqlite), answers: [] as FirstAnswer[] },
        { start: () => firstAnswer(KOA, PATH), answers: [] as FirstAnswer[] },
      ];
      // The first start of each reads the files into memory.
      const warm = [];
      for (const { start } of sides) warm.push(await start());
      const [ours, koa] = warm.map(({ status, text }) => `${String(status)} ${withoutTimes(text)}`);
      if (ours !== koa || ours?.startsWith('200 ') !== true) {
        throw new Error(`the answers differ: ${String(ours)} and ${String(koa)}`);
      }
      for (let round = 0; round < count * STARTS_EACH_ROUND; round += 1) {
        for (const { start, answers } of sides) answers.push(await start());
      }
      const [figure, other] = sides.map(({ answers }): Figure => ({
        median: median(answers.map((each) => each.milliseconds)),
        cpu: median(answers.map((each) => each.cpu)),
      }));
      if (figure === undefined || other === undefined) throw new Error('a server is missing');
      return [rowOf(plan, milliseconds, figure, other)];
    } finally {
      await rm(directory, { recursive: true });
    }
  },
};
