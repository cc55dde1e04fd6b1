/** The rules that allow breaking changes: after a sunset date, and in a new major version. */

import type { OperationModel } from 'concordat/contract';

/** The last day of an operation, such as `2027-12-31`: `x-deprecation: { sunset }`, or `x-sunset`. */
export function sunsetOf({ extensions }: OperationModel): string | undefined {
  const { 'x-deprecation': deprecation, 'x-sunset': sunset } = extensions;
  const own =
    typeof deprecation === 'object' && deprecation !== null && 'sunset' in deprecation
      ? deprecation.sunset
      : sunset;
  return typeof own === 'string' && /^\d{4}-\d\d-\d\d/.test(own) ? own.slice(0, 10) : undefined;
}

/** Whether the last day of an operation has passed, in UTC. */
export function isAfterSunset(operation: OperationModel, now: Date): boolean {
  const sunset = sunsetOf(operation);
  return sunset !== undefined && now.toISOString().slice(0, 10) > sunset;
}

/** The `info.version` of both documents, and whether the change allows breaking clients. */
export interface VersionChange {
  readonly old: string;
  readonly new: string;
  /** Whether the new version may break clients: its major is higher, or before 1.0.0 its minor (Semantic Versioning §4, §8). */
  readonly mayBreak: boolean;
}

/** The change as a part of a result; empty if a document has no version. */
export function versionChange(
  old: string | undefined,
  next: string | undefined,
): { readonly version?: VersionChange } {
  if (old === undefined || next === undefined) return {};
  const before = numbersOf(old);
  const after = numbersOf(next);
  const mayBreak =
    before !== undefined &&
    after !== undefined &&
    (before.major === 0 && after.major === 0 ? after.minor > before.minor : after.major > before.major);
  return { version: { old, new: next, mayBreak } };
}

function numbersOf(version: string): { readonly major: number; readonly minor: number } | undefined {
  const [, major, minor = '0'] = /^v?(\d+)(?:\.(\d+))?/.exec(version.trim()) ?? [];
  return major === undefined ? undefined : { major: Number(major), minor: Number(minor) };
}
