/**
 * Evaluates the policy for the services, which decide nothing themselves. A service evaluates the grants once per request and
 * passes the decision on; it then calls the rule function for each record.
 */
import { ServiceError } from '../../model/error.js';
import type { Id } from '../../model/id.js';
import type { Caller } from './caller.js';
import type { Action, ActionRecords, Grant, Policy, Rule } from './policy.js';

/** The records of a list that a caller may act on: all of them if both fields are undefined. */
export interface Scope<A extends Action> {
  /** Only the records of this user. */
  readonly owner?: Id | undefined;
  /** Only the records that pass. */
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
   * @param record the argument of a rule function; without it, a rule function refuses every caller
   */
  allows<A extends Action>(caller: Caller, action: A, owner?: Id, record?: ActionRecords[A]): boolean {
    const row: readonly Grant[] | Rule<A> = this.#policy[action];
    if (typeof row !== 'function') {
      for (const grant of row) if (holds(grant, caller, owner)) return true;
      return false;
    }
    // Only `true` allows: a result that bypassed the types, such as a promise, does not.
    return record !== undefined && (row(caller, record) as unknown) === true;
  }

  /** Whether a rule function decides, so that the record must be read first. */
  needsRecord(action: Action): boolean {
    return typeof this.#policy[action] === 'function';
  }

  /**
   * Whether the caller may do this on any record at all. Checked before the record is read, so that a caller who is always refused
   * does not learn which records exist.
   */
  mayEver(caller: Caller, action: Action): boolean {
    return (
      this.needsRecord(action) || this.allows(caller, action, caller.kind === 'user' ? caller.id : undefined)
    );
  }

  /** Whether a rule function hides a record from the caller; the record then does not exist for the caller. */
  hides<A extends Action>(caller: Caller, action: A, record: ActionRecords[A]): boolean {
    return this.needsRecord(action) && !this.allows(caller, action, undefined, record);
  }

  /**
   * The records of a list on which the caller may do this.
   *
   * @throws ServiceError `unauthenticated` or `forbidden` unless {@link mayEver}
   */
  scope<A extends Action>(caller: Caller, action: A): Scope<A> {
    if (this.needsRecord(action)) return { passes: this.#test(caller, action) };
    if (this.allows(caller, action)) return { owner: undefined };
    const owner = caller.kind === 'user' ? caller.id : undefined;
    this.require(caller, action, owner);
    return { owner };
  }

  /**
   * The {@link scope} of a list whose records belong to no user.
   *
   * @returns the test that a listed record must pass; undefined if all are listed
   * @throws ServiceError `unauthenticated` or `forbidden` if the grants do not allow the caller to read the whole list
   */
  filter<A extends Action>(caller: Caller, action: A): Scope<A>['passes'] {
    if (this.needsRecord(action)) return this.#test(caller, action);
    this.require(caller, action);
    return undefined;
  }

  /** @throws ServiceError `unauthenticated` or `forbidden` unless {@link allows} */
  require<A extends Action>(caller: Caller, action: A, owner?: Id, record?: ActionRecords[A]): void {
    if (!this.allows(caller, action, owner, record)) throw refusal(caller);
  }

  /**
   * Checks the grants of several actions before the record is read, so that a refused caller does not learn whether it exists.
   *
   * @returns the check by rule functions, to call when the record has been read; undefined if there are none
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

  #test<A extends Action>(caller: Caller, action: A): (record: ActionRecords[A]) => boolean {
    return (record) => this.allows(caller, action, undefined, record);
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
