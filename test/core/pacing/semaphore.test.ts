/** Tests the semaphore: how much work runs at once, in which order the rest runs, and when work is refused. */
import { expect } from 'chai';
import { Semaphore } from '../../../src/core/pacing/pacing.js';
import { refused } from '../services/fixture.js';

/** A piece of work that the test ends. */
class Work {
  #end: (failure?: Error) => void = () => undefined;
  readonly #ended = new Promise<void>((resolve, reject) => {
    this.#end = (failure) => (failure === undefined ? resolve() : reject(failure));
  });
  hasBegun = false;

  readonly run = async (): Promise<Work> => {
    this.hasBegun = true;
    await this.#ended;
    return this;
  };

  end(failure?: Error): void {
    this.#end(failure);
  }
}

const begun = (works: readonly Work[]) => works.map(({ hasBegun }) => hasBegun);
const three = () => [new Work(), new Work(), new Work()] as const;

describe('Semaphore', () => {
  it('runs as much work at once as it allows, and the rest in the order in which it came', async () => {
    const semaphore = new Semaphore(1, 2);
    const works = three();
    const [first, second, third] = works;
    const results = works.map((work) => semaphore.run(work.run));
    expect(begun(works)).to.deep.equal([true, false, false]);
    first.end();
    expect(await results[0]).to.equal(first);
    expect(begun(works)).to.deep.equal([true, true, false]);
    second.end();
    await results[1];
    expect(begun(works)).to.deep.equal([true, true, true]);
    third.end();
    expect(await Promise.all(results)).to.deep.equal(works);
  });

  it('passes a failure to its caller and runs the next piece of work', async () => {
    const semaphore = new Semaphore(1, 1);
    const [first, second] = three();
    const failing = semaphore.run(first.run).catch((error: unknown) => error);
    const next = semaphore.run(second.run);
    const failure = new Error('no memory');
    first.end(failure);
    expect(await failing).to.equal(failure);
    second.end();
    expect(await next).to.equal(second);
    await semaphore.run(() => Promise.resolve());
  });

  it('lets the purposes take turns, each in its own order', async () => {
    const semaphore = new Semaphore(1, 5);
    const order: string[] = [];
    const done = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map((name) =>
      semaphore.run(
        async () => {
          order.push(name);
          await Promise.resolve();
        },
        name.slice(0, 1),
      ),
    );
    await Promise.all(done);
    expect(order).to.deep.equal(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  });

  it('counts what waits by purpose', async () => {
    const semaphore = new Semaphore(1, 1);
    const [first, second, third] = three();
    const results = [
      semaphore.run(first.run, 'a'),
      semaphore.run(second.run, 'a'),
      semaphore.run(third.run, 'b'),
    ];
    await refused(
      semaphore.run(new Work().run, 'a'),
      'unavailable',
      'The service is busy: try again in a moment',
    );
    for (const work of [first, second, third]) work.end();
    expect(await Promise.all(results)).to.deep.equal([first, second, third]);
  });

  it('refuses work when too much is waiting, and accepts it once there is room', async () => {
    const semaphore = new Semaphore(2, 1);
    const works = three();
    const results = works.map((work) => semaphore.run(work.run));
    const late = new Work();
    await refused(semaphore.run(late.run), 'unavailable', 'The service is busy: try again in a moment');
    expect(late.hasBegun).to.equal(false);
    works[0].end();
    await results[0];
    const again = semaphore.run(late.run);
    for (const work of [...works, late]) work.end();
    expect(await Promise.all([...results, again])).to.deep.equal([...works, late]);
  });

  it('refuses work that has waited too long, and keeps its place for others', async () => {
    const semaphore = new Semaphore(1, Infinity, 20);
    const [first, second, third] = three();
    const running = semaphore.run(first.run);
    await refused(semaphore.run(second.run), 'unavailable');
    expect(semaphore.isBusy).to.equal(false);
    const next = semaphore.run(third.run);
    first.end();
    third.end();
    expect(await Promise.all([running, next])).to.deep.equal([first, third]);
    expect(second.hasBegun).to.equal(false);
  });
});
