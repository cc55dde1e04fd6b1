/**
 * GraphQL over HTTP compared with other servers: `npm run bench -- graphql`, after `npm install --prefix test/bench/graphql`. All serve
 * the same schema with the same resolvers over the same store. They take turns on one core; the load comes from another.
 */

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CAN_PIN } from './cores.js';
import { type Comparison, type Rounds, compare, median } from './compare.js';
import { type Load, findMeter } from './load.js';
import { ServerProcess } from './server-process.js';

const query = '{ users { id name posts { id title author { id name } } } }';
const body = JSON.stringify({ query });

interface Rival {
  readonly name: string;
  /** The server's file, and its parameters. */
  readonly command: readonly string[];
  /** The path, where the server does not let one choose it. */
  readonly path?: string;
  /** The least ratio to its rate that passes; undefined when the ratio is only reported. */
  readonly target?: number;
}

const RIVALS: readonly Rival[] = [
  { name: 'mercurius with jit', command: ['mercurius.js'], target: 1 },
  {
    name: 'mercurius with jit, and resolvers that only look into arrays',
    command: ['mercurius.js', 'plain'],
  },
  { name: 'GraphQL Yoga', command: ['yoga.js'], target: 3 },
  { name: 'Apollo Server', command: ['apollo.js'], path: '/', target: 5 },
];

function start([file = '', ...parameters]: readonly string[]): Promise<ServerProcess> {
  return ServerProcess.start(
    fileURLToPath(new URL(`graphql/servers/${file}`, import.meta.url)),
    ...parameters,
  );
}

/** The answer of a server, to check that all answer the same. */
async function answerOf(load: Load): Promise<string> {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(load.url + load.paths[0], { method: 'POST', headers, body });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${load.url} answers ${response.status} ${text}`);
  return text.trim();
}

function report({ name, target }: Rival, { baseline, candidate }: Comparison): void {
  const ratio = median(candidate) / median(baseline);
  const rate = (rates: readonly number[]): string =>
    `${Math.round(median(rates)).toLocaleString('en')} req/s`;
  const verdict =
    target === undefined
      ? ''
      : `; the target, ${target.toFixed(1)}, is ${ratio >= target ? 'reached' : 'missed'}`;
  console.log(`\n${name}: ${rate(baseline)}; concordat behind Koa: ${rate(candidate)}`);
  console.log(`ratio ${ratio.toFixed(2)}${verdict}`);
}

if (!existsSync(new URL('graphql/node_modules', import.meta.url))) {
  console.log('The other servers are not installed: npm install --prefix test/bench/graphql');
  process.exit();
}
const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '7' }, seconds: { type: 'string', default: '2' } },
});
const rounds: Rounds = { count: Number(values.rounds), seconds: Number(values.seconds) };
const meter = findMeter();
console.log(
  `${query}, 20 users of 5 posts\n${meter.name}, ${rounds.count} rounds of ${rounds.seconds} s each, Node ` +
    `${process.version}, ${CAN_PIN ? 'server and load on cores of their own' : 'server and load not kept apart'}`,
);
for (const rival of RIVALS) {
  const own = await start(['concordat.js']);
  const other = await start(rival.command);
  try {
    const load = ({ url }: ServerProcess, path: string): Load => ({ url, paths: [path], body });
    const loads = [load(other, rival.path ?? '/graphql'), load(own, '/graphql')] as const;
    const [expected, actual] = [await answerOf(loads[0]), await answerOf(loads[1])];
    if (expected !== actual) throw new Error(`${rival.name} answers something different`);
    report(rival, await compare(meter.measure, ...loads, rounds));
  } finally {
    await other.stop();
    await own.stop();
  }
}
