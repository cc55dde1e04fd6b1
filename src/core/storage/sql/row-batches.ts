/** Groups the rows of an import for statements that store several. */
import type { TableRow } from '../../ports/store-rows.js';

/** Enough that round trips cost little; the parameters stay far below the limit of a query (SQLite: 32,766). */
const batchSize = 200;

/** @returns the rows in batches of one table, which all have ids or none */
export async function* batchesOf(rows: AsyncIterable<TableRow>): AsyncGenerator<readonly TableRow[]> {
  const kindOf = ({ table, row }: TableRow) => `${table} ${String(row['id'] === undefined)}`;
  let batch: TableRow[] = [];
  for await (const row of rows) {
    if (batch[0] !== undefined && (batch.length === batchSize || kindOf(batch[0]) !== kindOf(row))) {
      yield batch;
      batch = [];
    }
    batch.push(row);
  }
  if (batch.length > 0) yield batch;
}
