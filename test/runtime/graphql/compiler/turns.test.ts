/** Which operations wait when the time of a turn is used up. */

import { expect } from 'chai';
import { isTurnOver, Turns } from '../../../../src/runtime/graphql/compiler/turns.js';

describe('a turn of the event loop', () => {
  const now = performance.now.bind(performance);
  // Time passes only in steps: a machine that pauses the process would count for the operation that runs.
  let time = 1000;

  /** Works for an operation, in steps of 20 µs. @returns whether it must wait at the end */
  function work(turns: Turns, ms: number): boolean {
    let isOver = false;
    for (const end = time + ms; time < end; time += 0.02) isOver = isTurnOver(turns);
    return isOver;
  }

  before(() => (performance.now = () => time));
  after(() => (performance.now = now));
  beforeEach(() => new Promise((resolve) => setImmediate(resolve)));

  it('ends for an operation that has used it up, and not for short ones', () => {
    const [long, short] = [new Turns(), new Turns()];
    const waits = [
      isTurnOver(short),
      work(long, 15),
      isTurnOver(short),
      work(short, 0.5),
      isTurnOver(long),
      isTurnOver(),
    ];
    expect(waits).to.deep.equal([false, true, false, false, true, true]);
  });

  it('ends for an operation that begins after it is over, as soon as that is no longer short', () => {
    work(new Turns(), 15);
    expect(work(new Turns(), 5)).to.equal(true);
  });

  it('does not end for many short operations', () => {
    const waits = Array.from({ length: 40 }, () => work(new Turns(), 0.5));
    expect(waits).to.not.include(true);
  });
});
