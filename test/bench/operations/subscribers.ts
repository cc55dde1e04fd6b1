/**
 * The CPU time of a delivery among 10,000 subscribers, beside that of a `socket.write` of a prepared frame, in alternating rounds, and
 * the memory of a subscriber: `--subscribers 10000 --rounds 20`.
 */

import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { compileService, serviceProgram } from '../../support/compiled-service.js';
import { type FanOut, startFanOut } from '../fan-out.js';
import { residentMebibytes } from '../process-usage.js';
import { ServerProcess } from '../server-process.js';

const MOST_CPU = 1.4;
const MOST_BYTES = 20_000;
const BARE = fileURLToPath(new URL('bare-frames.ts', import.meta.url));

export async function subscribers(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      subscribers: { type: 'string', default: '10000' },
      rounds: { type: 'string', default: '20' },
    },
  });
  const [count, rounds] = [Number(values.subscribers), Number(values.rounds)];
  const directory = await compileService();
  const ends: (() => Promise<void>)[] = [];
  const open = async (parameters: readonly string[]) => {
    const server = await ServerProcess.start(...parameters);
    ends.unshift(() => server.stop());
    const before = residentMebibytes(server.pid);
    const fanOut = await startFanOut(server, count, 1);
    ends.unshift(() => fanOut.leave());
    const bytes = ((residentMebibytes(server.pid) - before) * 2 ** 20) / count;
    return { fanOut, bytes };
  };
  try {
    const service = await open([serviceProgram(directory)]);
    const bare = await open([
      '--conditions=@concordat/source',
      '--import',
      'tsx',
      BARE,
      service.fanOut.sample,
    ]);
    const [owns, leasts] = [new Array<number>(), new Array<number>()];
    const publish = async (fanOut: FanOut): Promise<number> => {
      await sleep(1_000);
      return (await fanOut.publish()).cpu;
    };
    for (let round = 0; round < rounds; round++) {
      owns.push(await publish(service.fanOut));
      leasts.push(await publish(bare.fanOut));
    }
    const [own, least] = [middleMean(owns), middleMean(leasts)];
    const micros = (cpu: number): string => ((cpu * 1e6) / count).toFixed(1);
    const ratio = own / least;
    console.log(
      `${values.subscribers} subscribers: ${micros(own)} µs of CPU per delivery, ${micros(least)} µs for a bare write: ` +
        `${ratio.toFixed(2)} times as much; ${(service.bytes / 1000).toFixed(1)} kB of memory each ` +
        `(${(bare.bytes / 1000).toFixed(1)} kB for a bare socket)`,
    );
    if (ratio > MOST_CPU || service.bytes > MOST_BYTES) process.exitCode = 1;
  } finally {
    for (const end of ends) await end();
    await rm(directory, { recursive: true });
  }
}

/** The mean of the middle half: the system counts CPU time in large ticks, and some rounds have the pings of all subscribers. */
function middleMean(values: readonly number[]): number {
  const quarter = Math.floor(values.length / 4);
  const middle = values.toSorted((a, b) => a - b).slice(quarter, values.length - quarter);
  return middle.reduce((sum, each) => sum + each, 0) / middle.length;
}
