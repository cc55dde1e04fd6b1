/** The checks of a store of audit entries. */
import assert from 'node:assert/strict';
import { withoutReadOnly } from '../../model/fields.js';
import { type AuditFilter, everyAuditEntry } from '../../ports/audit-store.js';
import { at, auditEntry, entriesIn } from '../samples.js';
import { storeChecks } from '../check.js';

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
];
