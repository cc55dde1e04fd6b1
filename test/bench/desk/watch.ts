/** The time until a running `concordat generate --watch` has written what one changed operation changes, beside a `generate` of all. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../compare.js';
import { type Plan, rowOf } from '../peers/row.js';
import { cpuSeconds } from '../process-usage.js';
import { generateArgs, inProject, sharedContract } from './contracts.js';
import { cpuMilliseconds } from './cpu-time.js';
import { type DeskTask, cpuTime } from './desk-task.js';

const CONTRACT = 'discord.json';

const plan: Plan = {
  work: `generate --watch, one operation of ${CONTRACT} changed`,
  ours: 'the watcher',
  peer: 'concordat generate',
  target: { required: 0.15 },
};

export const watchTask: DeskTask = {
  plans: [plan],
  needs: [CONTRACT],
  run: async (rounds) =>
    inProject(async (directory) => {
      const text = readFileSync(sharedContract(CONTRACT) ?? '', 'utf8');
      const openapi = join(directory, CONTRACT);
      writeFileSync(openapi, text);
      const generate = generateArgs(CONTRACT, openapi, 'generated');
      const watcher = await Watcher.start([...generate, '--watch'], directory);
      const times: number[] = [];
      try {
        // The first changes find code that V8 has not optimised yet.
        for (let round = -2; round < rounds; round += 1) {
          const time = await watcher.milliseconds(() => {
            writeFileSync(openapi, changed(text, round + 3));
          });
          if (round >= 0) times.push(time);
        }
      } finally {
        await watcher.stop();
      }
      const [whole = Number.NaN] = await cpuMilliseconds([{ args: generate, directory }], rounds);
      return [rowOf(plan, cpuTime, { median: median(times) }, { median: whole })];
    }),
};

/** The contract with another parameter of one operation. */
function changed(text: string, turn: number): string {
  const document = JSON.parse(text) as {
    readonly paths: Readonly<Record<string, { readonly get: { parameters?: object[] } }>>;
  };
  const operation = document.paths['/channels/{channel_id}']?.get;
  if (operation === undefined) throw new Error(`${CONTRACT} has no such operation any more`);
  const parameter = { name: `changed${String(turn)}`, in: 'query', schema: { type: 'string', maxLength: 9 } };
  operation.parameters = [...(operation.parameters ?? []), parameter];
  return JSON.stringify(document, undefined, 2);
}

class Watcher {
  #output = '';

  private constructor(private readonly child: ReturnType<typeof spawn>) {
    child.stdout?.on('data', (part: Buffer) => (this.#output += String(part)));
  }

  static async start(args: readonly string[], directory: string): Promise<Watcher> {
    const child = spawn(process.execPath, args, { cwd: directory, stdio: ['ignore', 'pipe', 'ignore'] });
    const watcher = new Watcher(child);
    await watcher.#until(/Watching for changes/);
    return watcher;
  }

  /** The CPU time until the watcher has written what a change changes. */
  async milliseconds(change: () => void): Promise<number> {
    this.#output = '';
    const before = cpuSeconds(this.child.pid);
    change();
    // The last one of the files that the change reaches.
    await this.#until(/wrote .*\bvalidators\.ts\n/);
    return (cpuSeconds(this.child.pid) - before) * 1000;
  }

  async stop(): Promise<void> {
    const exit = once(this.child, 'exit');
    this.child.kill();
    await exit;
  }

  async #until(text: RegExp): Promise<void> {
    for (let waited = 0; !text.test(this.#output); waited += 20) {
      if (this.child.exitCode !== null || waited > 60_000)
        throw new Error(`the watcher wrote ${this.#output}`);
      await sleep(20);
    }
  }
}
