/** A probe of rights: an operation, the rows of the table that apply to it, and the request to send. */
import type { Action } from '../../../src/core/services/rights/policy.js';
import type { CallerName } from '../../support/expected-rights.js';
import type { Scene } from './scene.js';

export interface Probe {
  /** An operationId of `openapi.yaml`, or a type and a field of `schema.graphql`. */
  readonly operation: string;
  /** A note that distinguishes several probes of one operation. */
  readonly detail?: string;
  /**
   * The actions that the caller needs, all of them. The first is checked before anything else; there is none for operations
   * that are open to all, such as signing in.
   */
  readonly rows: readonly Action[];
  /** The answer to a signed-in caller who may not read the record: as if it did not exist. */
  readonly hidden?: { readonly row: Action; readonly as: string };
  /** The credentials that the operation accepts; tokens only by default. */
  readonly takes?: 'tokens and keys' | 'keys only';
  /** Sends the request. @returns `allowed`, or the error instead */
  readonly ask: (scene: Scene) => Promise<string>;
}

export const ALLOWED = 'allowed';
/** The result of a list without the record. */
export const LEFT_OUT = 'left out';

/** The errors of a protocol. */
export interface Refusals {
  readonly noCredential: string;
  readonly noKey: string;
  readonly unauthenticated: string;
  readonly forbidden: string;
}

/** Whether the caller may do this on a record of the owner. */
export type Expected = (row: Action, caller: CallerName) => boolean;

/** The expected result for a caller, by the expected rights alone. */
export function expectedAnswer(
  { rows, hidden, takes }: Probe,
  isExpected: Expected,
  caller: CallerName,
  refusals: Refusals,
): string {
  const isKey = caller === 'an API key';
  // A credential that an operation does not accept counts as none.
  const who = (isKey ? takes === undefined : takes === 'keys only') ? 'an anonymous caller' : caller;
  const may = (row: Action) => isExpected(row, who);
  const [first] = rows;
  if (who === 'an anonymous caller') {
    if (first !== undefined && !may(first)) {
      return takes === 'keys only' ? refusals.noKey : refusals.noCredential;
    }
    return rows.every(may) ? ALLOWED : refusals.unauthenticated;
  }
  if (hidden !== undefined && !may(hidden.row)) {
    // Hidden from callers who may see their own records, and forbidden to callers who may see none.
    const seesOwn = isExpected(hidden.row, who === 'another user' ? 'the owner' : who);
    return seesOwn ? hidden.as : refusals.forbidden;
  }
  return rows.every(may) ? ALLOWED : refusals.forbidden;
}
