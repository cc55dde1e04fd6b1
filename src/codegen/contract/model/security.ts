/** Reads security schemes, and the requirements of operations that name them. */

import type { Json } from '@concordat/runtime';
import type { SecurityRequirementObject } from '../schemas/document.js';
import { joinPointer, pointerTokens } from '../../text/pointer.js';
import type { OperationModel } from './model.js';
import type { Reader } from './reader.js';

/** The security schemes, each reduced to the place of its credential. */
export function readSecuritySchemes(reader: Reader): Readonly<Record<string, Json>> {
  const schemes = new Map<string, Json>();
  for (const [name, declared] of Object.entries(reader.document.components?.securitySchemes ?? {})) {
    const place = joinPointer('#/components/securitySchemes', name);
    const found = reader.attempt(() => reader.follow(declared, place));
    if (found === undefined) continue;
    const { value: scheme, at } = found;
    const { type } = scheme;
    if (scheme.type === 'apiKey') {
      if (scheme.in === 'header') reader.isHeaderName(scheme.name, joinPointer(at, 'name'));
      schemes.set(name, { type, in: scheme.in, name: scheme.name });
    } else if (scheme.type === 'http') schemes.set(name, { type, scheme: scheme.scheme.toLowerCase() });
    else schemes.set(name, { type });
    if (type === 'mutualTLS') reader.unsupported('mutual-tls', at, NO_CERTIFICATE);
  }
  return Object.fromEntries(schemes);
}

const NO_CERTIFICATE =
  'a client certificate does not reach the service behind the TLS endpoint, so no request satisfies this scheme';

/** The requirements of an operation, as alternatives. */
export function readSecurity(
  reader: Reader,
  requirements: readonly SecurityRequirementObject[],
  at: string,
): readonly SecurityRequirementObject[] {
  const schemes = reader.document.components?.securitySchemes ?? {};
  const named = requirements.map((requirement): SecurityRequirementObject =>
    Object.fromEntries(
      Object.entries(requirement).map(([name, scopes]) => [schemeName(schemes, name), scopes]),
    ),
  );
  for (const name of named.flatMap((requirement) => Object.keys(requirement))) {
    if (!Object.hasOwn(schemes, name)) {
      const message = `there is no security scheme ${name}; it is a bearer token`;
      reader.unsupported('undeclared-security', joinPointer(at, 'security'), message);
    }
  }
  return named;
}

/** The schemes that requirements name and nothing declares. The credential of most schemes is a bearer token. */
export function undeclaredSchemes(
  { document }: Reader,
  operations: readonly OperationModel[],
): Readonly<Record<string, Json>> {
  const declared = document.components?.securitySchemes ?? {};
  const names = operations.flatMap(({ security }) => security.flatMap((each) => Object.keys(each)));
  const undeclared = [...new Set(names)].filter((name) => !Object.hasOwn(declared, name));
  return Object.fromEntries(undeclared.map((name) => [name, { type: 'http', scheme: 'bearer' }]));
}

/** From 3.2 on, a requirement may refer to a scheme by its URI, unless a scheme has that name (Security Requirement Object). */
function schemeName(schemes: object, name: string): string {
  const referred = /^#\/components\/securitySchemes\/([^/]+)$/.exec(name)?.[1];
  return referred === undefined || Object.hasOwn(schemes, name) ? name : (pointerTokens(name).at(-1) ?? name);
}
