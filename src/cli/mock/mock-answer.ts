/** Chooses the answer of an operation, as the request prefers it. */

import type { OpenAPIBackend, Operation } from 'openapi-backend';

export interface MockAnswer {
  readonly status: number;
  /** Absent for an answer without content. */
  readonly content?: { readonly type: string; readonly value: unknown };
}

/** What a request may choose. */
export interface Preference {
  readonly code?: string;
  readonly example?: string;
}

/** Reads the header `Prefer` (RFC 7240 §2): `code=404, example=empty`. */
export function readPreference(header: string): Preference {
  const given = [...header.matchAll(/(?:^|[,;\s])(code|example)\s*=\s*(?:"([^"]*)"|([^\s,;"]+))/gi)];
  return Object.fromEntries(
    given.map(([, name = '', quoted, plain]) => [name.toLowerCase(), quoted ?? plain]),
  );
}

/**
 * @param acceptable picks the media type that the client likes best; undefined when it takes none of them
 * @returns undefined when the contract has no answer of the status, or none that the client takes
 */
export function mockAnswer(
  backend: OpenAPIBackend,
  operation: Operation,
  { code, example }: Preference,
  acceptable: (types: readonly string[]) => string | undefined,
): MockAnswer | undefined {
  const responses = (operation.responses ?? {}) as Readonly<Record<string, Response>>;
  if (code !== undefined && responses[code] === undefined) return undefined;
  const { operationId = '' } = operation;
  const options = {
    ...(code !== undefined && { code: Number(code) }),
    ...(example !== undefined && { example }),
  };
  const { status } = backend.mockResponseForOperation(operationId, options);
  const { content } = responses[String(status)] ?? responses['default'] ?? {};
  if (content === undefined) return { status };
  const type = acceptable(writable(Object.keys(content)));
  if (type === undefined) return undefined;
  const mocked: { readonly mock: unknown } = backend.mockResponseForOperation(operationId, {
    ...options,
    mediaType: type,
  });
  return { status, content: { type, value: mocked.mock } };
}

interface Response {
  readonly content?: Readonly<Record<string, unknown>>;
}

export function isJson(type: string): boolean {
  return /^[^;]*[/+]json\s*(?:;|$)/i.test(type);
}

/** Examples are JSON values; as anything else they can be written only where there is no JSON. */
function writable(types: readonly string[]): readonly string[] {
  const json = types.filter(isJson);
  return json.length > 0 ? json : types;
}
