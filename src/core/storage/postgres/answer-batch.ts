/** Settles what waits in a batch that PostgreSQL runs in one transaction. */
import { ServiceError } from '../../model/error.js';

export interface Waiting<Outcome> {
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs a batch, and each of it alone if PostgreSQL refused one of several and so undid all: each of the others must not fail with it.
 * Never rejects.
 *
 * @param run - returns one outcome each, in their order; a ServiceError concerns all
 * @param otherwise - the outcome where it returns none
 */
export async function answerBatch<Outcome, Each extends Waiting<Outcome>>(
  batch: readonly Each[],
  run: (batch: readonly Each[]) => Promise<readonly Outcome[]>,
  otherwise: Outcome,
): Promise<void> {
  try {
    const outcomes = await run(batch);
    for (const [index, { resolve }] of batch.entries()) resolve(outcomes[index] ?? otherwise);
  } catch (error) {
    if (batch.length > 1 && !(error instanceof ServiceError)) {
      for (const each of batch) await answerBatch([each], run, otherwise);
      return;
    }
    for (const { reject } of batch) reject(error);
  }
}
