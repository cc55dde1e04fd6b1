/** Reads the choice of an answer from a request (RFC 7240 §2). */

import type { HttpRequest } from 'concordat';

/** The choices that a request may make. */
export interface Preference {
  /** The status of the answer. */
  readonly code?: string;
  /** The name of an example. */
  readonly example?: string;
}

/** The preference of a request. */
export function preferenceOf({ headers: { prefer = '' } }: HttpRequest): Preference {
  return readPreference(typeof prefer === 'string' ? prefer : prefer.join(', '));
}

/** Reads the header `Prefer`: `code=404, example=empty`. */
export function readPreference(header: string): Preference {
  const given = [...header.matchAll(/(?:^|[,;\s])(code|example)\s*=\s*(?:"([^"]*)"|([^\s,;"]+))/gi)];
  return Object.fromEntries(
    given.map(([, name = '', quoted, plain]) => [name.toLowerCase(), quoted ?? plain]),
  );
}
