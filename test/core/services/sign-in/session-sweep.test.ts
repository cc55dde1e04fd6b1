/** Tests that expired refresh tokens are deleted with later sign-ins, on every store. */
import { expect } from 'chai';
import { jwtCodec } from '../../../../src/core/identity/jwt.js';
import { memoryAttemptLimiter } from '../../../../src/core/limits/memory.js';
import { openStorage } from '../../../../src/service/open/adapters.js';
import { timestampOf } from '../../../../src/core/model/timestamp.js';
import type { Storage } from '../../../../src/core/ports/storage.js';
import { anonymous } from '../../../../src/core/services/rights/caller.js';
import { openPolicy } from '../../../../src/core/services/rights/policy.js';
import { createServices, type Services } from '../../../../src/core/services/services.js';
import type { TokenPair } from '../../../../src/core/services/sign-in/sessions.js';
import { hashToken } from '../../../../src/core/services/context/secrets.js';
import { secrets } from '../../../support/sign-in.js';
import { onEveryDatabase } from '../../../support/stores.js';
import { reversingHasher } from '../fixture.js';
import { bareUserInput } from '../../../support/bare-records.js';

const DAY = 24 * 60 * 60;
const ada = { name: 'Ada', email: 'ada@example.com', password: 'correct horse' };

onEveryDatabase('refresh tokens that have expired', (make) => {
  let storage: Storage;
  let services: Services;
  let seconds = 0;
  let userId = '';

  before(async function () {
    this.timeout(60_000);
    ({ storage } = await openStorage(await make()));
    services = createServices({
      storage,
      policy: openPolicy,
      clock: { now: () => momentOf(seconds) },
      passwordHasher: reversingHasher,
      tokens: jwtCodec(secrets),
      signInLimiter: memoryAttemptLimiter(),
    });
    ({ id: userId } = await services.users.create(anonymous, { ...bareUserInput, ...ada }));
  });
  after(() => storage.close());

  const momentOf = (second: number) => timestampOf(Date.UTC(2026, 0, 1) + second * 1000);

  /** Signs in at this second. @returns the stored hash of the refresh token */
  async function signIn(at: number): Promise<string> {
    seconds = at;
    const pair = (await services.sessions.signIn(ada, undefined, 'pair')) as TokenPair;
    return hashToken(pair.refreshToken);
  }

  const isKept = async (hash: string) => (await storage.refreshTokens.find(hash)) !== undefined;

  it('are deleted with a sign-in after their seven days, and not before', async () => {
    const first = await signIn(0);
    const second = await signIn(DAY);
    await signIn(7 * DAY);
    expect([await isKept(first), await isKept(second)]).to.deep.equal([true, true]);
    await signIn(7 * DAY + 60);
    expect([await isKept(first), await isKept(second)]).to.deep.equal([false, true]);
    await signIn(9 * DAY);
    expect(await isKept(second)).to.equal(false);
  });

  it('are looked for once per minute, and again at once when there were too many for one sweep', async () => {
    const start = 20 * DAY;
    await signIn(start);
    const hashes = Array.from({ length: 501 }, (_, number) => `expired ${String(number)}`);
    const user = await storage.users.find(userId);
    for (const [number, hash] of hashes.entries()) {
      const token = { hash, userId, expiresAt: momentOf(number) };
      expect(await storage.refreshTokens.create(token, user?.version ?? 0)).to.equal('created');
    }
    const kept = async () => (await Promise.all(hashes.map(isKept))).filter(Boolean).length;
    await signIn(start + 59);
    expect(await kept(), 'within the minute').to.equal(501);
    await signIn(start + 60);
    expect(await kept(), 'at most five hundred at once').to.equal(1);
    expect(await isKept('expired 500'), 'the oldest first').to.equal(true);
    await signIn(start + 60);
    expect(await kept()).to.equal(0);
  });
});
