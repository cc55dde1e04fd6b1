/** What the comparison of two versions of a contract tells: changes, their verdicts and the proof of each. */

import type { Json } from 'concordat';
import type { SentResponse, WireRequest, Place } from '../../running/message.js';

/** Worst first. */
export const SEVERITIES = ['breaking', 'dangerous', 'info', 'safe'] as const;

/**
 * `dangerous`: nothing is refused that was taken, and somebody should look at it. `info`: a change of an extension (`x-`), which
 * only its readers understand.
 */
export type Severity = (typeof SEVERITIES)[number];

/**
 * Who has not changed yet: `client` is a client of the old version that meets a server of the new one, `server` is a server
 * of the old version that meets a client of the new one.
 */
export type Side = 'client' | 'server';

export const SIDES: readonly Side[] = ['client', 'server'];

export type VersionName = 'old' | 'new';

/** One change of the contract. */
export interface Change {
  /** What kind of change it is: `operation-removed`. */
  readonly kind: string;
  /** One sentence without a full stop. */
  readonly message: string;
  /** The operations that have it, as `GET /users`; empty for a change of the whole contract and for GraphQL. */
  readonly operations: readonly string[];
  /** Absent for what the old version does not have. */
  readonly old?: Place;
  readonly new?: Place;
  readonly client: Verdict;
  readonly server: Verdict;
}

export interface Verdict {
  readonly severity: Severity;
  /** Why it is not breaking although it may look so, why it counts as dangerous, or why there is no witness. */
  readonly reason?: string;
  /** Always present where the severity is `breaking`, unless it is unproven. */
  readonly witness?: Witness;
  /** The change is breaking by its kind, but no message that proves it could be built. */
  readonly unproven?: true;
}

/** A message that one version takes and the other refuses. */
export type Witness = RequestWitness | ResponseWitness | GraphqlWitness;

interface Disagreement {
  readonly takenBy: VersionName;
  readonly refusedBy: VersionName;
  /** What the other version says to it. */
  readonly refusal: string;
}

/** The path of a webhook or a callback, which its client chooses, is its name. */
export interface RequestWitness extends Disagreement {
  readonly request: WireRequest;
}

/** An answer that one version may give, and that is not what the other version describes. */
export interface ResponseWitness extends Disagreement {
  readonly response: SentResponse & { readonly operation: string };
}

/** A GraphQL document; with `data`, the result that one version may give and the other cannot. */
export interface GraphqlWitness extends Disagreement {
  readonly document: string;
  readonly data?: Json;
}
