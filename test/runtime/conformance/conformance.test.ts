/** What transports must do, held against ours and one of Express; and the checks, held against transports with faults. */

import { expect } from 'chai';
import { type Serve, transportChecks } from '../../../src/runtime/conformance/index.js';
import { nodeTransport } from '../../../src/runtime/transports/node.js';
import { listeners, listenTo } from '../transports/listeners.js';
import { faults } from './faults.js';

/** It watches for half a second that nothing happens. */
const WATCHING = 'stream-backpressure';

for (const [name, listen] of Object.entries(listeners)) {
  describe(`the transport ${name}`, () => {
    for (const { id, level, name: rule, run } of transportChecks.filter(({ id }) => id !== WATCHING)) {
      // The test's runtime tells the address of a client to no handler of the Fetch standard.
      const test = name === 'fetch' && id === 'request-address' ? it.skip : it;
      test(`${level} ${id}: ${rule}`, () => run((handler) => listenTo(listen(handler))));
    }
  });
}

it('every transport pulls nothing for a client that does not read', async () => {
  const check = transportChecks.find(({ id }) => id === WATCHING);
  if (check === undefined) expect.fail('there is no such check');
  await Promise.all(
    Object.values(listeners).map((listen) => check.run((handler) => listenTo(listen(handler)))),
  );
});

describe('the conformance suite of transports', () => {
  it('gives every check a unique id, and has a fault for each', () => {
    const ids = transportChecks.map(({ id }) => id);
    expect(new Set(ids).size).to.equal(ids.length);
    expect(Object.keys(faults)).to.have.members(ids);
  });

  // Some faults are seen only when the time of a check is over, so that the checks run together.
  it('catches every fault', async () => {
    const outcomes = await Promise.allSettled(
      transportChecks.map(({ id, run }) => {
        const serve: Serve = (handler) => {
          const faulty = faults[id]?.(handler) ?? handler;
          return listenTo(nodeTransport(faulty, { report: () => undefined }));
        };
        return run(serve);
      }),
    );
    const missed = transportChecks.filter((_, index) => outcomes[index]?.status === 'fulfilled');
    expect(missed.map(({ id }) => id)).to.deep.equal([]);
  });
});
