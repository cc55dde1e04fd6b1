/** Asks the table of rights: services put every question of "may they" here and decide nothing themselves. */
import { ServiceError } from '../model/error.js';
import type { Id } from '../model/id.js';
import type { Caller } from './caller.js';
import type { Action, ActionRecords, Grant, Policy, Rule } from './policy.js';

/** Which records of a list a caller may do something on: all of them where both are undefined. */
export interface Scope<A extends Action> {
  /** Only this user's. */
  readonly owner?: Id | undefined;
  /** Only those that pass. */
  readonly passes?: ((record: ActionRecords[A]) => boolean) | undefined;
}

export class Rights {
  readonly #policy: Policy;

  constructor(policy: Policy) {
    this.#policy = policy;
  }

  /**
   * Whether the caller may do this.
   *
   * @param owner the user whom the record belongs to; undefined when it belongs to no user
   * @param record what a function decides on; without it, a function lets nobody through
   */
  allows<A extends Action>(caller: Caller, action: A, owner?: Id, record?: ActionRecords[A]): boolean {
    const row: readonly Grant[] | Rule<A> = this.#policy[action];
    if (typeof row !== 'function') return row.some((grant) => holds(grant, caller, owner));
    // Only `true` counts: an answer that bypassed the types, such as a promise, is none.
    return record !== undefined && (row(caller, record) as unknown) === true;
  }

  /** Whether a function decides: only once the record is read can the caller be let through, or refused. */
  needsRecord(action: Action): boolean {
    return typeof this.#policy[action] === 'function';
  }

  /**
   * Whether there can be a record on which the caller may do this: the question to ask before looking for it, so that
   * those who never may learn nothing about what exists.
   */
  mayEver(caller: Caller, action: Action): boolean {
    return (
      this.needsRecord(action) || this.allows(caller, action, caller.kind === 'user' ? caller.id : undefined)
    );
  }

  /** Whether a function keeps a record from the caller, for whom it then does not exist. */
  hides<A extends Action>(caller: Caller, action: A, record: ActionRecords[A]): boolean {
    return this.needsRecord(action) && !this.allows(caller, action, undefined, record);
  }

  /**
   * Which records of a list the caller may do this on.
   *
   * @throws ServiceError `unauthenticated` or `forbidden` unless {@link mayEver}
   */
  scope<A extends Action>(caller: Caller, action: A): Scope<A> {
    this.requireSome(caller, action);
    if (this.needsRecord(action)) {
      return { passes: (record) => this.allows(caller, action, undefined, record) };
    }
    return { owner: caller.kind === 'user' && !this.allows(caller, action) ? caller.id : undefined };
  }

  /**
   * {@link scope} of a list whose records belong to no user.
   *
   * @returns what a record must pass to be listed; undefined where all are
   * @throws ServiceError `unauthenticated` or `forbidden` where grants do not let the caller read all of it
   */
  filter<A extends Action>(caller: Caller, action: A): Scope<A>['passes'] {
    if (!this.needsRecord(action)) this.require(caller, action);
    return this.scope(caller, action).passes;
  }

  /** @throws ServiceError `unauthenticated` or `forbidden` unless {@link allows} */
  require<A extends Action>(caller: Caller, action: A, owner?: Id, record?: ActionRecords[A]): void {
    if (!this.allows(caller, action, owner, record)) throw refusal(caller);
  }

  /**
   * Asks the grants of several actions before the record is read, so that a caller whom they refuse does not learn
   * whether it exists.
   *
   * @returns what asks the functions once it is read; undefined where there are none
   */
  requireFirst<A extends Action>(
    caller: Caller,
    actions: readonly A[],
    owner?: Id,
  ): ((record: ActionRecords[A]) => void) | undefined {
    const left = actions.filter((action) => this.needsRecord(action));
    for (const action of actions) if (!left.includes(action)) this.require(caller, action, owner);
    if (left.length === 0) return undefined;
    return (record) => {
      for (const action of left) this.require(caller, action, owner, record);
    };
  }

  /** @throws ServiceError `unauthenticated` or `forbidden` unless {@link mayEver} */
  requireSome(caller: Caller, action: Action): void {
    if (!this.mayEver(caller, action)) throw refusal(caller);
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
