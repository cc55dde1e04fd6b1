/** Compares contracts by the names that the user gave: paths, URLs and files of git revisions. */

import { CommandFailure, exitCodes } from 'concordat/terminal';
import type { Change } from '../../diff/change/change.js';
import type { Place } from '../../running/place.js';
import { type ContractDiff, diffContract } from '../../diff/diff.js';
import { progressStages } from '../../progress-line.js';
import { ContractError } from '../../problems/contract-error.js';
import { type ContractFile, contractFile } from './contract-file.js';

/**
 * @param names - an old and a new version in turn
 * @throws CommandFailure, as wrong usage, when one cannot be read
 */
export async function diffFiles(names: readonly string[]): Promise<readonly ContractDiff[]> {
  const diffs: ContractDiff[] = [];
  for (let index = 0; index + 1 < names.length; index += 2) {
    diffs.push(await diffPair(names[index] ?? '', names[index + 1] ?? ''));
  }
  return diffs;
}

async function diffPair(oldName: string, newName: string): Promise<ContractDiff> {
  const old = await contractFile(oldName);
  try {
    const next = await contractFile(newName);
    try {
      const paths = { old: old.path, new: next.path };
      const found = await diffContract(paths, new Date(), progressStages());
      return {
        ...found,
        old: oldName,
        new: newName,
        changes: found.changes.map((each) => shown(each, old, next)),
      };
    } catch (error) {
      if (!(error instanceof ContractError)) throw error;
      throw new CommandFailure(next.shown(old.shown(error.message)), exitCodes.usage);
    } finally {
      await next.remove();
    }
  } finally {
    await old.remove();
  }
}

function shown(change: Change, old: ContractFile, next: ContractFile): Change {
  const place = (found: Place, { shown: name }: ContractFile): Place => ({
    ...found,
    file: name(found.file),
  });
  return {
    ...change,
    ...(change.old && { old: place(change.old, old) }),
    ...(change.new && { new: place(change.new, next) }),
  };
}
