/** Several processes on one new database: they start at once, and write at once. */
import { expect } from 'chai';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
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
  const writers = Array.from({ length: processes }, (_, index) => startWriter(address, `writer-${index}`));
  await Promise.all(writers.map((writer) => once(writer, 'message')));
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

function startWriter(address: string, name: string): ChildProcess {
  return fork(new URL('writer.ts', import.meta.url), [address, name], {
    execArgv: ['--conditions=@concordat/source', '--import', 'tsx'],
  });
}

/** @throws when the writer ends without having written */
async function outcomeOf(writer: ChildProcess): Promise<readonly Post[]> {
  const exit = once(writer, 'exit').then(([code]) => {
    throw new Error(`a writer ended with ${String(code)}`);
  });
  const [posts] = (await Promise.race([once(writer, 'message'), exit])) as [readonly Post[]];
  return posts;
}
