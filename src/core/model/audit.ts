/** The entries of the audit log: who did or tried which privileged action, on whom, from where, and with which outcome. */
import type { Id } from './id.js';
import type { Timestamp } from './timestamp.js';

/** The actions that are recorded, each with its meaning. Those that the policy decides on have its names. */
export const auditActions = {
  'sessions.signIn': 'a sign-in with a password',
  'sessions.signInExternally': 'a sign-in with an identity provider',
  'sessions.reuse': 'a refresh token that was used before, which ends its session',
  'users.giveRole': 'a role or a status was given to a user',
  'users.changePassword': 'the password of a user was replaced',
  'users.endSessions': 'all tokens of a user were revoked',
  'users.activate': 'a user was activated',
  'users.delete': 'a user was deleted',
  'orders.delete': 'a pending order was deleted',
  'orders.deleteStarted': 'an order that was no longer pending was deleted',
  'products.delete': 'a product was deleted',
  'products.write': 'a write of products that the policy refused',
  'keys.create': 'an API key was created',
  'keys.revoke': 'an API key, or every key of a user, was revoked',
  'keys.manage': 'a use of API keys that the policy refused',
  'webhooks.create': 'a webhook was created',
  'webhooks.update': 'the address of a webhook was changed, or whether it is active',
  'webhooks.test': 'a test event was sent to a webhook',
  'webhooks.redeliver': 'events were sent to a webhook again',
  'webhooks.rotate': 'a webhook got a new secret',
  'webhooks.delete': 'a webhook was deleted',
  'webhooks.manage': 'a use of webhooks that the policy refused',
  'audit.read': 'a reading of the audit log that the policy refused',
  'records.import': 'records were imported',
  command: 'a command of `concordat-service` on the store',
} as const;

export type AuditAction = keyof typeof auditActions;

/** Contains no secret: neither passwords, tokens and keys nor the texts that were given in their place. */
export interface AuditEntry {
  readonly id: Id;
  readonly at: Timestamp;
  /** `user:<id>`, `api-key:<id>`, `anonymous` or `operator`. */
  readonly actor: string;
  readonly action: AuditAction;
  /** The record that the action concerns, as `user:<id>`; undefined if it concerns none. */
  readonly target: string | undefined;
  /** The client's address, or `command line`; undefined if it is not known. */
  readonly address: string | undefined;
  /** `done`, `refused` for a decision of the policy, or the reason why the action failed, in one word. */
  readonly outcome: string;
  /** Further facts, such as the role that was given. */
  readonly detail: string | undefined;
}
