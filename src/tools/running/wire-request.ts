/** Requests and responses as they are sent, and the writing of requests: parameters by their styles, bodies and credentials. */

import { type Json, Problem } from '@concordat/runtime';
import { type ParameterNotation, writeParameters } from '@concordat/runtime/client';
import type { ContractModel, MediaTypeModel, OperationModel, ParameterModel } from 'concordat/contract';
import { bodyText, contentTypeOf } from './body-text.js';

export interface WireRequest {
  readonly method: string;
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface SentResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, Json>>;
  /** Absent for a response without a body. */
  readonly contentType?: string;
  readonly body?: Json;
}

/** The place of a part of a contract. */
export interface Place {
  readonly file: string;
  /** From 1. */
  readonly line?: number;
  /** JSON Pointer into the contract as one document, or the schema coordinate of GraphQL (`Query.user`). */
  readonly pointer: string;
}

/** The parts of a request before it is written. */
export interface RequestParts {
  /** As the sender's version describes it. */
  readonly operation: OperationModel;
  readonly parameters: readonly GivenParameter[];
  /** The schemes that the sender has credentials for, with the scopes that they grant. */
  readonly credentials: OperationModel['security'][number];
  readonly body?: { readonly media: MediaTypeModel; readonly value: Json };
  /** The only media type that the sender accepts; absent if it accepts any. */
  readonly accept?: string;
}

export interface GivenParameter {
  readonly parameter: ParameterModel;
  readonly value: Json;
}

/** Writes a credential of a scheme that grants the scopes. */
export type CredentialText = (scheme: string, scopes: readonly string[]) => string;

/**
 * Writes a request.
 *
 * @param schemes - the security schemes of the sender's version
 * @param credential - writes the credentials; by default, ones that only in-memory engines accept
 * @returns undefined if HTTP cannot carry its values
 */
export function wireRequest(
  { operation, parameters, credentials, body, accept }: RequestParts,
  schemes: ContractModel['securitySchemes'],
  credential: CredentialText = scopedCredential,
): WireRequest | undefined {
  const values = new Map<ParameterNotation, Json>(
    parameters.map(({ parameter, value }) => [parameter, withAllDigits(value)]),
  );
  try {
    const written = writeParameters(operation.path, [...values.keys()], (each) => values.get(each));
    const draft = { query: written.query, headers: { ...written.headers } };
    for (const [name, scopes] of Object.entries(credentials))
      addCredential(draft, schemes[name], credential(name, scopes));
    if (accept !== undefined) draft.headers['accept'] = accept;
    const text = body && bodyText(body.media, withAllDigits(body.value));
    if (body !== undefined) {
      if (text === undefined) return undefined;
      draft.headers['content-type'] = contentTypeOf(body.media);
    }
    return {
      method: operation.method,
      path: written.path,
      ...draft,
      ...(text !== undefined && { body: text }),
    };
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

/** The value with bigints for the integers that would be written rounded, such as 2^63. */
function withAllDigits(value: Json): Json {
  if (typeof value === 'number') {
    const isLong = Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) <= 2 ** 65;
    return isLong ? (BigInt(value) as unknown as Json) : value;
  }
  if (Array.isArray(value)) return value.map((each: Json) => withAllDigits(each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withAllDigits(each)]));
}

/** The credential contains its scopes, so that the receiver can read them. */
function scopedCredential(_: string, scopes: readonly string[]): string {
  return ['credential', ...scopes].join('~');
}

function addCredential(
  draft: { query: string; readonly headers: Record<string, string> },
  scheme: Json | undefined,
  credential: string,
): void {
  const { type, in: location, name = '', scheme: http } = scheme as Readonly<Record<string, string>>;
  if (type === 'mutualTLS') return;
  if (type !== 'apiKey') draft.headers['authorization'] = `${spelled(http ?? 'bearer')} ${credential}`;
  else if (location === 'query')
    draft.query = joined('&', draft.query, `${encodeURIComponent(name)}=${encodeURIComponent(credential)}`);
  else if (location === 'cookie')
    draft.headers['cookie'] = joined('; ', draft.headers['cookie'] ?? '', `${name}=${credential}`);
  else draft.headers[name.toLowerCase()] = credential;
}

function joined(separator: string, ...texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join(separator);
}

/**
 * The name of a scheme as its specification writes it: some servers refuse `bearer`, although names are case-insensitive (RFC
 * 9110 §11.1).
 */
function spelled(scheme: string): string {
  return /^(?:basic|bearer|digest)$/i.test(scheme)
    ? `${scheme.charAt(0).toUpperCase()}${scheme.slice(1).toLowerCase()}`
    : scheme;
}

export function scopesOf(credential: string): readonly string[] {
  return credential.split('~').slice(1);
}
