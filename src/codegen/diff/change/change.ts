/** The result of comparing two versions of a contract: changes, their verdicts and their proofs. */

import type { Json } from 'concordat';
import type { SentResponse, WireRequest, Place } from '../../running/wire-request.js';

/** Worst first. */
export const SEVERITIES = ['breaking', 'dangerous', 'info', 'safe'] as const;

/**
 * `dangerous`: it does not count as breaking, but needs a review. `info`: a change of an extension (`x-`), which only its readers
 * understand.
 */
export type Severity = (typeof SEVERITIES)[number];

/**
 * The side that has not changed yet: `client` is a client of the old version that meets a server of the new one, `server` is a
 * server of the old version that meets a client of the new one.
 */
export type Side = 'client' | 'server';

export const SIDES: readonly Side[] = ['client', 'server'];

export type VersionName = 'old' | 'new';

/** One change of the contract. */
export interface Change {
  /** The kind of change, such as `operation-removed`. */
  readonly kind: string;
  /** One sentence without a full stop. */
  readonly message: string;
  /** The operations that it affects, such as `GET /users`; empty for a change of the whole contract and for GraphQL. */
  readonly operations: readonly string[];
  /** Absent for a part that the old version does not have. */
  readonly old?: Place;
  readonly new?: Place;
  readonly client: Verdict;
  readonly server: Verdict;
}

export interface Verdict {
  readonly severity: Severity;
  /** Why it is not breaking although it may look so, why it counts as dangerous, or why there is no witness. */
  readonly reason?: string;
  /** Always present if the severity is `breaking`, unless it is unproven. */
  readonly witness?: Witness;
  /** The change is breaking by its kind, but no message that proves it could be built. */
  readonly unproven?: true;
}

/** A message that one version accepts and the other refuses. */
export type Witness = RequestWitness | ResponseWitness | GraphqlWitness;

interface Disagreement {
  readonly takenBy: VersionName;
  readonly refusedBy: VersionName;
  /** The reason that the other version gives. */
  readonly refusal: string;
}

/** A request. For a webhook or a callback, the path is its name, because its receiver chooses the path. */
export interface RequestWitness extends Disagreement {
  readonly request: WireRequest;
}

/** A response that one version may give, and that the other version does not describe. */
export interface ResponseWitness extends Disagreement {
  readonly response: SentResponse & { readonly operation: string };
}

/** A GraphQL document; with `data`, the result that one version may give and the other cannot. */
export interface GraphqlWitness extends Disagreement {
  readonly document: string;
  readonly data?: Json;
}
