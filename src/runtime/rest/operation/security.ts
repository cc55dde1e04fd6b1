/** Reads the credentials that the contract describes, and gets their callers from the service's handlers. */

import type { SecurityRequirement, SecurityScheme } from '../../contract/contract.js';
import { type HttpRequest, headerText } from '../../http/message.js';
import { Problem } from '../../http/problem.js';

/** A service's implementation of one security scheme. */
export interface SecurityHandler<Caller, Host = unknown> {
  /** The message of the 401 for a request without the credential, as one sentence. */
  readonly missing: string;
  /**
   * Identifies the caller of a credential.
   *
   * @param credential - the token or key; for `http` `basic`, the text after `Basic `
   * @param demand - the operation's requirements
   * @returns the caller, or a sentence that explains why the credential is refused (a 401), possibly as a promise. When the
   *   handler throws or rejects, access is denied, and the error is handled like any error of the service
   */
  readonly authenticate: (
    credential: string,
    demand: SecurityDemand<Host>,
  ) => Authentication<Caller> | Promise<Authentication<Caller>>;
}

export interface SecurityDemand<Host = unknown> {
  readonly operationId: string;
  /** All of these must be granted; the engine checks the answer's `scopes` against them. */
  readonly scopes: readonly string[];
  readonly request: HttpRequest<Host>;
  /** The request context of the transport. */
  readonly host: Host;
}

/** A handler of an engine with any type of host. */
export type AnySecurityHandler<Caller> = SecurityHandler<Caller, never>;

export type Authentication<Caller> =
  | {
      readonly caller: Caller;
      readonly scopes?: readonly string[];
      /** The time when the credential expires. Open connections, such as subscriptions, end then. */
      readonly expiresAt?: Date | undefined;
    }
  | { readonly refused: string };

interface CompiledScheme<Caller> {
  readonly name: string;
  readonly credentialOf: (request: HttpRequest) => string | undefined;
  readonly handler: AnySecurityHandler<Caller>;
  readonly scopes: readonly string[];
  /** Undefined for a scheme that has no challenge: API keys and client certificates. */
  readonly challenge: string | undefined;
}

export interface CompiledSecurity<Caller> {
  /** Alternatives that need credentials, in the contract's order. */
  readonly alternatives: readonly (readonly CompiledScheme<Caller>[])[];
  /** Those of all alternatives. */
  readonly schemes: readonly CompiledScheme<Caller>[];
  /** Whether an empty requirement admits anonymous callers. */
  readonly isOptional: boolean;
  /** `x-ignore-invalid-credentials`: a refused credential is treated as absent. */
  readonly ignoresInvalid: boolean;
  /** The `WWW-Authenticate` header of each 401, with the challenges of all alternatives (RFC 9110 §11.6.1). */
  readonly challenge: Readonly<Record<string, string>>;
}

/**
 * Compiles an operation's security; undefined when the operation ignores credentials.
 *
 * @throws when the contract lacks a scheme, or the service has no handler for it
 */
export function compileSecurity<Caller>(
  requirements: readonly SecurityRequirement[],
  ignoresInvalid: boolean,
  contracted: Readonly<Record<string, SecurityScheme>>,
  handlers: Readonly<Record<string, AnySecurityHandler<Caller>>>,
): CompiledSecurity<Caller> | undefined {
  if (requirements.length === 0) return undefined;
  const alternatives = requirements.map((requirement) =>
    Object.entries(requirement).map(([name, scopes]): CompiledScheme<Caller> => {
      const scheme = contracted[name];
      const handler = handlers[name];
      if (scheme === undefined) throw new Error(`the contract has no security scheme ${name}`);
      if (handler === undefined) throw new Error(`there is no security handler for ${name}`);
      return {
        name,
        credentialOf: credentialReader(scheme),
        handler,
        scopes,
        challenge: challengeOf(scheme),
      };
    }),
  );
  const schemes = alternatives.flat();
  const challenges = new Set(schemes.flatMap(({ challenge }) => challenge ?? []));
  return {
    alternatives: alternatives.filter((schemesOf) => schemesOf.length > 0),
    schemes,
    isOptional: alternatives.some((schemesOf) => schemesOf.length === 0),
    ignoresInvalid,
    challenge: challenges.size === 0 ? {} : { 'WWW-Authenticate': [...challenges].join(', ') },
  };
}

/** The parts of a call that identifying its caller needs. */
interface IdentifiedCall<Caller> {
  readonly operationId: string;
  readonly request: HttpRequest<never>;
  caller: Caller;
}

/**
 * Sets the caller of a call: the first satisfied alternative decides. A refused credential is a 401, even if no credential was
 * required, unless the operation ignores invalid credentials.
 *
 * @throws a 401 `Problem` when no alternative is satisfied, a 403 when only a scope is missing
 */
