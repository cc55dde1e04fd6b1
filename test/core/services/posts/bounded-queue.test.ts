/** Tests the bounded queue. */
import { expect } from 'chai';
import fc from 'fast-check';
import { BoundedQueue } from '../../../../src/core/services/posts/bounded-queue.js';

const bounds = { items: 3, bytes: 100 };
const nothing = (): void => undefined;

/** The state of a promise after all pending work. */
async function outcomeOf(promise: Promise<unknown>): Promise<unknown> {
  return await promise.then(
    (result) => result,
    (error: unknown) => error,
  );
}

describe('BoundedQueue', () => {
  it('delivers items in order, to consumers who wait and who come later', async () => {
    const queue = new BoundedQueue<string>(bounds, nothing);
    const early = [queue.next(), queue.next()];
    for (const item of ['a', 'b', 'c']) queue.push(item, 1);
    const results = await Promise.all([...early, queue.next()]);
    expect(results).to.deep.equal(['a', 'b', 'c'].map((value) => ({ done: false, value })));
  });

  it('has room up to its bounds of items and bytes, and for any item when it is empty', async () => {
    const queue = new BoundedQueue<string>(bounds, nothing);
    expect(queue.hasRoom(1_000)).to.equal(true);
    queue.push('a', 60);
    expect([queue.hasRoom(40), queue.hasRoom(41)]).to.deep.equal([true, false]);
    queue.push('b', 0);
    queue.push('c', 0);
    expect(queue.hasRoom(0)).to.equal(false);
    await queue.next();
    expect([queue.hasRoom(100), queue.hasRoom(101)]).to.deep.equal([true, false]);
  });

  it('keeps its counts right for any sequence of items', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(fc.nat(50))), async (steps) => {
        const queue = new BoundedQueue<number>({ items: 1_000, bytes: 100 }, nothing);
        const model: number[] = [];
        for (const step of steps) {
          if (step !== null) {
            queue.push(step, step);
            model.push(step);
          } else if (model.length > 0) {
            expect(await queue.next()).to.deep.equal({ done: false, value: model.shift() });
          }
          const bytes = model.reduce((sum, each) => sum + each, 0);
          expect(queue.hasRoom(10)).to.equal(model.length === 0 || bytes + 10 <= 100);
        }
      }),
    );
  });

  it('fails once, drops the waiting items, and is done then', async () => {
    let ends = 0;
    const queue = new BoundedQueue<string>(bounds, () => {
      ends++;
    });
    const error = new Error('too slow');
    queue.push('a', 1);
    queue.fail(error);
    queue.fail(new Error('another'));
    queue.push('b', 1);
    expect(await outcomeOf(queue.next())).to.equal(error);
    expect(await queue.next()).to.deep.equal({ done: true, value: undefined });
    expect(ends).to.equal(1);
  });

  it('tells waiting consumers that it has failed or ended', async () => {
    const failing = new BoundedQueue<string>(bounds, nothing);
    const waiting = [failing.next(), failing.next()];
    const error = new Error('gone');
    failing.fail(error);
    expect(await Promise.all(waiting.map(outcomeOf))).to.deep.equal([
      error,
      { done: true, value: undefined },
    ]);

    let ends = 0;
    const left = new BoundedQueue<string>(bounds, () => {
      ends++;
    });
    const next = left.next();
    await left.return();
    await left.return();
    expect(await next).to.deep.equal({ done: true, value: undefined });
    expect(ends).to.equal(1);
  });
});
