/**
 * Evaluates the policy for the services, which decide nothing themselves. A service evaluates the grants once per request and
 * passes the decision on; it then calls the rule function for each record.
 */
import { type AuditAction, auditActions } from '../../model/audit.js';
import { ServiceError } from '../../model/error.js';
import type { Id } from '../../model/id.js';
import type { Caller } from './caller.js';
import { type KeptFields, hasStored, type StoredValues } from '../../model/stored.js';
import {
  type Action,
  type ActionRecords,
  type Grant,
  type ListedAction,
  listedRecords,
  type Match,
  type MatchRule,
  type Policy,
  type Rule,
} from './policy.js';

/** The records of a list that a caller may act on: all of them if no field is given. */
export interface Scope<A extends Action> {
  /** Only the records of this user. */
  readonly owner?: Id | undefined;
  /** Only the records that pass. */
  readonly passes?: ((record: ActionRecords[A]) => boolean) | undefined;
  /** The values of those that pass, if the store can find them by these and the owner; `none` if no record passes. */
  readonly stored?: StoredValues | 'none' | undefined;
}

/** Called when the policy refuses a privileged action to a caller with a credential. */
type OnRefusal = (caller: Caller, action: AuditAction, target: string | undefined) => void;

/** The most refusals that a process records per minute: callers must not be able to fill the database with them. */
const maxRefusals = 60;
const minuteMs = 60_000;

export class Rights {
  #minute = 0;
  #refusals = 0;

  /** @param fields - the application's own fields, with their defaults */
  constructor(
    private readonly policy: Policy,
    private readonly onRefusal: OnRefusal = () => undefined,
    private readonly fields: KeptFields = {},
  ) {}

  /**
   * Whether the caller may do this.
   *
   * @param owner the user whom the record belongs to; undefined when it belongs to no user
   * @param record the argument of a rule function; without it, a rule function refuses every caller
   */
  allows<A extends Action>(caller: Caller, action: A, owner?: Id, record?: ActionRecords[A]): boolean {
    const row: readonly Grant[] | Rule<A> | MatchRule = this.policy[action];
    if (isGrants(row)) {
      for (const grant of row) {
        if (grant === 'anyone' || grant === caller.kind) return true;
        if (caller.kind !== 'user') continue;
        if (grant === 'admin' && caller.role === 'admin') return true;
        if (grant === 'owner' && caller.id === owner) return true;
      }
      return false;
    }
    if (record === undefined) return false;
    // Only `true` allows: a result that bypassed the types, such as a promise, does not.
    if (typeof row === 'function') return (row(caller, record) as unknown) === true;
    const match = matchOf(row, caller);
    if (typeof match === 'string') return match === 'all';
    const isOwn = match.owner === undefined || match.owner === owner;
    return (
      isOwn &&
      hasStored(
        record as { readonly stored?: StoredValues },
        match.stored,
        this.fields[listedRecords[action as ListedAction]],
      )
    );
  }

