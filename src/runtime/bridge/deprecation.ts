/** The headers of a deprecated operation, from `x-deprecation` on the operation or its document. */

/** The value of `x-deprecation`, which the generator has checked. */
export interface Deprecation {
  /** The day from which the operation is deprecated, such as `2026-01-31`. */
  readonly date?: string;
  /** The day after which it may be gone. */
  readonly sunset?: string;
  /** The address of its successor. */
  readonly successor?: string;
}

type DeprecationHeaders = Readonly<Partial<Record<'Deprecation' | 'Sunset' | 'Link', string>>>;

/** `Deprecation` (RFC 9745 §2.1: a structured date), `Sunset` (RFC 8594 §3: an HTTP date) and `Link` (RFC 5829 §3.5). */
export function deprecationHeaders({ date, sunset, successor }: Deprecation): DeprecationHeaders {
  const startOf = (day: string): Date => new Date(`${day}T00:00:00Z`);
  return {
    ...(date !== undefined && { Deprecation: `@${String(startOf(date).getTime() / 1000)}` }),
    ...(sunset !== undefined && { Sunset: startOf(sunset).toUTCString() }),
    ...(successor !== undefined && { Link: `<${successor}>; rel="successor-version"` }),
  };
}
