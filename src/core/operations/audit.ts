/** The operation that reads the audit log. */
import type { components } from '../../../generated/openapi.js';
import type { AuditEntry } from '../model/audit.js';
import { allRead, complete } from '../model/fields.js';
import type { Services } from '../services/services.js';
import type { SomeOperations } from './answers.js';

type Entry = components['schemas']['AuditEntry'];

export function auditOperations({ audit }: Services) {
  return {
    async listAuditEntries(
      { query: { actor, action, target, since, lastId, limit, ...query }, ...others },
      { caller },
    ) {
      allRead(query, others);
      const filter = { actor, action, target, since };
      const { data, ...page } = await audit.list(caller, filter, { lastId, limit });
      return { status: 200, body: { data: data.map(entryRecord), ...page } };
    },
  } satisfies SomeOperations;
}

function entryRecord({ id, at, actor, action, target, address, outcome, detail }: AuditEntry): Entry {
  return complete<Entry>({ id, at, actor, action, target, address, outcome, detail });
}
