/** Work that is measured in requests per second: all servers start, answer the same, and then take turns. */

import { join } from 'node:path';
import { type Rounds, takeTurns } from '../compare.js';
import { type Load, findMeter } from '../load.js';
import { ROOT } from '../../architecture/source-tree.js';
import { ServerProcess } from '../server-process.js';
import { type Plan, type Row, nameOf, perSecond, rowOf } from './row.js';
import { type Probe, requireSameAnswers } from './same-answers.js';

/** What the table consists of. */
export interface Task {
  readonly plans: readonly Plan[];
  /** @param plans - those of its own to measure */
  run(plans: readonly Plan[], rounds: Rounds): Promise<readonly Row[]>;
  /** The same work of each server of ours, beside that server in an earlier checkout; undefined where that cannot be measured. */
  beside?(earlier: string): Task;
}

export interface Server {
  /** @param root - the checkout whose server starts: this one by default */
  readonly start: (root?: string) => Promise<ServerProcess>;
  /** Whether it refuses what the contract does not allow; it does unless this is false. */
  readonly checks?: false;
}

export interface RateTask {
  /** What is asked, such as `read`. */
  readonly work: string;
  /** By the names of the plans. */
  readonly servers: Readonly<Record<string, Server>>;
  readonly plans: readonly Omit<Plan, 'work'>[];
  readonly load: Omit<Load, 'url'>;
  readonly probes: readonly Probe[];
  readonly compareHeaders?: boolean;
}

/** The CPU time that a change which is not about speed may cost. */
const NOT_SLOWER = { required: 1.05, aim: 1.02, ofCpu: true } as const;

/** @param file - under `peers/servers` */
export function peer(file: string, ...parameters: readonly string[]): Server {
  return {
    start: (root = ROOT) => ServerProcess.start(join(root, 'test/bench/peers/servers', file), ...parameters),
  };
}

export function rateTask(task: RateTask): Task {
  const { work, servers, plans, load, probes, compareHeaders } = task;
  return {
    plans: plans.map((plan) => ({ work, ...plan })),
    beside(earlier) {
      const both = [...new Set(plans.map(({ ours }) => ours))].flatMap((ours) => {
        const server = servers[ours];
        return server === undefined ? [] : [{ ours, peer: `${ours}, earlier`, server }];
      });
      return rateTask({
        ...task,
        servers: Object.fromEntries(
          both.flatMap(({ ours, peer: before, server }) => [
            [ours, server],
            [before, { ...server, start: () => server.start(earlier) }],
          ]),
        ),
        plans: both.map(({ ours, peer: before }) => ({ ours, peer: before, target: NOT_SLOWER })),
        // A version may add a header.
        compareHeaders: false,
      });
    },
    async run(chosen, rounds) {
      const started = new Map<string, ServerProcess>();
      try {
        const names = new Set(chosen.flatMap(({ ours, peer: other = ours }) => [ours, other]));
        for (const name of names) {
          const server = servers[name];
          if (server === undefined) throw new Error(`there is no server ${name}`);
          started.set(name, await server.start());
        }
        const probed = [...started].map(([name, { url }]) => ({
          name,
          url,
          checks: servers[name]?.checks ?? true,
        }));
        await requireSameAnswers(probed, probes, compareHeaders);
        const contenders = [...started.values()].map(({ url, pid }) => ({ load: { ...load, url }, pid }));
        const reached = await takeTurns(findMeter().measure, contenders, rounds);
        const figures = new Map(
          [...started.keys()].map((name, index) => {
            const { rate = Number.NaN, cpu = Number.NaN } = reached[index] ?? {};
            return [name, { median: rate, cpu }] as const;
          }),
        );
        return chosen.map((plan) => {
          const ours = figures.get(plan.ours);
          if (ours === undefined) throw new Error(`${nameOf(plan)} was not measured`);
          return rowOf(plan, perSecond, ours, plan.peer === undefined ? undefined : figures.get(plan.peer));
        });
      } finally {
        for (const server of started.values()) await server.stop();
      }
    },
  };
}
