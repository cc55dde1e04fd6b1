/** The transactions of the memory storage: one at a time, while its other callers wait. */
import type { DatabaseObserver, RunTransaction, Stores } from '../../ports/storage.js';
import { worksIn } from '../../ports/stores-in.js';
import type { AtOnce, MemoryTables } from './tables.js';

type MemoryMethods = {
  readonly [Name in Exclude<keyof Stores, 'transaction'>]: AtOnce<Stores[Name]>;
};

export function memoryTransactions(
  { journal, fields }: MemoryTables,
  methods: MemoryMethods,
  observe: DatabaseObserver['call'],
): RunTransaction {
  const run = worksIn(methods, observe);
  return (work, isBrief) =>
    journal.run(isBrief, async () => {
      let isOver = false;
      const call = (method: (...given: unknown[]) => unknown, given: readonly unknown[]) =>
        new Promise((resolve) => {
          if (isOver) throw new Error('this transaction has ended');
          resolve(method(...given));
        });
      const own = {
        database: undefined,
        ownFields: fields,
        query: () =>
          Promise.reject(new Error('the memory storage has no database: keep and undo values of your own')),
      } as const;
      try {
        return await run(call, own, work);
      } finally {
        isOver = true;
      }
    });
}
