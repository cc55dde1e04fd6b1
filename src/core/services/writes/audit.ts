/** The entries of the audit log. */
import type { AuditAction } from '../../model/audit.js';
import { parseId } from '../../model/id.js';
import type { NewAuditEntry } from '../../ports/audit-store.js';
import { type Caller, operator } from '../rights/caller.js';

/** A privileged action of a caller. */
export interface AuditedAction {
  readonly action: AuditAction;
  /** `user:<id>`; unless given, the record that the write created. */
  readonly target?: string | undefined;
  readonly detail?: string | undefined;
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
