/** The writes of the SQL storages, each in one transaction with all that belongs to it. */
import type { WriteAdditions, WriteStore, WrittenStore, WrittenStores } from '../../ports/write-store.js';
import { addEntries } from './audit.js';
import type { OutboxTasks } from './outbox.js';
import type { SqlRunner, SqlTask, TasksOf } from './query/runner.js';

export function sqlWrites(
  runner: SqlRunner,
  addEvent: OutboxTasks['add'],
  stores: WriteStore['stores'],
  tasks: { readonly [Store in WrittenStore]: TasksOf<WrittenStores[Store]> },
): WriteStore {
  function* add({ entries, event }: WriteAdditions): SqlTask<void> {
    yield* addEntries(runner, entries);
    if (event !== undefined) yield* addEvent(event);
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
