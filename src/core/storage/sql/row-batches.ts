/** Groups the rows of an import: into parts, each for one transaction, and these into batches for statements that store several. */
import type { TableRow } from '../../ports/store-rows.js';

/** Enough that round trips cost little; the parameters stay far below the limit of a query (SQLite: 32,766). */
const batchSize = 100;

/** The rows of one transaction, of which other writers wait for the end. */
const partSize = 500;

/** Rows of long texts make a part shorter. */
const partCharacters = 1_000_000;

/** Reads each part before its transaction begins, which so never waits for the file. */
export async function* partsOf(rows: AsyncIterable<TableRow>): AsyncGenerator<readonly TableRow[]> {
  let part: TableRow[] = [];
  let characters = 0;
  for await (const row of rows) {
    part.push(row);
    characters += JSON.stringify(row).length;
    if (part.length < partSize && characters < partCharacters) continue;
    yield part;
    part = [];
    characters = 0;
  }
  if (part.length > 0) yield part;
}

/** @returns the rows in batches of one table, which all have ids or none */
export function batchesOf(rows: readonly TableRow[]): readonly (readonly TableRow[])[] {
  const kindOf = ({ table, row }: TableRow) => `${table} ${String(row['id'] === undefined)}`;
  const batches: TableRow[][] = [];
  for (const row of rows) {
    const batch = batches.at(-1);
    const isNext = batch?.[0] && batch.length < batchSize && kindOf(batch[0]) === kindOf(row);
    if (isNext) batch.push(row);
    else batches.push([row]);
  }
  return batches;
}
