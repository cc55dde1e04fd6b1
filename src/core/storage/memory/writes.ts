/** The writes of the memory storage, each in one step with all that belongs to it. */
import type {
  StoreTransaction,
  WriteAdditions,
  WriteStore,
  WrittenStore,
  WrittenStores,
} from '../../ports/write-store.js';
import { addEntries } from './audit.js';
import { addEvent } from './outbox.js';
import type { AtOnce, MemoryTables } from './tables.js';

export function memoryWrites(
  tables: MemoryTables,
  stores: WriteStore['stores'],
  methods: { readonly [Store in WrittenStore]: AtOnce<WrittenStores[Store]> },
): WriteStore {
  function add({ entries, event }: WriteAdditions): void {
    addEntries(tables, entries);
    if (event !== undefined) addEvent(tables, event);
  }

  return {
    stores,

    write(store, method, given, additionsOf, after) {
      type Outcome = Parameters<typeof additionsOf>[0];
      const write = methods[store][method] as (...given: unknown[]) => Outcome;
      if (after === undefined) {
        return tables.journal.call(() => {
          const outcome = write(...given);
          add(additionsOf(outcome));
          return outcome;
        });
      }
      return tables.journal.run(async () => {
        const outcome = write(...given);
        await after(outcome, transaction);
        add(additionsOf(outcome));
        return outcome;
      });
    },
  };
}

const transaction: StoreTransaction = {
  database: undefined,
  query: () =>
    Promise.reject(new Error('the memory storage has no database: keep and undo values of your own')),
};
