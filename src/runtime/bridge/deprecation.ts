/** The headers of a deprecated operation, from `x-deprecation`. */

import type { Json } from '../contract/contract.js';

/** The value of `x-deprecation`, on a document or an operation. */
export interface Deprecation {
  /** The day from which the operation is deprecated, such as `2026-01-31`. */
  readonly date?: string;
  /** The day after which it may be gone. */
  readonly sunset?: string;
  /** The address of its successor. */
  readonly successor?: string;
}

/** `Deprecation` (RFC 9745 §2.1: a structured date), `Sunset` (RFC 8594 §3: an HTTP date) and `Link` (RFC 5829 §3.5). */
export function deprecationHeaders({
  date,
  sunset,
  successor,
}: Deprecation): Readonly<Record<string, string>> {
  return {
    ...(date !== undefined && { Deprecation: `@${String(startOf(date) / 1000)}` }),
    ...(sunset !== undefined && { Sunset: new Date(startOf(sunset)).toUTCString() }),
    ...(successor !== undefined && { Link: `<${successor}>; rel="successor-version"` }),
  };
}

/** @param day - as the generator has checked it */
function startOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

/** The `x-deprecation` of an operation, with the parts of its document's that it does not have. */
export function deprecationOf(
  ...extensions: readonly (Readonly<Record<string, Json>> | undefined)[]
): Deprecation {
  return Object.assign({}, ...extensions.map((each) => each?.['x-deprecation'])) as Deprecation;
}
