/** Statements from hooks and applications in the transaction of a write. */
import type { StatementResult } from '../../../ports/transaction.js';
import type { Query } from './query.js';
import type { SqlTask, SqlTransaction } from './runner.js';

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

/** How the connection of a transaction runs statements from hooks, and tasks. */
interface Statements {
  /** Runs a statement from a hook. */
  readonly askForHook: (query: Query) => StatementResult | Promise<StatementResult>;
  readonly run: <T>(task: SqlTask<T>) => T | Promise<T>;
}

/**
 * Runs work whose calls are run on the connection of a transaction, one after the other: `pg` and its deadlines know one at a time. When
 * it returns, none is under way.
 *
 * @throws the error of the work, or of a call: PostgreSQL rolls back a transaction in which a statement has failed, and reports no error
 *   for its commit
 */
export async function withStatements<T>(
  database: 'postgres' | 'sqlite',
  { askForHook, run }: Statements,
  work: (transaction: SqlTransaction) => Promise<T>,
): Promise<T> {
  let isOver = false;
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Answer>(ask: () => Answer | Promise<Answer>): Promise<Answer> => {
    if (isOver) return Promise.reject(new Error('this transaction has ended'));
    const answer = last.then(ask);
    last = answer; // after a failure, later calls fail with the same error
    answer.catch(() => undefined); // it is thrown below, also if the work ignores it
    return answer;
  };
  const query = (sql: string, parameters: readonly unknown[] = []) =>
    inTurn(() => {
      if (endsTransaction.test(sql)) throw new Error('a transaction is not begun or ended by its statements');
      return askForHook({ sql, parameters });
    });
  try {
    const outcome = await work({ database, query, run: (task) => inTurn(() => run(task())) });
    isOver = true;
    await last;
    return outcome;
  } finally {
    isOver = true;
    await last.catch(() => undefined);
  }
}
