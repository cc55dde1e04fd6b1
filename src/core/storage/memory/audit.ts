/** The audit log of the memory storage. */
import type { AuditEntry } from '../../model/audit.js';
import type { AuditFilter, AuditStore } from '../../ports/audit-store.js';
import type { AtOnce, MemoryTables } from './tables.js';

export function memoryAudit({ audit }: MemoryTables): AtOnce<AuditStore> {
  return {
    add(entries) {
      for (const entry of entries) audit.add(Object.freeze<AuditEntry>({ id: audit.nextId(), ...entry }));
    },
    list: (filter, slice) => audit.slice(slice, testOf(filter)),
    listBefore: (filter, before, limit) =>
      audit.sliceBefore(before, Infinity).filter(testOf(filter)).slice(0, limit),

    deleteExpired(before, limit) {
      const expired = audit.slice({ offset: 0, limit }).filter(({ at }) => at < before);
      for (const { id } of expired) audit.delete(id);
      return expired.length;
    },
  };
}

function testOf({ since, ...fields }: AuditFilter): (entry: AuditEntry) => boolean {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return (entry) =>
    (since === undefined || entry.at >= since) &&
    given.every(([field, value]) => entry[field as keyof AuditEntry] === value);
}
