/** Stores that break a rule of the audit log. */
import type { Faults } from './fault.js';

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
  'other work runs after the write': [
    ['writes-undone', 'writes-apart'],
    ({ writes }) => {
      const write = writes.write.bind(writes);
      writes.write = async (store, method, given, additionsOf, after) => {
        const outcome = await write(store, method, given, additionsOf);
        await after?.(outcome, { database: undefined, query: () => Promise.reject(new Error('none')) });
        return outcome;
      };
    },
  ],
  'other work does not run': [
    ['writes-after'],
    ({ writes }) => {
      const write = writes.write.bind(writes);
      writes.write = (store, method, given, additionsOf) => write(store, method, given, additionsOf);
    },
  ],
  'recorded writes leave no entry': [
    ['audit-write', 'audit-together'],
    ({ writes }) => {
      const write = writes.write.bind(writes);
      writes.write = (store, method, given) => write(store, method, given, () => ({ entries: [] }));
    },
  ],
};
