/** The verdicts of the table of peers. */

import { expect } from 'chai';
import { type Plan, type Target, milliseconds, perSecond, rowOf, tableOf } from './row.js';

const plan = (target?: Target): Plan => ({
  work: 'read',
  ours: 'core',
  peer: 'other',
  ...(target && { target }),
});
const figure = (median: number) => ({ median });

describe('bench: rows', () => {
  it('judge a rate by the least ratio, and a cost by the most', () => {
    const target = { required: 1, aim: 1.5 };
    const rate = (ours: number) => rowOf(plan(target), perSecond, figure(ours), figure(100)).verdict;
    expect([99, 100, 150].map(rate)).to.deep.equal(['missed', 'reached', 'aim reached']);
    const limit = { required: 2.5, aim: 2 };
    const cost = (ours: number) => rowOf(plan(limit), milliseconds, figure(ours), figure(100)).verdict;
    expect([251, 250, 200].map(cost)).to.deep.equal(['missed', 'reached', 'aim reached']);
  });

  it('judge by the CPU time where the target says so', () => {
    const target = { required: 0.9, aim: 0.75, ofCpu: true } as const;
    const work = (cpu: number) =>
      rowOf(plan(target), perSecond, { median: 1, cpu }, { median: 1, cpu: 100 }).verdict;
    expect([91, 90, 75].map(work)).to.deep.equal(['missed', 'reached', 'aim reached']);
  });

  it('judge a rate by the CPU time where that is known', () => {
    const work = (cpu: number) =>
      rowOf(plan({ required: 1.25, aim: 2 }), perSecond, { median: 1, cpu }, { median: 1, cpu: 100 }).verdict;
    expect([81, 80, 50].map(work)).to.deep.equal(['missed', 'reached', 'aim reached']);
    const memory = rowOf(plan({ required: 0.5 }), milliseconds, { median: 1, cpu: 1 }, { median: 1, cpu: 9 });
    expect(memory.verdict).to.equal('missed');
  });

  it('have no verdict without a target, and no ratio without a peer', () => {
    expect(rowOf(plan(), perSecond, figure(1), figure(2))).to.include({ ratio: 0.5, verdict: undefined });
    expect(rowOf(plan({ required: 1 }), milliseconds, figure(1))).to.include({
      ratio: undefined,
      verdict: undefined,
    });
  });

  it('are aligned, with a head', () => {
    const row = rowOf(
      plan({ required: 1 }),
      perSecond,
      { median: 12_345, cpu: 20 },
      { median: 10_000, cpu: 40 },
    );
    const [head = '', line = '', ...rest] = tableOf([row]).split('\n');
    expect(rest).to.deep.equal([]);
    expect(head.split(/ {2,}/)).to.include.members(['work', 'ratio', 'verdict']);
    expect(line.split(/ {2,}/)).to.deep.equal([
      'read',
      'core',
      'other',
      '12,345 /s',
      '10,000 /s',
      '1.23',
      '20.00',
      '40.00',
      '0.50',
      'CPU 1.00',
      'reached',
    ]);
  });
});
