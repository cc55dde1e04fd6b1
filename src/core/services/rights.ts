/** Asks the table of rights: services put every question of "may they" here and decide nothing themselves. */
import { ServiceError } from '../model/error.js';
import type { Id } from '../model/id.js';
import type { Caller } from './caller.js';
import type { Action, Grant, Policy } from './policy.js';

export class Rights {
  readonly #policy: Policy;

  constructor(policy: Policy) {
    this.#policy = policy;
  }

  /**
   * Whether the caller may do this.
   *
   * @param owner the user whom the thing belongs to; undefined when it belongs to nobody
   */
  allows(caller: Caller, action: Action, owner?: Id): boolean {
    return this.#policy[action].some((grant) => holds(grant, caller, owner));
  }

  /**
   * Whether there can be a thing on which the caller may do this: the question to ask before looking for it, so that
   * those who never may learn nothing about what exists.
   */
  admits(caller: Caller, action: Action): boolean {
    return this.allows(caller, action, caller.kind === 'user' ? caller.id : undefined);
  }

  /**
   * Whose things the caller may do this on.
   *
   * @returns undefined for everybody's, else the caller's own id
   * @throws ServiceError `unauthenticated` or `forbidden` unless {@link admits}
   */
  scope(caller: Caller, action: Action): Id | undefined {
    this.requireSome(caller, action);
    return caller.kind === 'user' && !this.allows(caller, action) ? caller.id : undefined;
  }

  /** @throws ServiceError `unauthenticated` or `forbidden` unless {@link allows} */
  require(caller: Caller, action: Action, owner?: Id): void {
    if (!this.allows(caller, action, owner)) throw refusal(caller);
  }

  /** @throws ServiceError `unauthenticated` or `forbidden` unless {@link admits} */
  requireSome(caller: Caller, action: Action): void {
    if (!this.admits(caller, action)) throw refusal(caller);
  }
}

function holds(grant: Grant, caller: Caller, owner: Id | undefined): boolean {
  switch (grant) {
    case 'anyone':
      return true;
    case 'admin':
      return caller.kind === 'user' && caller.role === 'admin';
    case 'owner':
      return caller.kind === 'user' && caller.id === owner;
    default:
      return caller.kind === grant;
  }
}

function refusal(caller: Caller): ServiceError {
  return caller.kind === 'anonymous'
    ? new ServiceError('unauthenticated', 'Not authenticated')
    : new ServiceError('forbidden', 'Insufficient permissions');
}
