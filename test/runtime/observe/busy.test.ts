/** An observer of a server that ends many exchanges between two turns of checks. */

import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import type { ObserveOptions } from '../../../src/runtime/observe/index.js';
import { Observation } from '../../../src/runtime/observe/observation.js';
import { shopContract, shopObserver } from './shop-contract.js';

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

describe('observe: a server of which no exchange is sampled', () => {
  it('does not look for the operation of a request, unless an operation rejects requests', async () => {
    const { contract, responseChecks } = await shopContract;
    const looked: string[] = [];
    const begun = (modes: ObserveOptions['modes'] = {}): void => {
      const observation = new Observation({ contract, responseChecks, rate: 0, modes });
      const { within } = observation;
      Object.assign(observation, {
        within: (path: string, method: string) => {
          looked.push(path);
          return within(path, method);
        },
      });
      expect(observation.begin('GET', '/things/1', {})).to.equal(undefined);
    };
    begun();
    expect(looked).to.deep.equal([]);
    begun({ addThing: 'enforce' });
    expect(looked).to.deep.equal(['/things/1']);
  });
});
