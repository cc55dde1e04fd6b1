/** Statements of others in the transaction of a write. */
import type { StatementResult, StoreTransaction } from '../../../ports/write-store.js';
import type { Query } from './query.js';

/** A statement that begins with some words, behind comments too. */
const begins = (words: string): RegExp => new RegExp(`^(?:[\\s;]|--.*|/\\*[^]*?\\*/)*(?:${words})\\b`, 'i');

/** Statements about transactions. PostgreSQL would carry them out, and the write would be answered all the same. */
const endsTransaction = begins('begin|start|commit|end|rollback|abort|prepare\\s+transaction');

const ofSession = [
  begins(
    'set(?!\\s+(?:local|transaction|constraints)\\b)|reset|listen|unlisten|prepare|deallocate|discard|load|declare|do|call',
  ),
  begins('pragma|attach|detach|create\\s+(?:(?:local|global)\\s+)?temp\\w*'),
  /\bset_config\s*\((?![^;]*,\s*true\s*\))|\bpg_(?:try_)?advisory_lock|\binto\s+temp/i,
];

/** Whether a statement may leave something in its connection after the transaction, such as a setting, a lock or a temporary table. */
export function changesSession(sql: string): boolean {
  return ofSession.some((pattern) => pattern.test(sql));
}

/**
 * Runs work whose statements are asked on the connection of a transaction, one after the other: `pg` and its deadlines know one at a
 * time. When it returns, none is under way.
 *
 * @throws the error of the work, or of a statement: PostgreSQL rolls back a transaction in which one has failed, and reports no error
 *   for its commit
 */
export async function withStatements<T>(
  database: 'postgres' | 'sqlite',
  ask: (query: Query) => StatementResult | Promise<StatementResult>,
  work: (transaction: StoreTransaction) => Promise<T>,
): Promise<T> {
  let isOver = false;
  let last: Promise<unknown> = Promise.resolve();
  const query = (sql: string, parameters: readonly unknown[] = []): Promise<StatementResult> => {
    if (isOver) return Promise.reject(new Error('the write of this transaction has ended'));
    const answer = last.then(() => {
      if (endsTransaction.test(sql))
        throw new Error('the transaction of a write is not begun or ended by others');
      return ask({ sql, parameters });
    });
    last = answer; // after a failure, later statements fail with the same error
    answer.catch(() => undefined); // it is thrown below, also if the work ignores it
    return answer;
  };
  try {
    const outcome = await work({ database, query });
    isOver = true;
    await last;
    return outcome;
  } finally {
    isOver = true;
    await last.catch(() => undefined);
  }
}
