/** The checks of each port find adapters that break a rule: each check has a fault here that it finds. */
import { AssertionError } from 'node:assert/strict';
import { expect } from 'chai';
import type { Check } from '../../../src/core/conformance/check.js';
import { Recorder, eventsChecks } from '../../../src/core/conformance/events.js';
import { hasherChecks } from '../../../src/core/conformance/hasher.js';
import { identityProviderChecks } from '../../../src/core/conformance/identity-provider.js';
import { limiterChecks } from '../../../src/core/conformance/limiter.js';
import { tokenChecks } from '../../../src/core/conformance/tokens.js';
import { eventsFaults, soundEvents } from './faults/events.js';
import type { Fault } from './faults/fault.js';
import { hasherFaults, soundHasher } from './faults/hasher.js';
import { identityProviderFaults, tableScene } from './faults/identity-provider.js';
import { limiterFaults, soundLimiter } from './faults/limiter.js';
import { soundCodec, tokenFaults } from './faults/tokens.js';

function testChecks<Port, Subject extends Port>(
  port: string,
  checks: readonly Check<Port>[],
  make: () => Subject,
  faults: readonly Fault<Subject>[],
): void {
  describe(`the checks of ${port}`, () => {
    it('have ids of their own, and each has a fault that it finds', () => {
      const ids = checks.map(({ id }) => id);
      expect(new Set(ids).size).to.equal(ids.length);
      expect(new Set(faults.flatMap((fault) => fault.checks))).to.deep.equal(new Set(ids));
    });

    for (const { name, checks: finders, breakIt } of faults) {
      it(`find that ${name}`, async () => {
        for (const id of finders) {
          const check = checks.find((each) => each.id === id) ?? expect.fail(id);
          const broken = () => {
            const subject = make();
            breakIt(subject);
            return subject;
          };
          const failure: unknown = await check.run(broken).catch((error: unknown) => error);
          expect(failure, `${id} fails`).to.be.instanceOf(AssertionError);
        }
      });
    }
  });
}

testChecks('tokens', tokenChecks, soundCodec, tokenFaults);
testChecks('hashers', hasherChecks, soundHasher, hasherFaults);
testChecks('limiters', limiterChecks, soundLimiter, limiterFaults);
testChecks('identity providers', identityProviderChecks, tableScene, identityProviderFaults);
testChecks('events', eventsChecks, soundEvents, eventsFaults);

describe('the wait for an event', () => {
  it('fails after ten seconds without it', async () => {
    const { now } = Date;
    const meeting = new Recorder().meet('1');
    Date.now = () => now() + 10_000;
    const failure: unknown = await meeting
      .catch((error: unknown) => error)
      .finally(() => {
        Date.now = now;
      });
    expect(failure).to.have.property('message', '1 is received; up to now there is []');
  });
});

describe('the adapters that the faults are made of', () => {
  for (const check of hasherChecks) it(`pass ${check.id}`, () => check.run(soundHasher));
  for (const check of identityProviderChecks) it(`pass ${check.id}`, () => check.run(() => tableScene()));
});
