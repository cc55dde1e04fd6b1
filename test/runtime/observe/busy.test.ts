/** An observer of a server that ends many exchanges between two turns of checks. */

import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { shopObserver } from './shop-contract.js';

const TURNS = 200;
const ENDED_PER_TURN = 30;

describe('observe: a busy server', () => {
  it('has all exchanges checked, however many end in each turn', async () => {
    const observer = await shopObserver();
    for (let turn = 0; turn < TURNS; turn += 1) {
      for (let index = 0; index < ENDED_PER_TURN; index += 1) {
        const incoming = Object.assign(new IncomingMessage(new Socket()), {
          method: 'GET',
          url: '/things/1',
        });
        const outgoing = new ServerResponse(incoming);
        observer.express(incoming, outgoing, () => outgoing.end('{}'));
      }
      await setImmediate();
    }
    await observer.settled();
    expect(observer.counters).to.include({ checked: TURNS * ENDED_PER_TURN, skipped: 0 });
  });
});
