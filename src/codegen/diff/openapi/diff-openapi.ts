/** The changes between two versions of an OpenAPI contract. */

import type { Change } from '../change/change.js';
import { compareContracts } from './compare-operations.js';
import { judged } from './judge.js';
import { type VersionChange, versionChange } from '../change/rules.js';
import { type Progress, runContract } from '../../running/running-contract.js';

export interface OpenapiDiff {
  readonly changes: readonly Change[];
  readonly version: VersionChange;
}

/**
 * Compares two OpenAPI documents.
 *
 * @param now - decides which operations are past their sunset date
 * @throws ContractError when one is not a contract
 */
export async function diffOpenapi(
  old: string,
  next: string,
  now: Date,
  progress?: Progress,
): Promise<OpenapiDiff> {
  const versions = { old: await runContract(old, progress), new: await runContract(next, progress) };
  return {
    changes: await judged(versions, compareContracts(versions, now)),
    version: versionChange(versions.old.document.info.version, versions.new.document.info.version),
  };
}
