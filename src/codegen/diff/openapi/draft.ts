/** A change before its verdict: the sides that it may break, and the messages that may prove it. */

import type { OperationModel, ParameterModel } from '../../read/model.js';
import { parameterKey } from '../../read/parameters.js';
import type { RequestParts, SentResponse } from '../../running/wire-request.js';
import type { RunningContract } from '../../running/running-contract.js';
import type { Severity, Side, VersionName } from '../change/change.js';

export interface Draft {
  readonly kind: string;
  readonly message: string;
  /** Changes with the same key are one change, found in several operations. */
  readonly key: string;
  /** `GET /users`; absent for a change of the whole contract. */
  readonly operation?: string;
  /** JSON Pointers. */
  readonly old?: string | undefined;
  readonly new?: string | undefined;
  /** Absent if the change is safe for that side. */
  readonly client?: Suspicion;
  readonly server?: Suspicion;
  /** Messages that would prove that the change breaks that side. */
  readonly probes?: (side: Side) => Iterable<Probe>;
}

/** The severity of a change that no message proves to be breaking. With `unproven`, it counts as breaking all the same. */
export type Unproved = Exclude<Severity, 'breaking'> | 'unproven';

export interface Suspicion {
  /** The severity if messages were tried and none proves the change. */
  readonly otherwise: Unproved;
  /** The severity if no message could be built. Default: `dangerous`. */
  readonly untried?: Unproved;
  readonly reason?: string;
  /** The highest severity that a rule allows, even if a witness is found. */
  readonly atMost?: Severity;
}

export type Probe =
  | { readonly request: RequestParts }
  | {
      readonly response: SentResponse;
      /** The operationId in both versions, and the label, such as `GET /users`. */
      readonly operation: Readonly<Record<VersionName | 'label', string>>;
    };

/** The two versions of a contract. */
export type Versions = Readonly<Record<VersionName, RunningContract>>;

/** An operation that both versions have. */
export interface Pair {
  readonly versions: Versions;
  /** Whether the service sends the request. Within a pair, `client` always means the sender, and `server` the receiver. */
  readonly isSent: boolean;
  readonly old: OperationModel;
  readonly new: OperationModel;
}

/** The version of the client in the scenario of a side: old if the client has not changed, new if the server has not changed. */
export function requesterOf(side: Side): VersionName {
  return side === 'client' ? 'old' : 'new';
}

export function otherVersion(version: VersionName): VersionName {
  return version === 'old' ? 'new' : 'old';
}

/** The change is breaking if a message proves it or none can be built, and dangerous if both versions accept all messages tried. */
export const SUSPECT: Suspicion = { otherwise: 'dangerous', untried: 'unproven' };

/** A parameter's identity in both versions: the name of a path parameter is not part of a request. */
export function parameterId(parameter: ParameterModel): string {
  return parameter.in === 'path' ? `path ${String(parameter.index)}` : parameterKey(parameter);
}

/** `GET /users`, `POST webhook newUser` or `POST callback paid of POST /orders`. */
export function labelOf({ method, path, root }: OperationModel): string {
  if (root === 'paths') return `${method} ${path}`;
  const [name = '', , owner] = path.split('/').slice(1).map(decodeURIComponent);
  return owner === undefined ? `${method} webhook ${name}` : `${method} callback ${name} of ${owner}`;
}

/** Two paths are the same if they differ only in the names of their parameters. */
export function keyOf({ method, path }: OperationModel): string {
  return `${method} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`;
}