  /** Whether a rule decides, so that the record must be read first. */
  needsRecord(action: Action): boolean {
    return !isGrants(this.policy[action]);
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

  /** The records of a list on which the caller may do this. @throws ServiceError `unauthenticated` or `forbidden` unless {@link mayEver} */
  scope<A extends Action>(caller: Caller, action: A): Scope<A> {
    const row: readonly Grant[] | Rule<A> | MatchRule = this.policy[action];
    if (typeof row === 'function') return { passes: this.#test(caller, action) };
    if (!isGrants(row)) {
      const match = matchOf(row, caller);
      if (match === 'all') return {};
      if (match === 'none') return { passes: () => false, stored: match };
      return { owner: match.owner, passes: this.#test(caller, action), stored: match.stored ?? {} };
    }
    if (this.allows(caller, action)) return { owner: undefined };
    const owner = caller.kind === 'user' ? caller.id : undefined;
    this.require(caller, action, owner);
    return { owner };
  }

  /**
   * The {@link scope} of a list whose records belong to no user.
   *
   * @throws ServiceError `unauthenticated` or `forbidden` if the grants do not allow the caller to read the whole list
   */
  scopeOfAll<A extends Action>(caller: Caller, action: A): Omit<Scope<A>, 'owner'> {
    if (this.needsRecord(action)) return this.scope(caller, action);
    this.require(caller, action);
    return {};
  }

  /** The test that a record must pass; undefined if all do. @throws as {@link scopeOfAll} */
  filter<A extends Action>(caller: Caller, action: A): Scope<A>['passes'] {
    if (this.needsRecord(action)) return this.#test(caller, action);
    this.require(caller, action);
    return undefined;
  }

  /** @throws ServiceError `unauthenticated` or `forbidden` unless {@link allows} */
  require<A extends Action>(
    caller: Caller,
    action: A,
    owner?: Id,
    record?: ActionRecords[A],
    target?: string,
  ): void {
    if (!this.allows(caller, action, owner, record)) throw this.#refusal(caller, action, target);
  }

  /**
   * Checks the grants of several actions before the record is read, so that a refused caller does not learn whether it exists.
   *
   * @param target - the record, for the audit log: `user:<id>`
   * @returns the check by rule functions, to call when the record has been read; undefined if there are none
   */
  requireFirst<A extends Action>(
    caller: Caller,
    actions: readonly A[],
    owner?: Id,
    target?: string,
  ): ((record: ActionRecords[A]) => void) | undefined {
    const left = actions.filter((action) => this.needsRecord(action));
    for (const action of actions)
      if (!left.includes(action)) this.require(caller, action, owner, undefined, target);
    if (left.length === 0) return undefined;
    return (record) => {
      for (const action of left) this.require(caller, action, owner, record, target);
    };
  }

  /** A key of the caller's rights to some actions: callers with equal keys are allowed the same, and refused with the same errors. */
  keyOf(caller: Caller, actions: readonly Action[]): string {
    let refused = '';
    for (const action of actions) {
      const row: readonly Grant[] | object = this.policy[action];
      if (!isGrants(row) || row.includes('owner')) return identityOf(caller);
      if (!this.allows(caller, action)) refused += ` ${action}`;
    }
    return refused !== '' && caller.kind === 'anonymous' ? `anonymous${refused}` : refused;
  }

  #test<A extends Action>(caller: Caller, action: A): (record: ActionRecords[A]) => boolean {
    return (record) => this.allows(caller, action, 'userId' in record ? record.userId : undefined, record);
  }

  /** @throws ServiceError `unauthenticated` or `forbidden` unless {@link mayEver} */
  requireSome(caller: Caller, action: Action): void {
    if (!this.mayEver(caller, action)) throw this.#refusal(caller, action, undefined);
  }

  /** The error of a refusal, which is reported if the action is privileged. Callers without a credential try anything. */
  #refusal(caller: Caller, action: Action, target: string | undefined): ServiceError {
    if (caller.kind === 'anonymous') return new ServiceError('unauthenticated', 'Not authenticated');
    if (Object.hasOwn(auditActions, action)) {
      const minute = Math.floor(Date.now() / minuteMs);
      this.#refusals = minute === this.#minute ? this.#refusals + 1 : 1;
      this.#minute = minute;
      if (this.#refusals <= maxRefusals) this.onRefusal(caller, action as AuditAction, target);
    }
    return new ServiceError('forbidden', 'Insufficient permissions');
  }
}

function isGrants(row: readonly Grant[] | object): row is readonly Grant[] {
  return Array.isArray(row);
}

/** The values that a record must have; `none` also where one is missing, because the caller has none. */
function matchOf({ where }: MatchRule, caller: Caller): Match | 'all' | 'none' {
  const match = where(caller);
  if (match === undefined || match === 'all') return match ?? 'none';
  const values = [...Object.values(match.stored ?? {}), ...('owner' in match ? [match.owner] : [])];
  return values.length === 0 || values.includes(undefined) ? 'none' : match;
}

/** A key of the caller: callers with equal keys are the same in all rights. */
export function identityOf(caller: Caller): string {
  if (caller.kind === 'anonymous') return 'anonymous';
  return `${caller.kind} ${caller.id} ${caller.kind === 'user' ? caller.role : ''}`;
}
