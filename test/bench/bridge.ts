/**
 * CPU time of reads through a bridge from version 1 to version 2 of a contract, beside the same reads of version 2: within the process, and
 * of a server of node:http, whose client is another process. `npm run bench -- bridge`; it fails if a read of the server takes more than 1.5
 * of the direct one.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { fileURLToPath } from 'node:url';
import { type HttpHandler, memoryRequest } from '@concordat/runtime';
import { nodeTransport } from '@concordat/runtime/node';
import { removeDirectory, temporaryPackage } from '../codegen/generated-contract.js';
import { conversions, generatePeople, People, untypedBridge } from '../runtime/bridge/people.js';
import { listenTo } from '../runtime/transports/listeners.js';
import { median } from './compare.js';

const ROUNDS = 9;
const CALLS = 5_000;
const MOST = 1.5;
const headers = { authorization: 'Bearer ada' };

interface Calls {
  readonly url: string;
  readonly calls: number;
}

/** The client: calls what it is sent. */
function serveCalls(): void {
  const agent = new Agent({ keepAlive: true });
  const call = (url: string): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const answered = get(url, { agent, headers }, (response) => response.resume().once('end', resolve));
      answered.once('error', reject);
    });
  process.on('message', ({ url, calls }: Calls) => {
    void (async () => {
      for (let count = 0; count < calls; count += 1) await call(url);
      process.send?.('done');
    })();
  });
}

/** Calls a path as often as asked. */
type Ask = (path: string) => Promise<unknown>;

function within(handler: HttpHandler): Ask {
  return async (path) => {
    for (let count = 0; count < CALLS; count += 1) await handler(memoryRequest({ path, headers }));
  };
}

/** Microseconds of this process's CPU time per call. */
async function measured(ask: Ask, path: string): Promise<number> {
  const before = process.cpuUsage();
  await ask(path);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / CALLS;
}

async function compareReads(): Promise<void> {
  const client = fork(fileURLToPath(import.meta.url), ['client']);
  const directory = await temporaryPackage();
  const [one, two] = [await generatePeople(directory, 1), await generatePeople(directory, 2)];
  const people = new People(two);
  const to = people.engine([], false);
  const bridge = untypedBridge({ from: one.contract, to, convert: conversions });
  const direct = await listenTo(nodeTransport(to));
  const bridged = await listenTo(nodeTransport(bridge));
  const over =
    (base: string): Ask =>
    (path) => {
      client.send({ url: `${base}${path}`, calls: CALLS } satisfies Calls);
      return once(client, 'message');
    };
  for (const [how, later, earlier] of [
    ['within the process', within(to), within(bridge)],
    ['of a server', over(direct.url), over(bridged.url)],
  ] as const) {
    for (const [what, path, oldPath] of [
      ['a user', '/people/1', '/users/1'],
      ['a list', '/people', '/users'],
    ] as const) {
      const rounds: { readonly alone: number; readonly through: number }[] = [];
      for (let round = 0; round <= ROUNDS; round += 1) {
        // What a test sees of the calls is not kept.
        people.seen.length = people.credentials.length = 0;
        rounds.push({ alone: await measured(later, path), through: await measured(earlier, oldPath) });
      }
      // The first round warms up.
      const [, ...warm] = rounds;
      const ratio = median(warm.map(({ alone, through }) => through / alone));
      const [alone, through] = (['alone', 'through'] as const).map((side) =>
        median(warm.map((each) => each[side])),
      );
      console.log(
        `${what} ${how}: ${ratio.toFixed(2)} (${String(through?.toFixed(1))} µs beside ${String(alone?.toFixed(1))} µs)`,
      );
      if (how === 'of a server' && ratio > MOST) process.exitCode = 1;
    }
  }
  client.kill();
  await direct.close();
  await bridged.close();
  await removeDirectory(directory);
}

if (process.argv[2] === 'client') serveCalls();
else await compareReads();
