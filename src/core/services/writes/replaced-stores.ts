/** The stores that a team puts in the place of a storage's own: they take part in its transactions, or are refused. */
import type { RunTransaction, Storage, Transaction } from '../../ports/storage.js';
import type { JoiningStore } from '../../ports/transaction.js';

/**
 * The transactions of a storage, which have also the stores that have replaced others; undefined if it has none.
 *
 * @throws an error that names a store whose writes would not be part of a transaction
 */
export function transactionOf(storage: Partial<Storage>): RunTransaction | undefined {
  const { transaction, joined = {} } = storage;
  if (transaction === undefined) return undefined;
  const given: Readonly<Record<string, unknown>> = { ...storage };
  const replaced = Object.keys(joined).filter(
    (name) => given[name] !== undefined && given[name] !== joined[name],
  );
  const stores = replaced.map((name) => [name, given[name] as JoiningStore<unknown>] as const);
  for (const [name, store] of stores)
    if (typeof store.within !== 'function')
      throw new Error(
        `the store ${name} is not the storage's own, so its writes would not be in the transactions of the storage: ` +
          'give it a method "within", which returns the store in a transaction, or set "transaction" to undefined, ' +
          'without which there are no idempotency keys, events and hooks "after"',
      );
  if (stores.length === 0) return transaction;
  return (work) =>
    transaction((others) => {
      const within = stores.map(([name, store]) => [name, { value: store.within(others) }]);
      const nested: RunTransaction = (inner) => others.transaction(() => inner(whole));
      const own = { ...Object.fromEntries(within), transaction: { value: nested } } as PropertyDescriptorMap;
      const whole = Object.create(others, own) as Transaction;
      return work(whole);
    });
}
