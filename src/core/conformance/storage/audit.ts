/** The checks of a store of audit entries: an action and its entry are stored together, or not at all. */
import assert from 'node:assert/strict';
import { withoutReadOnly } from '../../model/fields.js';
import { type AuditFilter, everyAuditEntry } from '../../ports/audit-store.js';
import { everyUser } from '../../ports/user-store.js';
import { addOrder, addUser, at, auditEntry, change, entriesIn, inTurn, newUser } from '../samples.js';
import { storeChecks } from '../check.js';

/** Records the outcome as its detail, in one word. */
const noting = (outcome: object | string | number) => ({
  entries: [auditEntry(1, { detail: typeof outcome === 'object' ? 'record' : outcome.toString() })],
});

export const auditChecks = [
  ...storeChecks(['audit'], {
    'audit-fields: entries are returned as stored, with growing ids, by position from either end': async ({
      audit,
    }) => {
      const whole = auditEntry(1, {
        target: 'user:2',
        address: '::1',
        detail: 'role admin',
        outcome: 'refused',
      });
      await audit.add([whole, auditEntry(2)]);
      await audit.add([]);
      await audit.add([auditEntry(3)]);
      const all = await entriesIn({ audit });
      assert.deepEqual(
        all.map((found) => withoutReadOnly(found, 'id')),
        [whole, auditEntry(2), auditEntry(3)],
      );
      const ids = all.map(({ id }) => Number(id));
      assert.deepEqual(
        ids,
        ids.toSorted((a, b) => a - b),
      );
      const next = await audit.list(everyAuditEntry, { after: all[0]?.id, limit: 1 });
      assert.deepEqual(next, all.slice(1, 2));
      assert.deepEqual(await audit.listBefore(everyAuditEntry, undefined, 2), all.slice(1).reverse());
      assert.deepEqual(await audit.listBefore(everyAuditEntry, all[1]?.id, 2), all.slice(0, 1));
    },

    'audit-filters: each field of a filter selects, alone and with the others': async (storage) => {
      const other = { actor: 'operator', action: 'command', target: 'user:9' } as const;
      const entries = [
        auditEntry(1),
        auditEntry(2, { actor: other.actor }),
        auditEntry(3, { action: other.action }),
        auditEntry(4, other),
      ];
      await storage.audit.add(entries);
      const seconds = async (filter: Partial<AuditFilter>) =>
        (await entriesIn(storage, filter)).map((found) => Number(found.at.slice(17, 19)));
      assert.deepEqual(await seconds({ actor: 'operator' }), [2, 4]);
      assert.deepEqual(await seconds({ action: 'command' }), [3, 4]);
      assert.deepEqual(await seconds({ target: 'user:9' }), [4]);
      assert.deepEqual(await seconds({ since: at(3) }), [3, 4]);
      assert.deepEqual(await seconds({ actor: 'operator', since: at(3) }), [4]);
      assert.deepEqual(await seconds({ actor: 'nobody\0' }), []);
    },

    'audit-expiry: deleteExpired deletes the oldest entries before a time, and no other': async (storage) => {
      await storage.audit.add([1, 2, 3, 4].map((second) => auditEntry(second)));
      assert.equal(await storage.audit.deleteExpired(at(1), 9), 0);
      assert.equal(await storage.audit.deleteExpired(at(4), 2), 2);
      assert.equal(await storage.audit.deleteExpired(at(4), 2), 1);
      assert.deepEqual(
        (await entriesIn(storage)).map((found) => found.at),
        [at(4)],
      );
    },
  }),

  ...storeChecks(
    ['audit', 'writes', 'users', 'idempotency', 'refreshTokens', 'apiKeys', 'orders', 'products', 'comments'],
    {
      'audit-write: every recorded write does what its method does, and its entries have its outcome': async (
        storage,
      ) => {
        const { writes, users, products } = storage;
        const created = await writes.write('users', 'create', [newUser(1), at(1)], noting);
        assert.ok(typeof created === 'object');
        await addUser(storage, 2);
        assert.equal(await writes.write('users', 'create', [newUser(1), at(1)], noting), 'email-taken');
        const changed = await writes.write(
          'users',
          'update',
          [created.id, change({ name: 'B' }), at(2)],
          noting,
        );
        assert.ok(typeof changed === 'object' && changed.name === 'B');
        const key = { caller: 'a', keyHash: 'k', requestHash: 'r', expiresAt: at(59) };
        const keyed = await writes.write('idempotency', 'createUser', [key, newUser(3), at(1)], noting);
        assert.ok(typeof keyed === 'object');
        const token = { hash: 'h', userId: created.id, expiresAt: at(59) };
        assert.equal(
          await writes.write('refreshTokens', 'create', [token, changed.version], noting),
          'created',
        );
        const newKey = { name: 'Key', hash: 'h', ownerId: created.id };
        const apiKey = await writes.write('apiKeys', 'create', [newKey, at(1)], noting);
        assert.ok(typeof apiKey === 'object');
        assert.equal(await writes.write('apiKeys', 'deactivate', [apiKey.id], noting), 'deactivated');
        assert.equal(await writes.write('apiKeys', 'deactivateAllOf', [created.id], noting), 0);
        const order = await addOrder(storage, created.id);
        const unchanged = { status: order.status, version: undefined };
        assert.equal(await writes.write('orders', 'delete', [order.id, unchanged], noting), 'deleted');
        const product = await products.create({ name: 'Lamp', description: undefined, priceCents: 1 });
        assert.equal(await writes.write('products', 'delete', [product.id], noting), 'deleted');
        assert.equal(await writes.write('users', 'delete', [created.id], noting), 'deleted');
        assert.equal(await users.find(created.id), undefined);
        assert.deepEqual(
          (await entriesIn(storage)).map(({ detail }) => detail),
          ['record', 'email-taken', 'record', 'record', 'created', 'record', 'deactivated', '0'].concat([
            'deleted',
            'deleted',
            'deleted',
          ]),
        );
      },
    },
  ),

  ...storeChecks(['audit', 'writes', 'users'], {
    'audit-together: of writes at once each stores its own entry, and those without entries store none':
      async (storage) => {
        const { writes, users } = storage;
        const names = await inTurn(4, (number) => Promise.resolve(`user:${String(number)}`));
        await Promise.all(
          names.map((target, number) =>
            writes.write('users', 'create', [newUser(number), at(1)], () => ({
              entries: [auditEntry(1, { target })],
            })),
          ),
        );
        await writes.write('users', 'create', [newUser(9), at(1)], () => ({ entries: [] }));
        const targets = (await entriesIn(storage)).map(({ target }) => target);
        assert.deepEqual(targets.toSorted(), names);
        assert.equal(await users.count(everyUser), 5);
      },
  }),
];
