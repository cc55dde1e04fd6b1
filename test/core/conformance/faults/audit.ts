/** Stores that break a rule of the audit log. */
import { memoryStorage } from '../../../../src/core/storage/memory.js';
import { changeInside, type Faults, splitTransactions } from './fault.js';

export const auditFaults: Faults = {
  'the audit log is listed from its end': [
    ['audit-fields'],
    ({ audit }) => {
      const list = audit.list.bind(audit);
      audit.list = async (filter, slice) => (await list(filter, slice)).toReversed();
    },
  ],
  'the log is not filtered by target': [
    ['audit-filters'],
    ({ audit }) => {
      const list = audit.list.bind(audit);
      audit.list = (filter, slice) => list({ ...filter, target: undefined }, slice);
    },
  ],
  'entries expire in any number': [
    ['audit-expiry'],
    ({ audit }) => {
      const deleteExpired = audit.deleteExpired.bind(audit);
      audit.deleteExpired = (before) => deleteExpired(before, 1_000);
    },
  ],
  'nothing is undone': [['transaction-undone', 'transaction-apart', 'transaction-nested'], splitTransactions],
  'one store takes no part in transactions': [
    ['transaction-every-store'],
    (storage) => {
      const { comments } = storage;
      changeInside(storage, () => ({
        comments: { ...comments, create: () => Promise.resolve('user-not-found') },
      }));
    },
  ],
  'a transaction within one is kept by itself': [
    ['transaction-nested'],
    (storage) => {
      const apart = memoryStorage();
      const { transaction } = apart;
      changeInside(storage, () => ({ transaction }));
    },
  ],
  'a transaction does not see what it has written': [
    ['transaction-isolated'],
    (storage) => {
      const { users } = storage;
      changeInside(storage, (tx) => ({
        users: { ...tx.users, find: () => Promise.resolve(undefined), update: users.update.bind(users) },
      }));
    },
  ],
  'calls after the end are carried out': [
    ['transaction-ended'],
    (storage) => {
      const { users } = storage;
      changeInside(storage, () => ({ users }));
    },
  ],
  'entries of a transaction are lost': [
    ['transaction-kept', 'transaction-apart'],
    (storage) => {
      changeInside(storage, (tx) => ({ audit: { ...tx.audit, add: () => Promise.resolve() } }));
    },
  ],
};
