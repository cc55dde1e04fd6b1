/** Comparisons of times in queries. */
import { sql, type RawBuilder } from 'kysely';
import type { Timestamp } from '../../../model/timestamp.js';

/** The later of a column and a moment, in SQL that both databases accept. */
export function notBefore(column: string, moment: Timestamp): RawBuilder<Timestamp> {
  const stored = sql.ref(column);
  return sql`case when ${stored} > ${moment} then ${stored} else ${moment} end`;
}
