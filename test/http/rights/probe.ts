/** One question of the walk through the rights: an operation, the rows that it must go by, and how it is asked. */
import type { Action } from '../../../src/core/services/policy.js';
import type { CallerName } from '../../support/expected-rights.js';
import type { Scene } from './scene.js';

export interface Probe {
  /** An operationId of `openapi.yaml`, or a type and a field of `schema.graphql`. */
  readonly operation: string;
  /** What is special about the question, where an operation is asked more than one. */
  readonly detail?: string;
  /**
   * What the caller needs, all of it. Without the first nothing is looked at; it is none for what is open to all, such as
   * signing in.
   */
  readonly rows: readonly Action[];
  /** What a signed-in caller gets who may not read what the question is about: it does not exist for them. */
  readonly hidden?: { readonly row: Action; readonly as: string };
  /** The credentials that the operation looks at; tokens only, unless said. */
  readonly takes?: 'tokens and keys' | 'keys only';
  /** Asks. @returns `allowed`, or what was said instead */
  readonly ask: (scene: Scene) => Promise<string>;
}

export const ALLOWED = 'allowed';
/** What answers a list in which the thing is not. */
export const LEFT_OUT = 'left out';

/** How a protocol says no. */
export interface Refusals {
  readonly noCredential: string;
  readonly noKey: string;
  readonly unauthenticated: string;
  readonly forbidden: string;
}

/** Whether the caller may do this on a record of the owner. */
export type Expected = (row: Action, caller: CallerName) => boolean;

/** What the caller must be told, by the expected rights alone. */
export function expectedAnswer(
  { rows, hidden, takes }: Probe,
  isExpected: Expected,
  caller: CallerName,
  refusals: Refusals,
): string {
  const isKey = caller === 'an API key';
  // A credential that an operation does not look at counts as none.
  const who = (isKey ? takes === undefined : takes === 'keys only') ? 'nobody' : caller;
  const may = (row: Action) => isExpected(row, who);
  const [first] = rows;
  if (who === 'nobody') {
    if (first !== undefined && !may(first)) {
      return takes === 'keys only' ? refusals.noKey : refusals.noCredential;
    }
    return rows.every(may) ? ALLOWED : refusals.unauthenticated;
  }
  if (hidden !== undefined && !may(hidden.row)) {
    // Hidden from who may see their own, and forbidden to who may see none.
    const seesOwn = isExpected(hidden.row, who === 'another user' ? 'the owner' : who);
    return seesOwn ? hidden.as : refusals.forbidden;
  }
  return rows.every(may) ? ALLOWED : refusals.forbidden;
}
