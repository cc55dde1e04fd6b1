/** Makes requests and responses of one version that the other version accepts too, except for the part that a change concerns. */

import { type Json, findByStatus } from '@concordat/runtime';
import { type MediaTypeModel, type OperationModel, type ResponseModel, byStatus } from 'concordat/contract';
import { exampleValue } from '../../values/example-value.js';
import { partsOf } from '../../values/document-parts.js';
import type { VersionName } from '../change/change.js';
import { labelOf, otherVersion, type Pair, parameterId, type Probe } from './judge.js';
import type { Fit, Surroundings } from '../schemas/site.js';
import { mediaTypeWithin, statusWithin } from '../../running/wire-request.js';
import type { GivenParameter, RequestParts } from '../../running/wire-request.js';

/** Schemes that a request needs together, with their scopes. */
type Requirement = OperationModel['security'][number];

/** An operation of the sender's version, and its counterpart in the other version. */
export interface Call {
  readonly from: VersionName;
  readonly sender: OperationModel;
  readonly receiver?: OperationModel;
}

/** The parts that a request must have or must not have. */
export interface Demands {
  readonly parameter?: GivenParameter;
  /** A parameter of the receiver that is not sent: `query name`. */
  readonly withoutParameter?: string;
  readonly body?: { readonly media: MediaTypeModel; readonly value: Json } | 'none';
  readonly credentials?: Requirement;
}

/** From the plainest request to the fullest: first those that both versions should accept, then those of the sender alone. */
export function surroundings(from: VersionName, direction: 'request' | 'response'): readonly Surroundings[] {
  return (['both', from] as const).flatMap((fit: Fit) => [
    { fit, full: false, direction },
    { fit, full: true, direction },
  ]);
}

/** The requests of a call, plainest first. */
export function* requestsOf(call: Call, demands: Demands = {}): Generator<RequestParts> {
  for (const around of surroundings(call.from, 'request')) {
    const made = requestOf(call, around, demands);
    if (made !== undefined) yield made;
  }
}

/** One request; undefined if a required value cannot be made. */
export function requestOf(call: Call, around: Surroundings, demands: Demands): RequestParts | undefined {
  const parameters = parametersOf(call, around, demands);
  const body = demands.body === 'none' ? 'none' : (demands.body ?? bodyOf(call, around));
  if (parameters === undefined || body === undefined) return undefined;
  return {
    operation: call.sender,
    parameters,
    credentials: demands.credentials ?? credentialsOf(call),
    ...(body !== 'none' && { body }),
  };
}

function parametersOf(
  { sender, receiver }: Call,
  around: Surroundings,
  { parameter: given, withoutParameter }: Demands,
): readonly GivenParameter[] | undefined {
  const others = new Map((receiver?.parameters ?? []).map((each) => [parameterId(each), each]));
  const own = new Set(sender.parameters.map(parameterId));
  const wanted = [
    ...sender.parameters.map((parameter) => [parameter, others.get(parameterId(parameter))] as const),
    // Parameters that only the receiver requires are sent too, so that a request is refused for one reason only.
    ...[...others.values()].flatMap((other) =>
      around.fit === 'both' && !own.has(parameterId(other)) && other.required
        ? [[other, other] as const]
        : [],
    ),
  ];
  const found: GivenParameter[] = [];
  for (const [parameter, other] of wanted) {
    const key = parameterId(parameter);
    if (key === withoutParameter) continue;
    if (given !== undefined && key === parameterId(given.parameter)) {
      found.push(given);
      continue;
    }
    const isRequired = parameter.required || (around.fit === 'both' && other?.required === true);
    if (!isRequired && !around.full) continue;
    const parts = [...partsOf(parameter), ...(around.fit === 'both' ? partsOf(other) : [])];
    const value = exampleValue(parts, around);
    if (value === undefined && parameter.required) return undefined;
    if (value !== undefined) found.push({ parameter, value });
  }
  return found;
}

