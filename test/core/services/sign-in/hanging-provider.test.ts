/** An identity provider that never answers: a sign-in ends in time. */

import { expect } from 'chai';
import { jwtCodec } from '../../../../src/core/identity/jwt.js';
import { openPolicy } from '../../../../src/core/services/rights/policy.js';
import { createServices } from '../../../../src/core/services/services.js';
import { memoryStorage } from '../../../../src/core/storage/memory.js';
import { Timers } from '../../../simulation/timers.js';

describe('a sign-in with an identity provider that hangs', () => {
  const timers = new Timers(0);
  let restore: () => void;
  before(() => (restore = timers.install()));
  after(() => {
    restore();
  });

  const { externalSignIn } = createServices({
    storage: memoryStorage(),
    policy: openPolicy,
    tokens: jwtCodec({ accessSecret: 'a'.repeat(32), refreshSecret: 'r'.repeat(32) }),
    identityProvider: {
      redirectUri: 'http://localhost/api/auth/idp/callback',
      start: () => new Promise(() => undefined),
      complete: () => new Promise(() => undefined),
    },
  });
  const failureOf = (work: Promise<unknown>) =>
    timers.until(
      work.catch((error: unknown) => error),
      30_000,
    );

  it('is unavailable at its start, and at its end', async () => {
    expect(await failureOf(externalSignIn.start())).to.include({ code: 'unavailable' });
    expect(await failureOf(externalSignIn.complete('code=x', 'ticket'))).to.include({ code: 'unavailable' });
  });
});
