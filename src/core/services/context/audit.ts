/** Records privileged actions, in the step that carries them out where they change data. */
import type { AuditAction } from '../../model/audit.js';
import { parseId } from '../../model/id.js';
import type { Clock } from '../../model/timestamp.js';
import type {
  AuditedGiven,
  AuditedMethod,
  AuditedOutcome,
  AuditedStore,
  NewAuditEntry,
} from '../../ports/audit-store.js';
import type { Stores } from '../../ports/storage.js';
import { type Caller, operator } from '../rights/caller.js';

/** A privileged action of a caller. */
export interface AuditedAction {
  readonly action: AuditAction;
  /** `user:<id>`; unless given, the record that the write created. */
  readonly target?: string | undefined;
  readonly detail?: string | undefined;
}

/** The outcomes with which stores report that a write was carried out. */
const successes: ReadonlySet<unknown> = new Set(['created', 'deleted', 'deactivated']);
/** The outcomes of a write whose record has changed since it was read. It is tried again or refused, and not recorded as an attempt. */
const retried: ReadonlySet<unknown> = new Set(['stale', 'changed']);

/** The kinds of the records that the stores create. */
const kinds: Partial<Record<AuditedStore, string>> = {
  users: 'user',
  idempotency: 'user',
  apiKeys: 'api-key',
};

export class Audit {
  readonly #storage: Partial<Stores>;
  readonly #clock: Clock;

  /** @param storage - without a store of audit entries, nothing is recorded */
  constructor(storage: Partial<Stores>, clock: Clock) {
    this.#storage = storage;
    this.#clock = clock;
  }

  /** Runs a write of the store, and records the actions in the same step. Without actions, it only runs the write. */
  async write<Store extends AuditedStore, Method extends AuditedMethod<Store>>(
    caller: Caller,
    actions: readonly AuditedAction[],
    store: Store,
    method: Method,
    ...given: AuditedGiven<Store, Method>
  ): Promise<AuditedOutcome<Store, Method>> {
    type Outcome = AuditedOutcome<Store, Method>;
    const { audit, [store]: own } = this.#storage;
    const writeOnly = () =>
      (own as Readonly<Record<Method, (...given: unknown[]) => Promise<Outcome>>>)[method](...given);
    if (audit === undefined || actions.length === 0) return await writeOnly();
    const at = this.#clock.now();
    const entriesOf = (outcome: Outcome) => {
      if (retried.has(outcome)) return [];
      const word = typeof outcome === 'string' && !successes.has(outcome) ? outcome : 'done';
      return actions.map((action) => {
        const { target = createdBy(store, outcome) } = action;
        return entryOf(caller, { ...action, target }, at, word);
      });
    };
    if (audit.stores[store] === own) return await audit.write(store, method, given, entriesOf);
    const outcome = await writeOnly();
    await audit.add(entriesOf(outcome));
    return outcome;
  }

  /** Records an action that changes no data. @param outcome - as in an `AuditEntry` */
  async record(caller: Caller, action: AuditedAction, outcome = 'done'): Promise<void> {
    await this.#storage.audit?.add([entryOf(caller, action, this.#clock.now(), outcome)]);
  }
}

/** An entry of the audit log. @param outcome - as in an `AuditEntry` */
export function entryOf(
  caller: Caller,
  { action, target = '', detail }: AuditedAction,
  at: string,
  outcome = 'done',
): NewAuditEntry {
  return {
    at,
    actor: actorOf(caller),
    action,
    // Clients may give any text in the place of an id. A text that is no id names no record, and need not be storable.
    target: parseId(target.slice(target.indexOf(':') + 1)) === undefined ? undefined : target,
    address: caller.address,
    outcome,
    detail,
  };
}

function actorOf(caller: Caller): string {
  if (caller.kind === 'anonymous') return caller.kind;
  return caller.kind === 'user' && caller.id === operator.id ? 'operator' : `${caller.kind}:${caller.id}`;
}

function createdBy(store: AuditedStore, outcome: unknown): string | undefined {
  const kind = kinds[store];
  if (kind === undefined || typeof outcome !== 'object' || outcome === null) return undefined;
  const id = 'id' in outcome ? outcome.id : 'recordId' in outcome ? outcome.recordId : undefined;
  return typeof id === 'string' ? `${kind}:${id}` : undefined;
}