/** The body that a request needs; `none` if it needs none, undefined if the body cannot be made. */
function bodyOf({ sender, receiver }: Call, around: Surroundings): Demands['body'] {
  const own = sender.requestBody;
  const other = receiver?.requestBody;
  const isWanted =
    own?.required === true || (around.fit === 'both' && other?.required === true) || around.full;
  if (own === undefined || !isWanted) return 'none';
  const counterpart = (media: MediaTypeModel): MediaTypeModel | undefined =>
    other?.content.find(({ mediaType }) => mediaType === media.mediaType);
  const media = own.content.find((each) => counterpart(each) !== undefined) ?? own.content[0];
  if (media === undefined) return 'none';
  const beside = around.fit === 'both' ? counterpart(media) : undefined;
  const value = exampleValue([...partsOf(media), ...partsOf(beside)], around);
  return value === undefined ? undefined : { media, value };
}

/** Credentials for one of the sender's alternatives, preferably one that the receiver accepts too. */
function credentialsOf({ sender, receiver }: Call): Requirement {
  const [first = {}] = sender.security;
  if (receiver === undefined) return first;
  const both = sender.security.flatMap((own) =>
    receiver.security.flatMap((other) => {
      const isSame = Object.keys(other).every((name) => Object.hasOwn(own, name));
      return isSame ? [withScopes(own, other)] : [];
    }),
  );
  // An operation without security ignores credentials, so those of the receiver can be sent.
  return both[0] ?? (sender.security.length === 0 ? (receiver.security[0] ?? {}) : first);
}

function withScopes(own: Requirement, other: Requirement): Requirement {
  return Object.fromEntries(
    Object.entries(own).map(([name, scopes]) => {
      const others = Object.hasOwn(other, name) ? (other[name] ?? []) : [];
      return [name, [...new Set([...scopes, ...others])]];
    }),
  );
}

export interface ResponsePair {
  readonly pair: Pair;
  readonly old: ResponseModel;
  readonly new: ResponseModel;
}

interface Demanded {
  readonly media?: MediaTypeModel;
  readonly body?: Json;
  /** By name in lower case; a header that is undefined is not sent. */
  readonly headers?: Readonly<Record<string, Json | undefined>>;
}

/** A response of one version; empty if a value cannot be made. */
export function responsesOf(
  pair: Pair,
  from: VersionName,
  around: Surroundings,
  responses: Partial<Record<VersionName, ResponseModel>>,
  { media: wanted, body, headers: demanded = {} }: Demanded = {},
): readonly Probe[] {
  const own = responses[from];
  if (own === undefined) return [];
  const operation = { old: pair.old.id, new: pair.new.id, label: labelOf(pair.old) };
  const other = around.fit === 'both' ? responses[otherVersion(from)] : undefined;
  const headers: Record<string, Json> = {};
  for (const header of own.headers) {
    const name = header.name.toLowerCase();
    const match = other?.headers.find((each) => each.name.toLowerCase() === name);
    if (Object.hasOwn(demanded, name) || !(header.required || match?.required === true || around.full))
      continue;
    const value = exampleValue([...partsOf(header), ...partsOf(match)], around);
    if (value !== undefined) headers[name] = value;
  }
  for (const [name, value] of Object.entries(demanded)) if (value !== undefined) headers[name] = value;
  const declared = { old: byStatus(pair.old.responses), new: byStatus(pair.new.responses) };
  const describes = (version: VersionName, status: number): boolean =>
    responses[version] === undefined || findByStatus(declared[version], status) === responses[version];
  const status =
    statusWithin(own.status, (each) => describes('old', each) && describes('new', each), 5) ??
    statusWithin(own.status, (each) => describes(from, each), 5);
  if (status === undefined) return [];
  const match = (each: MediaTypeModel): MediaTypeModel | undefined =>
    other?.content.find(({ mediaType }) => mediaType === each.mediaType);
  const media = wanted ?? own.content.find(match) ?? own.content[0];
  if (media === undefined) return [{ operation, response: { status, headers } }];
  const counterpart = match(media);
  const parts = [...partsOf(media), ...partsOf(counterpart)];
  const value = body === undefined ? exampleValue(parts, around) : body;
  const contentType = mediaTypeWithin(media.mediaType);
  return value === undefined ? [] : [{ operation, response: { status, headers, contentType, body: value } }];
}
