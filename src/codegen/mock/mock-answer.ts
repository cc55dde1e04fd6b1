/** Chooses the answer of an operation by the request's preferences. */

import type { OpenAPIBackend, Operation } from 'openapi-backend';
import { type HttpRequest, compileNegotiation } from 'concordat';
import { withReferences } from './example-references.js';

export interface MockAnswer {
  readonly status: number;
  /** Absent for an answer without content. */
  readonly content?: { readonly type: string; readonly value: unknown };
}

/** The choices that a request may make. */
export interface Preference {
  readonly code?: string;
  readonly example?: string;
}

/** The preference of a request. */
export function preferenceOf({ headers }: HttpRequest): Preference {
  return readPreference(textOf(headers['prefer']));
}

/** What picks the media type that a client prefers; it picks none where the client accepts none. */
export function acceptableTo({ headers }: HttpRequest): (types: readonly string[]) => string | undefined {
  return ([first, ...others]) =>
    first === undefined
      ? undefined
      : compileNegotiation([first, ...others])(textOf(headers['accept'], '*/*'));
}

function textOf(header: HttpRequest['headers'][string], absent = ''): string {
  return typeof header === 'string' ? header : (header?.join(', ') ?? absent);
}

/** Reads the header `Prefer` (RFC 7240 §2): `code=404, example=empty`. */
export function readPreference(header: string): Preference {
  const given = [...header.matchAll(/(?:^|[,;\s])(code|example)\s*=\s*(?:"([^"]*)"|([^\s,;"]+))/gi)];
  return Object.fromEntries(
    given.map(([, name = '', quoted, plain]) => [name.toLowerCase(), quoted ?? plain]),
  );
}

/**
 * @param acceptable picks the media type that the client prefers; undefined when it accepts none of them
 * @returns undefined when the contract has no answer with the status, or none that the client accepts
 */
export function mockAnswer(
  backend: OpenAPIBackend,
  operation: Operation,
  { code, example }: Preference,
  acceptable: (types: readonly string[]) => string | undefined,
): MockAnswer | undefined {
  const responses = (operation.responses ?? {}) as Readonly<Record<string, Response>>;
  const described = code === undefined ? undefined : describing(Object.keys(responses), code);
  if (code !== undefined && described === undefined) return undefined;
  const { operationId = '' } = operation;
  const options = {
    // Its type says number, but it looks for the name of a response.
    ...(described !== undefined && { code: described as unknown as number }),
    ...(example !== undefined && { example }),
  };
  const mocked = backend.mockResponseForOperation(operationId, options);
  const status = code === undefined ? mocked.status : Number(code);
  const { content } = responses[described ?? String(status)] ?? responses['default'] ?? {};
  if (content === undefined) return { status };
  const type = acceptable(writable(Object.keys(content)));
  if (type === undefined) return undefined;
  const chosen: { readonly mock: unknown } = backend.mockResponseForOperation(operationId, {
    ...options,
    mediaType: type,
  });
  return { status, content: { type, value: withReferences(chosen.mock) } };
}

/** The key that describes a status: itself, else its range, else `default` (Responses Object). */
function describing(names: readonly string[], code: string): string | undefined {
  if (!/^[1-5]\d\d$/.test(code)) return undefined;
  const range = `${code.charAt(0)}XX`;
  return (
    names.find((name) => name === code) ??
    names.find((name) => name.toUpperCase() === range) ??
    names.find((name) => name === 'default')
  );
}

interface Response {
  readonly content?: Readonly<Record<string, unknown>>;
}

export function isJson(type: string): boolean {
  return /^[^;]*[/+]json\s*(?:;|$)/i.test(type);
}

/** Examples are JSON values, so other media types are used only where there is no JSON. */
function writable(types: readonly string[]): readonly string[] {
  const json = types.filter(isJson);
  return json.length > 0 ? json : types;
}
