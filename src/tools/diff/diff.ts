/** The changes between two versions of contracts of either kind. */

import { diffGraphql } from './graphql/diff-graphql.js';
import { type Change, type Severity, type Side, SEVERITIES } from './change/change.js';
import { type DiffOptions, type StageProgress, diffOpenapi } from './openapi/diff-openapi.js';
import type { ContractProblem } from 'concordat/contract';
import type { VersionChange } from './change/rules.js';

/** The files of two versions of a contract. */
export interface ContractPair {
  readonly old: string;
  readonly new: string;
}

/** The differences between two versions of one contract. */
export interface ContractDiff extends ContractPair {
  readonly changes: readonly Change[];
  /** Absent for GraphQL, whose schemas have no version, and if a document has none. */
  readonly version?: VersionChange;
  /** The faults of the old version, whose parts are not compared; absent if there are none. */
  readonly oldFaults?: readonly ContractProblem[];
  /** The tags of operations of both versions, by which a page filters; no part of the JSON. */
  readonly tags?: ReadonlyMap<string, readonly string[]>;
}

/**
 * Compares two OpenAPI documents, or two GraphQL schemas in SDL.
 *
 * @param now - decides which operations are past their sunset date
 * @throws ContractError when one of them is not a contract
 */
export async function diffContract(
  pair: ContractPair,
  now: Date,
  progress?: StageProgress,
  options: DiffOptions = {},
): Promise<ContractDiff> {
  if (isSdl(pair.new)) return { ...pair, ...(await diffGraphql(pair.old, pair.new)) };
  return { ...pair, ...(await diffOpenapi(pair.old, pair.new, now, progress, options)) };
}

/** Whether a contract is a GraphQL schema, by the ending of its file. */
export function isSdl(file: string): boolean {
  return /\.(?:graphqls?|gql)$/i.test(file);
}

/** Whether a severity is as bad as another, or worse. */
export function isAtLeast(severity: Severity, other: Severity): boolean {
  return SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(other);
}

/** The changes that must not be released: those that are not accepted; none if `info.version` allows breaking changes. */
export function refusedChanges(
  { changes, version }: ContractDiff,
  failOn: Severity,
  sides: readonly Side[],
): readonly Change[] {
  if (version?.mayBreak === true) return [];
  return changes.filter(
    (change) =>
      (change.accepted === undefined || change.accepted.isOver) &&
      sides.some((side) => isAtLeast(change[side].severity, failOn)),
  );
}
