/** The expected rights under each built-in policy: tests compare the table of rights and live answers with it. */
import type { Action } from '../../src/core/services/rights/policy.js';

/** The relation of a caller to a record that belongs to a user. A user owns their own record. */
export const callerNames = [
  'an anonymous caller',
  'another user',
  'the owner',
  'an admin',
  'an API key',
] as const;

export type CallerName = (typeof callerNames)[number];

export type PolicyName = 'open' | 'protected';

const everybody: readonly CallerName[] = callerNames;
const users: readonly CallerName[] = ['another user', 'the owner', 'an admin'];
const ownerOrAdmin: readonly CallerName[] = ['the owner', 'an admin'];
const admins: readonly CallerName[] = ['an admin'];

/** The callers under `open`, and under `protected`. */
const expected: Readonly<Record<Action, readonly [readonly CallerName[], readonly CallerName[]]>> = {
  'profile.read': [users, users],

  'users.create': [everybody, ['an anonymous caller', ...users]],
  'users.read': [everybody, [...users, 'an API key']],
  'users.update': [everybody, ownerOrAdmin],
  'users.giveRole': [admins, admins],
  'users.changePassword': [ownerOrAdmin, ownerOrAdmin],
  'users.endSessions': [ownerOrAdmin, ownerOrAdmin],
  'users.activate': [everybody, admins],
  'users.delete': [admins, admins],

  'posts.read': [everybody, everybody],
  'posts.create': [['an anonymous caller', 'an API key', ...ownerOrAdmin], ownerOrAdmin],

  'orders.read': [everybody, [...ownerOrAdmin, 'an API key']],
  'orders.create': [everybody, ownerOrAdmin],
  'orders.replace': [everybody, ownerOrAdmin],
  'orders.changeStatus': [everybody, admins],
  'orders.cancel': [everybody, ownerOrAdmin],
  'orders.refund': [everybody, admins],
  'orders.delete': [everybody, ownerOrAdmin],
  'orders.deleteStarted': [everybody, admins],

  'products.read': [everybody, everybody],
  'products.write': [everybody, admins],

  'comments.read': [everybody, [...ownerOrAdmin, 'an API key']],
  'comments.create': [everybody, ownerOrAdmin],
  'comments.createAs': [everybody, ownerOrAdmin],

  'keys.manage': [admins, admins],
  'keys.readOwn': [['an API key'], ['an API key']],

  'webhooks.manage': [admins, admins],

  'audit.read': [admins, admins],
};

export const expectedActions = Object.keys(expected) as readonly Action[];

/** Whether the caller may do this on a record of the owner. */
export function isExpected(policy: PolicyName, action: Action, caller: CallerName): boolean {
  return expected[action][policy === 'open' ? 0 : 1].includes(caller);
}
