/** Alarms with one timer: each wakes its own execution, in time, whatever other executions do. */

import { mock } from 'node:test';
import { expect } from 'chai';
import { Alarms } from '../../../src/runtime/graphql/execution/running-operation.js';
import { until } from '../../support/until.js';

describe('Alarms', () => {
  it('wake executions one after another, each at its own time and once', async () => {
    const alarms = new Alarms();
    const start = performance.now();
    const ended: (readonly [name: string, lateMs: number])[] = [];
    const run = (name: string, afterMs: number): (() => void) => {
      const due = start + afterMs;
      const timed = { due, wake: () => ended.push([name, performance.now() - due]) };
      alarms.add(timed);
      return () => alarms.delete(timed);
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

  it('wake an execution again that is due later, and one that began after it in time', async () => {
    const alarms = new Alarms();
    const woken: string[] = [];
    const again = {
      due: 10,
      wake() {
        woken.push('again');
        this.due = woken.length === 1 ? 60 : this.due;
      },
    };
    let time = 0;
    const clock = mock.method(performance, 'now', () => time);
    try {
      alarms.add(again);
      time = 10;
      await until('it has been woken', () => woken.length === 1);
      alarms.add({ due: 30, wake: () => woken.push('between') });
      time = 30;
      await until('the other one has been woken', () => woken.length === 2);
      time = 60;
      await until('both have been woken', () => woken.length === 3);
    } finally {
      clock.mock.restore();
    }
    expect(woken).to.deep.equal(['again', 'between', 'again']);
  });

  it('wake an execution at its deadline too, if the process was busy until after both times', async () => {
    const alarms = new Alarms();
    const start = performance.now();
    let woken = 0;
    const again = {
      due: start + 5,
      wake() {
        woken += 1;
        this.due = start + 10;
      },
    };
    alarms.add(again);
    while (performance.now() < start + 20);
    await until('it has been woken at both times', () => woken === 2);
    expect(woken).to.equal(2);
  });
});
