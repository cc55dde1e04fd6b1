/** Several processes on one new database: they start at once, and write at once. */
import { expect } from 'chai';
import { build } from 'esbuild';
import { fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { compareIds } from '../../../src/core/model/id.js';
import type { Post } from '../../../src/core/model/post.js';
import { openStore } from './open-store.js';

const processes = 4;

/**
 * Starts the writers, lets all of them open the store in the same moment, and reads by time while they write.
 *
 * @param address of a database that has no tables yet
 */
export async function expectProcessesToShare(address: string): Promise<void> {
  const program = await bundledWriter();
  const writers = Array.from({ length: processes }, (_, index) =>
    fork(program, [address, `writer-${index}`], { execArgv: [] }),
  );
  await Promise.all(writers.map((writer) => once(writer, 'message')));
  rmSync(program);
  const outcomes = writers.map((writer) => outcomeOf(writer));
  for (const writer of writers) writer.send('go');
  const allWritten = Promise.all(outcomes);

  const storage = await openStore(address);
  const met: Post[] = [];
  const readOn = async () => {
    const page = await storage.posts.listSince(met.at(-1)?.createdAt, 7);
    met.push(...page);
    return page.length;
  };
  const progress = { done: false };
  void allWritten.catch(() => undefined).finally(() => (progress.done = true));
  // A store that answers at once must leave the writers a turn to be heard.
  while (!progress.done) await Promise.all([readOn(), setImmediate()]);
  const written = (await allWritten).flat().toSorted((a, b) => compareIds(a.id, b.id));
  while ((await readOn()) > 0);
  await storage.close();

  expect(written).to.have.lengthOf(processes * 2 * 25);
  const times = written.map(({ createdAt }) => createdAt);
  expect(times, 'times ascend with the ids').to.deep.equal(times.toSorted());
  expect(new Set(times)).to.have.lengthOf(times.length);
  expect(met, 'the reader meets every post once, in order').to.deep.equal(written);
}

/** Bundles the writer, because each process that compiled it would take half a second. @returns its file, where it finds all packages */
async function bundledWriter(): Promise<string> {
  const outfile = join(import.meta.dirname, `../../../node_modules/.cache/writer-${randomUUID()}.mjs`);
  await build({
    entryPoints: [join(import.meta.dirname, 'writer.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['@concordat/source'],
    external: ['pg', '@photostructure/sqlite'],
  });
  return outfile;
}

/** @throws when the writer ends without having written */
async function outcomeOf(writer: ChildProcess): Promise<readonly Post[]> {
  const exit = once(writer, 'exit').then(([code]) => {
    throw new Error(`a writer ended with ${String(code)}`);
  });
  const [posts] = (await Promise.race([once(writer, 'message'), exit])) as [readonly Post[]];
  return posts;
}
