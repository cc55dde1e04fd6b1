/**
 * What subscribers cost, in alternating rounds: over WebSocket beside a `socket.write` of a prepared frame, and, each with a token of a
 * user of its own, over WebSocket beside server-sent events: `--subscribers 10000 --rounds 20`.
 */

import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { compileService, serviceProgram } from '../../support/compiled-service.js';
import { type FanOut, type FanOutOptions, startFanOut } from '../fan-out.js';
import { residentMebibytes } from '../process-usage.js';
import { ServerProcess } from '../server-process.js';

const MOST_CPU = 1.4;
const MOST_BYTES = 20_000;
/** Of server-sent events, beside WebSocket. */
const MOST_OF_WEBSOCKET = 1.15;
const BARE = fileURLToPath(new URL('bare-frames.ts', import.meta.url));
/** A subscriber is an open file. */
const OPEN_FILES = 16_384;
const SECRET = 'the secret of the access tokens of a benchmark';

/** Subscribers of a server, and the memory that each takes. */
interface Opened {
  readonly fanOut: FanOut;
  readonly bytes: number;
}

export async function subscribers(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      subscribers: { type: 'string', default: '10000' },
      rounds: { type: 'string', default: '20' },
      only: { type: 'string', default: '' },
    },
  });
  const [count, rounds] = [Number(values.subscribers), Number(values.rounds)];
  const directory = await compileService();
  const ends: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const end of ends.splice(0)) await end();
  };
  const open = async (parameters: readonly string[], options?: FanOutOptions): Promise<Opened> => {
    const settings = { ACCESS_TOKEN_SECRET: SECRET, REFRESH_TOKEN_SECRET: `another than ${SECRET}` };
    const server = await ServerProcess.startNode(parameters, settings, OPEN_FILES);
    ends.unshift(() => server.stop());
    const before = residentMebibytes(server.pid);
    const fanOut = await startFanOut(server, count, 1, options);
    ends.unshift(() => fanOut.leave());
    const bytes = ((residentMebibytes(server.pid) - before) * 2 ** 20) / count;
    return { fanOut, bytes };
  };
  const micros = (cpu: number): string => ((cpu * 1e6) / count).toFixed(1);
  const service = [serviceProgram(directory)];
  try {
    if (values.only !== 'tokens') {
      const own = await open(service);
      const bare = await open(['--conditions=@concordat/source', '--import', 'tsx', BARE, own.fanOut.sample]);
      const [cpu, least] = await inTurn(rounds, own.fanOut, bare.fanOut);
      const ratio = cpu / least;
      console.log(
        `${values.subscribers} subscribers: ${micros(cpu)} µs of CPU per delivery, ${micros(least)} µs for a bare write: ` +
          `${ratio.toFixed(2)} times as much; ${(own.bytes / 1000).toFixed(1)} kB of memory each ` +
          `(${(bare.bytes / 1000).toFixed(1)} kB for a bare socket)`,
      );
      if (ratio > MOST_CPU || own.bytes > MOST_BYTES) process.exitCode = 1;
      await close();
    }
    const socket = await open(service, { transport: 'websocket', secret: SECRET });
    const events = await open(service, { transport: 'sse', secret: SECRET });
    const [overSocket, overSse] = await inTurn(rounds, socket.fanOut, events.fanOut);
    const [cpuRatio, memoryRatio] = [overSse / overSocket, events.bytes / socket.bytes];
    console.log(
      `${values.subscribers} subscribers with tokens: ${micros(overSocket)} µs of CPU per delivery over WebSocket, ` +
        `${micros(overSse)} µs over SSE: ${cpuRatio.toFixed(2)} times as much; ${(socket.bytes / 1000).toFixed(1)} kB ` +
        `and ${(events.bytes / 1000).toFixed(1)} kB of memory each: ${memoryRatio.toFixed(2)}`,
    );
    if (cpuRatio > MOST_OF_WEBSOCKET || memoryRatio > MOST_OF_WEBSOCKET) process.exitCode = 1;
  } finally {
    await close();
    await rm(directory, { recursive: true });
  }
}

/** @returns the CPU time of a round of each, in seconds */
async function inTurn(rounds: number, ...fanOuts: readonly [FanOut, FanOut]): Promise<[number, number]> {
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    for (const [at, fanOut] of fanOuts.entries()) {
      await sleep(1_000);
      times[at]?.push((await fanOut.publish()).cpu);
    }
  }
  return [middleMean(times[0]), middleMean(times[1])];
}

/** The mean of the middle half: the system counts CPU time in large ticks, and some rounds have the pings of all subscribers. */
function middleMean(values: readonly number[]): number {
  const quarter = Math.floor(values.length / 4);
  const middle = values.toSorted((a, b) => a - b).slice(quarter, values.length - quarter);
  return middle.reduce((sum, each) => sum + each, 0) / middle.length;
}
