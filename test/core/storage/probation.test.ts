/** How many tasks of a kind may wait for a lock at once, after one has waited too long. */

import { expect } from 'chai';
import { ServiceError } from '../../../src/core/model/error.js';
import { Probation, explainFailure } from '../../../src/core/storage/postgres/errors.js';

const timeout = explainFailure(
  Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03', severity: 'ERROR' }),
);

/** A lock that tasks wait for until it is released. */
function lock(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('a kind of task that has waited too long for a lock', () => {
  it('may wait three times at once, and as often as it likes after the first success', async () => {
    const probation = new Probation();
    expect(await failureOf(probation.run('posts', () => Promise.reject(timeout as Error)))).to.equal(timeout);
    const { promise, resolve } = lock();
    const waiting = [1, 2, 3].map(() => probation.run('posts', () => promise));
    const refused = await failureOf(probation.run('posts', () => Promise.resolve()));
    expect(refused).to.be.instanceOf(ServiceError).and.include({ code: 'unavailable' });
    expect(await failureOf(probation.run('users', () => Promise.resolve()))).to.equal(undefined);
    resolve();
    await Promise.all(waiting);
    const many = Array.from({ length: 9 }, () => probation.run('posts', () => Promise.resolve()));
    await Promise.all(many);
  });

  it('is not one that failed for another reason', async () => {
    const probation = new Probation();
    await failureOf(probation.run('posts', () => Promise.reject(new Error('syntax error'))));
    const { promise, resolve } = lock();
    const waiting = Array.from({ length: 9 }, () => probation.run('posts', () => promise));
    resolve();
    await Promise.all(waiting);
  });
});
