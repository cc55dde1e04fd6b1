/** The checks of a store of audit entries. */
import assert from 'node:assert/strict';
import { withoutReadOnly } from '../../model/fields.js';
import { type AuditFilter, everyAuditEntry } from '../../ports/audit-store.js';
import { type Row, storeChecks } from '../check.js';
import { at, auditEntry, entriesIn } from '../samples.js';

export const auditChecks = storeChecks(['audit'], {
  'audit-fields: entries are returned as stored, with growing ids, by position from either end': async ({
    audit,
  }) => {
    const fields = { target: 'user:2', address: '::1', detail: 'role admin', outcome: 'refused' } as const;
    const given = [auditEntry(1, fields), auditEntry(2), auditEntry(3)];
    await audit.add(given.slice(0, 2));
    await audit.add([]);
    await audit.add(given.slice(2));
    const all = await entriesIn({ audit });
    const [first, second] = all;
    assert.deepEqual(
      all.map((entry) => withoutReadOnly(entry, 'id')),
      given,
    );
    return [
      [() => all.toSorted((a, b) => Number(a.id) - Number(b.id)), all],
      [() => audit.list(everyAuditEntry, { after: first?.id, limit: 1 }), [second]],
      [() => audit.listBefore(everyAuditEntry, undefined, 2), all.slice(1).reverse()],
      [() => audit.listBefore(everyAuditEntry, second?.id, 2), [first]],
    ];
  },

  'audit-filters: each field of a filter selects, alone and with the others': async (storage) => {
    const other = { actor: 'operator', action: 'command', target: 'user:9' } as const;
    const { actor, action } = other;
    const entries = [
      auditEntry(1),
      auditEntry(2, { actor }),
      auditEntry(3, { action }),
      auditEntry(4, other),
    ];
    await storage.audit.add(entries);
    const row = (filter: Partial<AuditFilter>, ...seconds: readonly number[]): Row => [
      async () => (await entriesIn(storage, filter)).map((entry) => entry.at),
      seconds.map(at),
    ];
    return [
      row({ actor }, 2, 4),
      row({ action }, 3, 4),
      row({ target: 'user:9' }, 4),
      row({ since: at(3) }, 3, 4),
      row({ actor, since: at(3) }, 4),
      row({ actor: 'nobody\0' }),
    ];
  },

  'audit-expiry: deleteExpired deletes the oldest entries before a time, and no other': async (storage) => {
    const { audit } = storage;
    await audit.add([1, 2, 3, 4].map((second) => auditEntry(second)));
    return [
      [() => audit.deleteExpired(at(1), 9), 0],
      [() => audit.deleteExpired(at(4), 2), 2],
      [async () => (await entriesIn(storage)).map((entry) => entry.at), [at(3), at(4)]],
      [() => audit.deleteExpired(at(4), 2), 1],
      [async () => (await entriesIn(storage)).map((entry) => entry.at), [at(4)]],
    ];
  },
});
