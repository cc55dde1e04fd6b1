/** The writes of the SQL storages, each in one transaction with all that belongs to it. */
import type { WriteAdditions, WriteStore, WrittenStore, WrittenStores } from '../../ports/write-store.js';
import { addEntries } from './audit.js';
import type { AddEvent } from './outbox-events.js';
import type { Query } from './query/query.js';
import type { SqlRunner, SqlTask, TasksOf } from './query/runner.js';

/** Makes the additions of a record. */
type AdditionsOf = (record: object) => WriteAdditions;

const unknownId = '{id}';

export function sqlWrites(
  runner: SqlRunner,
  addEvent: AddEvent,
  stores: WriteStore['stores'],
  tasks: { readonly [Store in WrittenStore]: TasksOf<WrittenStores[Store]> },
): WriteStore {
  function* add({ entries, event }: WriteAdditions): SqlTask<void> {
    yield* addEntries(runner, entries);
    if (event !== undefined) yield* addEvent(event);
  }

  /** The query that also stores the event with the record that it writes, if nothing else belongs to the write. */
  function publishingOf(query: Query, createdAt: unknown, additionsOf: AdditionsOf): Query | undefined {
    const publishing = query.record === undefined ? undefined : runner.dialect.publishing;
    if (publishing === undefined) return undefined;
    // The record is not written yet. The query adds it to the event, and its id to the subject.
    const record = { id: unknownId, createdAt };
    const { entries, event } = additionsOf(record);
    if (entries.length > 0 || event?.data !== record || !event.subject.endsWith(unknownId)) return undefined;
    return publishing(query, { ...event, subject: event.subject.slice(0, -unknownId.length) });
  }

  return {
    stores,

    write(store, method, given, additionsOf, after) {
      type Outcome = Parameters<typeof additionsOf>[0];
      const task = tasks[store][method] as (...given: unknown[]) => SqlTask<Outcome>;
      if (after === undefined) {
        return runner.runAtomically(function* () {
          const begun = task(...given);
          let step = begun.next([]);
          const first = step.done === true ? undefined : step.value;
          const publishing = first && publishingOf(first, given.at(-1), additionsOf as AdditionsOf);
          if (publishing !== undefined) return begun.next(yield publishing).value as Outcome;
          while (step.done !== true) step = begun.next(yield step.value);
          yield* add(additionsOf(step.value));
          return step.value;
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
