/**
 * Whether stalled subscribers harm others: `npm run bench -- slow-readers`. A service with 100 subscribers that read and four
 * that stall receives 20,000 posts of 8 kB as fast as it accepts them. Fails when a reading subscriber misses a post, when the
 * memory of the service grows, when it stops answering, or when the stalled subscribers are not dropped. `--posts 2000` takes
 * less time; `--store memory` keeps the posts in the service's memory, which then grows by their size.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { median } from './compare.js';
import { ServerProcess } from './server-process.js';
import { createAuthor, createPosts } from './slow-readers/posts.js';
import { type Reader, Tally, eventStreamReader, webSocketReader } from './slow-readers/reader.js';
import { Watch } from './slow-readers/watch.js';

/** How many megabytes the memory may grow by after the first tenth of the posts, apart from the store's data. */
const GROWTH = 48;
/** A stalled client is dropped after ten seconds in which nothing can be sent, and then has five to read the reason. */
const GIVEN_UP_AFTER = 12;
/** An estimate of how many posts fit into the buffers of the system; after that nothing can be sent. */
const buffered = (): number => Math.min(count, (6 * 1024 * 1024) / contentBytes);

const { values: options } = parseArgs({
  options: {
    posts: { type: 'string', default: '20000' },
    bytes: { type: 'string', default: '8000' },
    readers: { type: 'string', default: '100' },
    store: { type: 'string', default: 'sqlite' },
  },
});
const count = Number(options.posts);
const contentBytes = Number(options.bytes);
const inMemory = options.store === 'memory';

const problems: string[] = [];
function require(holds: boolean, problem: string): void {
  if (!holds) problems.push(problem);
}

const directory = await mkdtemp(join(tmpdir(), 'concordat-bench-'));
const service = await ServerProcess.startService({
  DATABASE_URL: inMemory ? 'memory:' : `sqlite:${join(directory, 'service.db')}`,
});
try {
  await run(service.url);
} finally {
  await service.stop();
  await rm(directory, { recursive: true });
}
for (const problem of problems) console.error(`NOT SO: ${problem}`);
if (problems.length > 0) process.exitCode = 1;
process.exit();

async function run(url: string): Promise<void> {
  const authorId = await createAuthor(url);
  const healthy = await open(url, Number(options.readers) / 2, 'healthy');
  const stalled = await open(url, 1, 'never reads again');
  const late = await open(url, 1, `reads on once given up`);
  const all = [...healthy, ...stalled, ...late];
  for (const reader of [...stalled, ...late]) reader.stall();

  const start = performance.now();
  const least = (): number => Math.min(...healthy.map(({ tally }) => tally.received));
  const watch = new Watch(url, () => least() / count);
  const lateOnes = readOnLate(late, least);
  await createPosts(url, authorId, { count, contentBytes });
  const written = seconds(start);
  await delivered(healthy, least);
  const delivery = seconds(start);
  await lateOnes;
  await ended(late);
  await watch.stop();
  for (const reader of stalled) reader.readOn();
  await ended(stalled);

  report(all, watch, written, delivery);
  judge(healthy, stalled, late, watch);
  for (const reader of all) reader.leave();
}

async function open(url: string, pairs: number, name: string): Promise<readonly Reader[]> {
  const readers: Reader[] = [];
  for (let number = 0; number < pairs; number += 1) {
    readers.push(await webSocketReader(url, new Tally(`WebSocket, ${name}`, contentBytes)));
    readers.push(await eventStreamReader(url, new Tally(`SSE, ${name}`, contentBytes)));
  }
  return readers;
}

async function readOnLate(readers: readonly Reader[], least: () => number): Promise<void> {
  while (least() < buffered()) await sleep(20);
  await sleep(GIVEN_UP_AFTER * 1_000);
  for (const reader of readers) reader.readOn();
}

async function ended(readers: readonly Reader[]): Promise<void> {
  const start = performance.now();
  while (readers.some(({ ending }) => ending === undefined) && seconds(start) < 10) await sleep(50);
}

/** Resolves when all have received everything, when one is cut off, or when nothing arrives any more. */
async function delivered(readers: readonly Reader[], least: () => number): Promise<void> {
  const patience = { from: performance.now(), least: least() };
  while (least() < count && readers.every(({ ending }) => ending === undefined)) {
    await sleep(50);
    if (least() > patience.least) Object.assign(patience, { from: performance.now(), least: least() });
    if (seconds(patience.from) > 20) return;
  }
}

function report(readers: readonly Reader[], watch: Watch, written: number, delivery: number): void {
  const names = [...new Set(readers.map(({ tally }) => tally.name))];
  const group = (name: string): readonly Reader[] => readers.filter(({ tally }) => tally.name === name);
  console.table(Object.fromEntries(names.map((name) => [name, figures(group(name))])));
  console.log(`written in ${written.toFixed(0)} s, read by all readers in ${delivery.toFixed(0)} s`);
  reportMemory(watch);
  const slowest = Math.max(...watch.milliseconds).toFixed(0);
  console.log(
    `/healthz answered ${watch.milliseconds.length} times, in ${median(watch.milliseconds).toFixed(1)} ms, at most ${slowest} ms`,
  );
}

function reportMemory(watch: Watch): void {
  const most = Math.max(...watch.samples.map(({ megabytes }) => megabytes));
  const stages = [0.1, 0.5, 1].map((each) => `${watch.at(each).toFixed(0)} at ${100 * each} %`).join(', ');
  const kept = inMemory ? (0.9 * count * contentBytes) / 1024 / 1024 : 0;
  const beside = inMemory ? `; from 10 % on the store keeps ${kept.toFixed(0)} more` : '';
  console.log(`memory in MB: ${stages}, at most ${most.toFixed(0)}${beside}`);
  require(watch.at(1) - watch.at(0.1) - kept < GROWTH, `the memory grows by less than ${GROWTH} MB`);
}

function judge(
  healthy: readonly Reader[],
  stalled: readonly Reader[],
  late: readonly Reader[],
  watch: Watch,
): void {
  for (const { tally, ending } of healthy) {
    const isComplete = tally.received === count && tally.faults.length === 0 && ending === undefined;
    require(isComplete, `${tally.name}: has all, once and in order (${tally.received}, ${tally.faults[0] ?? ending ?? ''})`);
  }
  for (const { tally, ending } of [...stalled, ...late]) {
    require(ending !== undefined, `${tally.name}: is given up`);
    require(tally.faults.length ===
      0, `${tally.name}: until then has all in order (${tally.faults[0] ?? ''})`);
  }
  for (const { tally, ending } of late) {
    require(/^1013 |"LIMIT_EXCEEDED"/.test(
      ending ?? '',
    ), `${tally.name}: is told why (${ending ?? 'nothing'})`);
  }
  require(watch.failures.length === 0, `the service answers throughout (${watch.failures[0] ?? ''})`);
}

function figures(readers: readonly Reader[]): Readonly<Record<string, unknown>> {
  const received = readers.map(({ tally }) => tally.received);
  const [least, most] = [Math.min(...received), Math.max(...received)];
  const megabytes = Math.max(...readers.map(({ tally }) => tally.bytes)) / 1024 / 1024;
  return {
    readers: readers.length,
    'posts each': least === most ? least : `${least} to ${most}`,
    'MB each': Math.round(megabytes),
    ending: [...new Set(readers.map(({ ending }) => ending ?? 'none'))].join(', '),
  };
}

function seconds(since: number): number {
  return (performance.now() - since) / 1_000;
}
