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

  describe('given to a function', () => {
    it('hands over at once, and waits for a promise before the next item', async () => {
      const queue = new BoundedQueue<string>(bounds, nothing);
      const taken: string[] = [];
      let proceed = nothing;
      queue.push('a', 1);
      const end = queue.forEach((item) => {
        taken.push(item);
        return item === 'b' ? new Promise<void>((resolve) => (proceed = resolve)) : undefined;
      });
      queue.push('b', 1);
      for (const item of ['c', 'd', 'e']) queue.push(item, 1);
      expect(taken).to.deep.equal(['a', 'b']);
      expect([queue.length, queue.hasRoom(1)]).to.deep.equal([3, false]);
      proceed();
      await queue.emptied();
      queue.push('f', 1);
      expect(taken).to.deep.equal(['a', 'b', 'c', 'd', 'e', 'f']);
      await queue.return();
      expect(await outcomeOf(end)).to.equal(undefined);
    });

    it('keeps the order of items that come, and an end, while it takes', async () => {
      const queue = new BoundedQueue<number>(bounds, nothing);
      const taken: number[] = [];
      const end = queue.forEach((item) => {
        if (item < 3) for (const next of [item + 1, item + 10]) queue.push(next, 1);
        else void queue.return();
        taken.push(item);
        return undefined;
      });
      queue.push(1, 1);
      expect(await outcomeOf(end)).to.equal(undefined);
      expect(taken).to.deep.equal([1, 2, 11]);
    });

    it('rejects with its failure, also of the function, which ends it', async () => {
      const error = new Error('gone');
      const failing = new BoundedQueue<string>(bounds, nothing);
      const failed = failing.forEach(() => undefined);
      failing.fail(error);
      expect(await outcomeOf(failed)).to.equal(error);

      const throwing = (): never => {
        throw error;
      };
      for (const take of [throwing, () => Promise.reject(error)]) {
        let ends = 0;
        const queue = new BoundedQueue<string>(bounds, () => {
          ends++;
        });
        const end = queue.forEach(take);
        queue.push('a', 1);
        queue.push('b', 1);
        expect(await outcomeOf(end)).to.equal(error);
        expect([ends, queue.length, queue.isEnded]).to.deep.equal([1, 0, true]);
      }
    });
  });
});
