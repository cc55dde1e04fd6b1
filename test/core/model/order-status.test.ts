/** Tests all pairs of states of an order. */
import { expect } from 'chai';
import { checkStep, orderStatuses, type OrderMove, type OrderStatus } from '../../../src/core/model/order.js';

const allowed: readonly [from: OrderStatus, to: OrderStatus, by: OrderMove][] = [
  ['pending', 'processing', 'status change'],
  ['processing', 'completed', 'status change'],
  ['pending', 'cancelled', 'cancel'],
  ['processing', 'cancelled', 'cancel'],
  ['completed', 'refunded', 'refund'],
];
const moves: readonly OrderMove[] = ['status change', 'cancel', 'refund'];

describe('checkStep', () => {
  for (const by of moves) {
    for (const from of orderStatuses) {
      for (const to of orderStatuses) {
        const isAllowed = allowed.some((step) => step[0] === from && step[1] === to && step[2] === by);
        it(`${isAllowed ? 'lets' : 'does not let'} a ${by} lead from ${from} to ${to}`, () => {
          const step = () => {
            checkStep(from, to, by);
          };
          if (isAllowed) expect(step).not.to.throw();
          else expect(step).to.throw().with.property('code', 'conflict');
        });
      }
    }
  }

  it('names the states that allow the change, and the current one', () => {
    expect(() => {
      checkStep('completed', 'cancelled', 'cancel');
    }).to.throw(
      'An order becomes cancelled only by cancel from pending or processing; this one is completed',
    );
    expect(() => {
      checkStep('pending', 'completed', 'status change');
    }).to.throw('An order becomes completed only by status change from processing; this one is pending');
    expect(() => {
      checkStep('processing', 'pending', 'status change');
    }).to.throw('An order is pending only when it is new; this one is processing');
  });
});
