/** The audit log of the SQL storages. */
import type { AuditEntry } from '../../model/audit.js';
import type { AuditFilter, AuditStore } from '../../ports/audit-store.js';
import { isSearchable } from './query/clauses.js';
import { insertedOf, readerOf, type RowOf, selectionOf } from './query/columns.js';
import { isAlone, type SqlRunner, type TasksOf, rowsOf, type SqlTask } from './query/runner.js';
import { auditColumns } from './query/schema.js';

export function auditTasks({ builder, dialect }: SqlRunner): TasksOf<AuditStore> {
  const entryOf = readerOf(auditColumns);

  function* page(
    { since, ...fields }: AuditFilter,
    place: readonly ['>' | '<', string] | undefined,
    limit: number,
  ): SqlTask<readonly AuditEntry[]> {
    if (!Object.values(fields).every((text) => isSearchable(text ?? ''))) return [];
    let rows = builder
      .selectFrom('audit_log')
      .select(selectionOf(auditColumns, dialect))
      .orderBy('id', place?.[0] === '>' ? 'asc' : 'desc')
      .limit(limit);
    if (place !== undefined) rows = rows.where('id', ...place);
    if (since !== undefined) rows = rows.where('audit_log.at', '>=', since);
    for (const [field, value] of Object.entries(fields) as [keyof typeof fields, string | undefined][]) {
      if (value !== undefined) rows = rows.where(field, '=', value);
    }
    return (yield* rowsOf(rows.$castTo<RowOf<AuditEntry>>())).map(entryOf);
  }

  return {
    *add(entries) {
      if (entries.length === 0) return;
      const values = entries.map((entry) => insertedOf(auditColumns, entry));
      yield* rowsOf(builder.insertInto('audit_log').values(values).returning('id'));
    },
    list: (filter, { after = '0', limit }) => page(filter, ['>', after], limit),
    listBefore: (filter, before, limit) =>
      page(filter, before === undefined ? undefined : ['<', before], limit),

    *deleteExpired(before, limit) {
      if (!(yield* isAlone(dialect))) return 0;
      // Ids grow with time, so the oldest entries are found without an index of the times.
      const oldest = builder.selectFrom('audit_log').select('id').orderBy('id').limit(limit);
      const deletion = builder.deleteFrom('audit_log').where('id', 'in', oldest);
      return (yield* rowsOf(deletion.where('at', '<', before).returning('id'))).length;
    },
  };
}
