/** Deadlines with one timer: each ends its own execution, in time, whatever other executions do. */

import { expect } from 'chai';
import { Deadlines } from '../../../src/runtime/graphql/execution/running-operation.js';
import { until } from '../../support/until.js';

describe('Deadlines', () => {
  it('end executions one after another, each at its own deadline and once', async () => {
    const deadlines = new Deadlines();
    const start = performance.now();
    const ended: (readonly [name: string, lateMs: number])[] = [];
    const run = (name: string, afterMs: number): (() => void) => {
      const deadline = start + afterMs;
      const timed = { deadline, expire: () => ended.push([name, performance.now() - deadline]) };
      deadlines.add(timed);
      return () => deadlines.delete(timed);
    };
    run('first', 20);
    run('second', 40);
    const settle = run('settled', 60);
    run('third', 80);
    settle();
    await until('the others have ended', () => ended.length === 3);
    expect(ended.map(([name]) => name)).to.deep.equal(['first', 'second', 'third']);
    for (const [name, lateMs] of ended) expect(lateMs, name).to.be.at.least(0);
    // After the timer has ended, it starts again.
    run('later', performance.now() - start + 20);
    await until('that one has ended', () => ended.length === 4);
    expect(ended.map(([name]) => name)).to.deep.equal(['first', 'second', 'third', 'later']);
  });
});
