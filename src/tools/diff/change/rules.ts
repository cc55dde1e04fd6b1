/** The rules that allow breaking changes: after a sunset date, by the stability of an operation, and in a new major version. */

import { isObject } from '@concordat/runtime/parts';
import type { OperationModel } from 'concordat/contract';

/** The last day of an operation, such as `2027-12-31`: `x-deprecation: { sunset }`, or `x-sunset`. */
export function sunsetOf({ extensions }: OperationModel): string | undefined {
  const { 'x-deprecation': deprecation, 'x-sunset': sunset } = extensions;
  const day = isObject(deprecation) && 'sunset' in deprecation ? deprecation['sunset'] : sunset;
  return typeof day === 'string' && /^\d{4}-\d\d-\d\d/.test(day) ? day.slice(0, 10) : undefined;
}

/** Whether the last day of an operation has passed, in UTC. */
export function isAfterSunset(operation: OperationModel, now: Date): boolean {
  const sunset = sunsetOf(operation);
  return sunset !== undefined && isPast(sunset, now);
}

/** Whether a day such as `2027-12-31` is over, in UTC. */
export function isPast(day: string, now: Date): boolean {
  return now.toISOString().slice(0, 10) > day;
}

/**
 * The promise of each level of `x-stability`. With a number, an operation may break that many days after it was deprecated with a sunset;
 * with 0, it need not be deprecated. With `never`, it may not break. It is `stable` unless it has another level.
 */
export type Stability = Readonly<Record<'draft' | 'alpha' | 'beta' | 'stable', number | 'never'>>;

const STABILITY: Stability = { draft: 0, alpha: 0, beta: 30, stable: 'never' };

const DAY_MS = 24 * 3_600_000;

/** Why changes of an operation of the old version are not breaking; undefined if they may be. */
export function reasonToBreak(
  operation: OperationModel,
  now: Date,
  stability: Partial<Stability> = {},
): string | undefined {
  const { 'x-stability': given, 'x-deprecation': deprecation } = operation.extensions;
  const levels: Stability = { ...STABILITY, ...stability };
  const [level, days] = Object.entries(levels).find(([each]) => each === given) ?? ['stable', levels.stable];
  if (days === 0) return `the operation is ${level}`;
  if (days === 'never' || !operation.deprecated || sunsetOf(operation) === undefined) return undefined;
  const date = isObject(deprecation) ? deprecation['date'] : undefined;
  const since = typeof date === 'string' ? Date.parse(date) : NaN;
  return now.getTime() - since >= days * DAY_MS
    ? `the operation is ${level}, and was deprecated ${days} days ago or earlier`
    : undefined;
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
  // Before 1.0.0, the minor version counts (§4).
  const places = before?.[0] === 0 && after?.[0] === 0 ? 2 : 1;
  const mayBreak =
    before !== undefined &&
    after !== undefined &&
    compareNumbers(after.slice(0, places), before.slice(0, places)) > 0;
  return { version: { old, new: next, mayBreak } };
}

/** Compares versions by their numbers. @returns less than 0 if the first is lower, and 0 for what is no version */
export function compareVersions(one: string, other: string): number {
  const [numbers, others] = [numbersOf(one), numbersOf(other)];
  return numbers === undefined || others === undefined ? 0 : compareNumbers(numbers, others);
}

function compareNumbers(one: readonly number[], other: readonly number[]): number {
  const index = one.findIndex((number, place) => number !== other[place]);
  return index < 0 ? 0 : (one[index] ?? 0) - (other[index] ?? 0);
}

function numbersOf(version: string): readonly number[] | undefined {
  const [, major, minor = '0', patch = '0'] = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(version.trim()) ?? [];
  return major === undefined ? undefined : [major, minor, patch].map(Number);
}
