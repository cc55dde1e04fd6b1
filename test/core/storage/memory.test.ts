/** Holds the memory storage against the conformance suite, and against what only it promises. */
import { expect } from 'chai';
import { memoryStorage } from '../../../src/core/storage/memory.js';
import { storageChecks } from '../../../src/core/conformance/storage/storage.js';
import { contractOfChecks } from '../../../src/core/conformance/storage/stored.js';
import { bareUser } from '../../support/bare-records.js';

describe('memoryStorage', () => {
  for (const check of storageChecks) {
    it(`${check.level} ${check.id}: ${check.name}`, () =>
      check.run(() => Promise.resolve(memoryStorage({ contract: contractOfChecks }))));
  }

  it('counts ids up from "1"', async () => {
    const { users } = memoryStorage();
    const input = { name: 'Ada', role: 'user', status: 'active' } as const;
    const now = '2026-01-01T00:00:00.000000Z';
    for (const id of ['1', '2', '3']) {
      expect(await users.create({ ...bareUser, ...input, email: `${id}@example.com` }, now)).to.include({
        id,
      });
    }
  });
});
