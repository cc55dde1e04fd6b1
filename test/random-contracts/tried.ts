/** What all checks share: a document in a folder, the features that it needs accepted, and what a finding is. */

import { join } from 'node:path';
import type { Random } from '../simulation/random.js';
import { ContractError } from 'concordat';
import { CommandFailure } from '@concordat/runtime/terminal';
import { type RunningContract, runContract } from '../../src/tools/running/running-contract.js';
import type { Contract } from './draw-contract.js';
import type { Document } from './draw-document.js';

/** A document that is tried, in a folder of its own. */
export interface Tried {
  readonly contract: Contract;
  /** The contract, if it is an OpenAPI document; else one without paths. */
  readonly document: Document;
  readonly folder: string;
  readonly file: string;
  /** The same contract as one file of JSON. */
  readonly plain: string;
  readonly random: Random;
  /** The unsupported features and harmless faults that `generate` needs accepted; undefined where it refuses the document. */
  accept?: readonly string[];
  /** What is generated. */
  files?: Readonly<Record<string, string>> | undefined;
  running?: RunningContract;
}

/** A command did something wrong. The message is the same for the same fault of documents of any size. */
export class Finding extends Error {
  override readonly name = 'Finding';
}

/** Fails unless a refusal has a place and a name. @returns whether the error is a refusal of a contract */
export function requireNamed(error: unknown): error is ContractError | CommandFailure {
  if (!(error instanceof ContractError)) {
    if (error instanceof CommandFailure && !/generator-failure|stack|\n {4}at /.test(error.message))
      return true;
    throw error;
  }
  for (const { fault, pointer, line, message } of error.problems) {
    if (fault === 'generator-failure') throw new Finding(`generator-failure: ${message}`);
    if (pointer === undefined && line === undefined)
      throw new Finding(`a refusal without a place: ${message}`);
    if (/stack|\n {4}at |Cannot read|is not a function|is not iterable|undefined/.test(message))
      throw new Finding(`a refusal like a stack: ${message}`);
  }
  return true;
}

/** The contract, compiled in memory once. */
export async function runningOf(tried: Tried): Promise<RunningContract> {
  return (tried.running ??= await runContract(tried.file));
}

export const inFolder = ({ folder }: Tried, name: string): string => join(folder, name);
