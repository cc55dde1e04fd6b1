/** Tests the last use of API keys: it is stored at most once per minute and not with each request. */
import { expect } from 'chai';
import { memoryStorage } from '../../../../src/core/storage/memory.js';
import { type Timestamp, timestampOf } from '../../../../src/core/model/timestamp.js';
import { openPolicy } from '../../../../src/core/services/rights/policy.js';
import { createServices } from '../../../../src/core/services/services.js';
import { root } from '../fixture.js';
import { bareUser } from '../../../support/bare-records.js';

const start = Date.UTC(2026, 0, 1);
const after = (seconds: number): Timestamp => timestampOf(start + seconds * 1000);

/** Services on one store, with a clock that the test sets, a key, and a record of each write of its last use. */
async function withKey() {
  const storage = memoryStorage();
  const writes: Timestamp[] = [];
  const state = { seconds: 0, fails: false };
  const recordUse = storage.apiKeys.recordUse.bind(storage.apiKeys);
  storage.apiKeys.recordUse = async (id, at) => {
    if (state.fails) throw new Error('the disk is full');
    writes.push(at);
    await recordUse(id, at);
  };
  const clock = { now: () => after(state.seconds) };
  const open = () => createServices({ storage, clock, policy: openPolicy });
  const services = open();
  await storage.users.create(
    { ...bareUser, name: 'Root', email: 'root@example.com', role: 'admin', status: 'active' },
    after(0),
  );
  const { key, apiKey } = await services.apiKeys.create({ ...root, id: '1' }, { name: 'Warehouse' });
  return {
    writes,
    /** Another process. */
    open,
    flush: () => services.apiKeys.flush(),
    stored: async () => (await storage.apiKeys.find(apiKey.id))?.lastUsedAt,
    fail: (fails: boolean) => (state.fails = fails),
    use: async (seconds: number, { authentication } = services) => {
      state.seconds = seconds;
      expect(await authentication.callerOfApiKey(key)).to.deep.equal({ kind: 'api-key', id: apiKey.id });
    },
  };
}

describe('the last use of an API key', () => {
  it('is stored with the first request of a minute only, and at the end', async () => {
    const { use, writes, flush, stored } = await withKey();
    for (let second = 1; second <= 59; second++) await use(second);
    expect(writes).to.deep.equal([after(1)]);
    await use(60);
    expect(writes, 'a minute is not over').to.have.length(1);
    await use(61);
    expect(writes).to.deep.equal([after(1), after(61)]);
    await use(70);
    await flush();
    expect(await stored()).to.equal(after(70));
    await flush();
    expect(writes, 'what is written is not written again').to.have.length(3);
  });

  it('is stored once for concurrent requests', async () => {
    const { use, writes } = await withKey();
    await Promise.all(Array.from({ length: 50 }, () => use(1)));
    expect(writes).to.have.length(1);
  });

  it('is not stored by one process within a minute of another', async () => {
    const { use, writes, open } = await withKey();
    await use(1);
    await use(30, open());
    expect(writes).to.have.length(1);
    await use(61, open());
    expect(writes).to.deep.equal([after(1), after(61)]);
  });

  it('does not refuse a key when it cannot be stored, and is stored later', async () => {
    const { use, fail, flush, stored, writes } = await withKey();
    fail(true);
    await use(1);
    await use(2);
    fail(false);
    expect(writes).to.deep.equal([]);
    await use(3);
    expect(writes).to.deep.equal([after(3)]);
    fail(true);
    await use(90);
    fail(false);
    await flush();
    expect(await stored()).to.equal(after(90));
  });

  it('does not go back with the clock', async () => {
    const { use, flush, stored } = await withKey();
    await use(100);
    await use(50);
    await flush();
    expect(await stored()).to.equal(after(100));
  });
});
