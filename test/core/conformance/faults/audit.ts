/** Stores that break a rule of the audit log or of transactions. */
import { memoryStorage } from '../../../../src/core/storage/memory.js';
import type { Storage } from '../../../../src/core/ports/storage.js';
import { changeInside, faults, splitTransactions, storeFaults } from './fault.js';

export const auditFaults = storeFaults('audit', {
  list: {
    'the audit log is listed from its end: audit-fields': (list) => async (filter, slice) =>
      (await list(filter, slice)).toReversed(),
    'the log is not filtered by target: audit-filters': (list) => (filter, slice) =>
      list({ ...filter, target: undefined }, slice),
  },
  deleteExpired: {
    'entries expire in any number: audit-expiry': (deleteExpired) => (before) => deleteExpired(before, 1_000),
  },
});

export const transactionFaults = faults<Storage>({
  'nothing is undone: transaction-undone, transaction-apart, transaction-nested': splitTransactions,
  'one store takes no part in transactions: transaction-every-store': (storage) => {
    const create = () => Promise.resolve('user-not-found' as const);
    changeInside(storage, () => ({ comments: { ...storage.comments, create } }));
  },
  'a transaction within one is kept by itself: transaction-nested': (storage) => {
    const { transaction } = memoryStorage();
    changeInside(storage, () => ({ transaction }));
  },
  'a transaction does not see what it has written: transaction-isolated': (storage) => {
    const { users } = storage;
    const find = () => Promise.resolve(undefined);
    changeInside(storage, (tx) => ({ users: { ...tx.users, find, update: users.update.bind(users) } }));
  },
  'calls after the end are carried out: transaction-ended': (storage) => {
    const { users } = storage;
    changeInside(storage, () => ({ users }));
  },
  'entries of a transaction are lost: transaction-kept, transaction-apart': (storage) => {
    changeInside(storage, (tx) => ({ audit: { ...tx.audit, add: () => Promise.resolve() } }));
  },
});
