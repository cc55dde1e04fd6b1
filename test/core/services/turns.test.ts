/** Turns: how many work at once, in which order the others come, and who is sent away. */
import { expect } from 'chai';
import { Turns } from '../../../src/core/services/turns.js';
import { refused } from './fixture.js';

/** A piece of work that ends when the test says so. */
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

describe('Turns', () => {
  it('lets so many work at once, and the others as those end, first come first served', async () => {
    const turns = new Turns(1, 2);
    const works = three();
    const [first, second, third] = works;
    const results = works.map((work) => turns.take(work.run));
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

  it('gives the turn of work that fails to the next, and tells whose work it was', async () => {
    const turns = new Turns(1, 1);
    const [first, second] = three();
    const failing = turns.take(first.run).catch((error: unknown) => error);
    const next = turns.take(second.run);
    const failure = new Error('no memory');
    first.end(failure);
    expect(await failing).to.equal(failure);
    second.end();
    expect(await next).to.equal(second);
    await turns.take(() => Promise.resolve());
  });

  it('sends away who would be one too many to wait, and nobody once there is room', async () => {
    const turns = new Turns(2, 1);
    const works = three();
    const results = works.map((work) => turns.take(work.run));
    const late = new Work();
    await refused(turns.take(late.run), 'unavailable', 'The service is busy: try again in a moment');
    expect(late.hasBegun).to.equal(false);
    works[0].end();
    await results[0];
    const again = turns.take(late.run);
    for (const work of [...works, late]) work.end();
    expect(await Promise.all([...results, again])).to.deep.equal([...works, late]);
  });
});