export async function identifyCaller<Caller>(
  security: CompiledSecurity<Caller>,
  call: IdentifiedCall<Caller>,
): Promise<void> {
  const { operationId, request } = call;
  let forbidden: Problem | undefined;
  for (const alternative of security.alternatives) {
    let outcome: SchemeOutcome<Caller> = { caller: call.caller };
    for (const scheme of alternative) {
      const { handler, scopes } = scheme;
      const credential = scheme.credentialOf(request);
      const demand = { operationId, request, host: request.host, scopes };
      outcome =
        credential === undefined
          ? undefined
          : outcomeOf(await handler.authenticate(credential, demand), scheme, security);
      if (outcome === undefined || outcome instanceof Problem) break;
    }
    if (outcome instanceof Problem) forbidden ??= outcome;
    else if (outcome !== undefined) {
      call.caller = outcome.caller;
      return;
    }
  }
  if (forbidden !== undefined) throw forbidden;
  if (!security.isOptional) throw missingCredential(security, request);
}

/** The caller; undefined when a credential is missing or ignored; a 403 when a credential lacks a scope. */
type SchemeOutcome<Caller> = { readonly caller: Caller } | Problem | undefined;

/** @throws a 401 `Problem` when a credential is refused */
function outcomeOf<Caller>(
  answer: Authentication<Caller>,
  { name, scopes }: CompiledScheme<Caller>,
  { ignoresInvalid, challenge }: CompiledSecurity<Caller>,
): SchemeOutcome<Caller> {
  if ('refused' in answer) {
    if (ignoresInvalid) return undefined;
    throw new Problem(401, answer.refused, challenge);
  }
  // Only possible when the types were bypassed: an answer without a caller must not grant access.
  if (!('caller' in answer)) throw new Error(`the security handler ${name} answered without a caller`);
  const lacking = scopes.filter((scope) => answer.scopes?.includes(scope) !== true);
  if (lacking.length > 0) return new Problem(403, `The credential lacks the scope ${lacking.join(', ')}`);
  return answer;
}

/** The 401 for the first missing credential, or for the first credential when none is missing. */
export function missingCredential<Caller>(
  { schemes, challenge }: CompiledSecurity<Caller>,
  request: HttpRequest,
): Problem {
  const missing = schemes.find(({ credentialOf }) => credentialOf(request) === undefined) ?? schemes[0];
  return new Problem(401, missing?.handler.missing ?? 'Not authenticated', challenge);
}

/**
 * Compiles the test whether a request has all credentials of an alternative, valid or not. A client certificate, which no header has,
 * counts as one that it has.
 */
export function compileCredentialTest(
  requirements: readonly SecurityRequirement[],
  contracted: Readonly<Record<string, SecurityScheme>>,
): (request: Pick<HttpRequest, 'headers' | 'query'>) => boolean {
  const alternatives = requirements.map((requirement) =>
    Object.keys(requirement).flatMap((name) => {
      const scheme = contracted[name];
      return scheme === undefined || scheme.type === 'mutualTLS' ? [] : credentialReader(scheme);
    }),
  );
  return (request) =>
    alternatives.length === 0 || alternatives.some((readers) => readers.every((read) => read(request)));
}

type CredentialReader = (request: Pick<HttpRequest, 'headers' | 'query'>) => string | undefined;

function credentialReader(scheme: SecurityScheme): CredentialReader {
  if (scheme.type === 'apiKey') return apiKeyReader(scheme.in, scheme.name);
  if (scheme.type === 'mutualTLS') return () => undefined;
  const prefix = `${scheme.type === 'http' ? scheme.scheme : 'bearer'} `;
  return ({ headers }) => {
    const { authorization } = headers;
    if (typeof authorization !== 'string') return undefined;
    // The names of schemes are case-insensitive (RFC 9110 §11.1).
    return authorization.slice(0, prefix.length).toLowerCase() === prefix
      ? authorization.slice(prefix.length).trim()
      : undefined;
  };
}

function apiKeyReader(location: 'header' | 'query' | 'cookie', name: string): CredentialReader {
  if (location === 'query') return ({ query }) => new URLSearchParams(query).get(name) ?? undefined;
  if (location === 'header') {
    const header = name.toLowerCase();
    return ({ headers }) => headerText(headers[header]) || undefined;
  }
  return ({ headers }) => {
    const pairs = (headerText(headers['cookie']) ?? '').split(';').map((pair) => pair.trim());
    return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
  };
}

function challengeOf(scheme: SecurityScheme): string | undefined {
  if (scheme.type === 'apiKey' || scheme.type === 'mutualTLS') return undefined;
  if (scheme.type !== 'http' || scheme.scheme === 'bearer') return 'Bearer';
  const name = scheme.scheme.charAt(0).toUpperCase() + scheme.scheme.slice(1);
  return name === 'Basic' ? 'Basic realm="api", charset="UTF-8"' : name;
}
