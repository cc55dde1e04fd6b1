/** The writes of the SQL storages, each in one transaction with all that belongs to it. */
import type { WriteAdditions, WriteStore, WrittenStore, WrittenStores } from '../../ports/write-store.js';
import { addEntries } from './audit.js';
import type { SqlRunner, SqlTask, TasksOf } from './query/runner.js';

export function sqlWrites(
  runner: SqlRunner,
  stores: WriteStore['stores'],
  tasks: { readonly [Store in WrittenStore]: TasksOf<WrittenStores[Store]> },
): WriteStore {
  function* add({ entries }: WriteAdditions): SqlTask<void> {
    yield* addEntries(runner, entries);
  }

  return {
    stores,

    write(store, method, given, additionsOf, after) {
      type Outcome = Parameters<typeof additionsOf>[0];
      const task = tasks[store][method] as (...given: unknown[]) => SqlTask<Outcome>;
      if (after === undefined) {
        return runner.runAtomically(function* () {
          const outcome = yield* task(...given);
          yield* add(additionsOf(outcome));
          return outcome;
        });
      }
      return runner.runAtomically(
        () => task(...given),
        async (outcome, transaction) => {
          await after(outcome, transaction);
          return add(additionsOf(outcome));
        },
      );
    },
  };
}
