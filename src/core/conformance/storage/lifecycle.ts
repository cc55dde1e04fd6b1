/** The checks of a storage as a whole. */
import assert from 'node:assert/strict';
import { ServiceError } from '../../model/error.js';
import { addUser, storageCheck } from './storage-check.js';
import { everyUser } from '../../ports/user-store.js';

export const lifecycleChecks = [
  storageCheck(
    'MUST',
    'storage-ping',
    'ping resolves while the store is open, and rejects with unavailable once it is closed',
    async (storage) => {
      await storage.ping();
      await storage.close();
      await assert.rejects(
        storage.ping(),
        (error) => error instanceof ServiceError && error.code === 'unavailable',
      );
    },
  ),

  storageCheck('MUST', 'storage-close-twice', 'closing twice is closing once', async (storage) => {
    await storage.close();
    await storage.close();
  }),

  {
    id: 'storage-apart',
    level: 'MUST',
    name: 'each new store is empty, even if another holds records',
    async run(make) {
      const first = await make();
      await addUser(first, 1);
      await first.close();
      const second = await make();
      const count = await second.users.count(everyUser);
      await second.close();
      assert.equal(count, 0, 'make() gives an empty store');
    },
  } satisfies ReturnType<typeof storageCheck>,
];
