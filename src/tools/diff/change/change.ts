/** The result of comparing two versions of a contract: changes, their verdicts and their proofs. */

import type { Json } from '@concordat/runtime';
import type { Keyword } from '@concordat/runtime/parts';
import type { SentResponse, WireRequest, Place } from '../../running/wire-request.js';
import type { PartUse } from '../../usage/usage-file.js';

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

/** The kinds of changes of an OpenAPI document, each with its meaning. A changed keyword of a schema is `<keyword>-changed` too. */
export const CHANGE_KINDS = {
  'operation-added': 'the old version has no such operation',
  'operation-removed': 'the new version has no such operation',
  'webhook-added': 'the old version has no such webhook',
  'webhook-removed': 'the new version has no such webhook',
  'callback-added': 'the old version has no such callback',
  'callback-removed': 'the new version has no such callback',
  'operation-id-changed': 'generated code has other names',
  'deprecation-changed': 'the operation is deprecated, or no longer',
  'sunset-changed': 'the last day of the operation has changed',
  'security-changed': 'other credentials are required',
  'servers-changed': 'the addresses of the service have changed',
  'extension-changed': 'a field that begins with `x-`, and that the generator does not read, has changed',
  'parameter-added': 'the old version has no such parameter',
  'parameter-removed': 'the new version has no such parameter',
  'parameter-became-required': 'the parameter is required',
  'parameter-became-optional': 'the parameter is no longer required',
  'parameter-style-changed': 'the parameter is written in another style',
  'parameter-leniency-changed': 'the `x-lenient` of the parameter has changed',
  'request-body-added': 'the old version has no request body',
  'request-body-removed': 'the new version has no request body',
  'request-body-became-required': 'the request body is required',
  'request-body-became-optional': 'the request body is no longer required',
  'request-body-limit-changed': 'the `x-body-limit` has changed',
  'request-media-type-added': 'the request body may have another media type',
  'request-media-type-removed': 'the request body may no longer have the media type',
  'status-added': 'the old version has no response with this status',
  'status-removed': 'the new version has no response with this status',
  'response-media-type-added': 'the response may have another media type',
  'response-media-type-removed': 'the response no longer has the media type',
  'response-header-added': 'the old version has no such response header',
  'response-header-removed': 'the new version has no such response header',
  'response-header-became-required': 'the response header is always present',
  'response-header-became-optional': 'the response header may be missing',
  'property-added': 'the old version does not describe the property',
  'property-removed': 'the new version does not describe the property',
  'property-became-required': 'the property is required',
  'property-became-optional': 'the property is no longer required',
  'object-closed': 'the object may no longer have other properties',
  'object-opened': 'the object may have other properties',
  'enum-value-added': 'another value is allowed',
  'enum-value-removed': 'the value is no longer allowed',
  'alternative-added': '`anyOf` or `oneOf` has another alternative',
  'alternative-removed': '`anyOf` or `oneOf` no longer has the alternative',
  'alternation-changed': '`anyOf` has become `oneOf`, or the reverse',
} as const;

export type ChangeKind = keyof typeof CHANGE_KINDS | `${Keyword}-changed`;

/** One change of the contract. */
export interface Change {
  /** A {@link ChangeKind}, such as `operation-removed`; of a GraphQL schema, the type that GraphQL Inspector gives it. */
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
  /** How often the part was used, if that is asked for and the change is breaking or dangerous. */
  readonly usage?: PartUse;
  /** Present if the project's `concordat.json` accepts the change. */
  readonly accepted?: Accepted;
}

/** Why a change is accepted, and for how long. */
interface Accepted {
  readonly reason: string;
  /** `until 2027-03-01`, or `until version 3.0.0`. */
  readonly end: string;
  /** Whether the end has come, so that the change is refused again. */
  readonly isOver: boolean;
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
