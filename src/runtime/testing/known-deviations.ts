/** Compares observed deviations with the list in the project of those that are known, so that a test fails for new ones. */

import { readFile, writeFile } from 'node:fs/promises';
import { isObject, parsedJson } from '../failures/json-value.js';

/** An observed deviation, as far as it is listed. */
interface ListedDeviation {
  readonly id: string;
}

/**
 * The ids of the deviations that the project does not know yet.
 *
 * @param file - the project's `concordat.json`, whose member `deviations` lists the known ones; without the file, none is known
 * @throws an error that names the file if it cannot be read as such a list
 *
 * @example
 * ```ts
 * await observer.settled();
 * assert.deepEqual(await newDeviations('concordat.json', observer.deviations()), []);
 * ```
 */
export async function newDeviations(
  file: string,
  deviations: readonly ListedDeviation[],
): Promise<readonly string[]> {
  const { deviations: listed = [] } = await readLists(file);
  const known = new Set(listed);
  return idsOf(deviations).filter((id) => !known.has(id));
}

/** Lists the deviations in the file: it gets the new ones, and loses those that were not observed. Other members stay as they are. */
export async function writeDeviations(file: string, deviations: readonly ListedDeviation[]): Promise<void> {
  const lists = { ...(await readLists(file)), deviations: idsOf(deviations) };
  await writeFile(file, `${JSON.stringify(lists, null, 2)}\n`);
}

function idsOf(deviations: readonly ListedDeviation[]): readonly string[] {
  return [...new Set(deviations.map(({ id }) => id))].sort();
}

interface Lists {
  readonly deviations?: readonly string[];
}

async function readLists(file: string): Promise<Lists> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
  const lists = parsedJson(text);
  if (isLists(lists)) return lists;
  throw new Error(`${file} must be a JSON object, whose "deviations" are a list of texts`);
}

function isLists(value: unknown): value is Lists {
  if (!isObject(value)) return false;
  const { deviations = [] } = value;
  return Array.isArray(deviations) && deviations.every((each) => typeof each === 'string');
}
