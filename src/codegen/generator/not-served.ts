/** The project's list of the operations that its server does not serve yet, in `concordat.json` beside the contract. */

import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isObject, parsedJson } from '@concordat/runtime/parts';
import { usageFailure } from '@concordat/runtime/terminal';
import type { GeneratedOperations } from './openapi-files.js';
import { fileAt } from './git-revision.js';

/** The members of `concordat.json` that only ever get shorter. `accepted` is for `diff`, which also checks its entries. */
const LISTS = ['notServed', 'deviations'] as const;
const MEMBERS: readonly string[] = [...LISTS, 'accepted'];

type Lists = Readonly<Partial<Record<(typeof LISTS)[number], readonly string[]>>>;

export interface ListOptions {
  /** A git revision at which neither list may have been shorter. */
  readonly against?: string | undefined;
  /** Whether to write the operations that are not generated into the list first. */
  readonly update?: boolean | undefined;
  /** Whether the list may have operations of further contracts. */
  readonly isPart?: boolean | undefined;
}

/** The path of the list of a contract. */
export function listFile(openapi: string): string {
  return join(/^https?:/i.test(openapi) ? '.' : dirname(openapi), 'concordat.json');
}

/**
 * Compares the list with the operations that are generated. The engine has a handler for each of these, or does not start. A
 * project without `notServed` has no list.
 *
 * @returns a sentence for each operation that is in the wrong place
 * @throws CommandFailure when the file cannot be read
 */
export async function checkNotServed(
  file: string,
  { generated, left }: GeneratedOperations,
  { against, update = false, isPart = false }: ListOptions,
): Promise<readonly string[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw usageFailure(`${file} cannot be read: ${message}`);
  });
  let lists = text === undefined ? undefined : readLists(file, text);
  const known = [...generated, ...left];
  if (update) {
    const others = isPart ? (lists?.notServed ?? []).filter((id) => !known.includes(id)) : [];
    lists = { ...lists, notServed: [...others, ...left].sort() };
    await writeFile(file, `${JSON.stringify(lists, null, 2)}\n`);
  }
  const earlier = against === undefined ? undefined : await fileAt(against, file);
  const before = earlier === undefined ? undefined : readLists(`${String(against)}:${file}`, earlier);
  const { notServed = [] } = lists ?? {};
  const hasList = lists?.notServed !== undefined || before?.notServed !== undefined;
  return [
    ...(hasList ? left : [])
      .filter((id) => !notServed.includes(id))
      .map((id) => `${id} is neither generated nor listed: add it to "only", or to "notServed" of ${file}.`),
    ...notServed
      .filter((id) => generated.includes(id))
      .map((id) => `${id} is generated and listed: remove it from "notServed" of ${file}.`),
    ...notServed
      .filter((id) => !isPart && !known.includes(id))
      .map((id) => `${id} is listed in "notServed" of ${file}, and the contract has no such operation.`),
    ...LISTS.flatMap((name) =>
      added(lists?.[name], before?.[name]).map(
        (entry) => `${entry} is listed in "${name}" of ${file}, and was not at ${String(against)}.`,
      ),
    ),
  ];
}

/** The new entries of a list that existed before. */
function added(now: readonly string[] = [], before: readonly string[] = now): readonly string[] {
  return now.filter((entry) => !before.includes(entry));
}

function readLists(file: string, text: string): Lists {
  const value = parsedJson(text);
  if (value === undefined) throw usageFailure(`${file} is not JSON.`);
  const names = isObject(value) ? Object.keys(value) : [''];
  const wrong = names.find((name) => !MEMBERS.includes(name));
  if (wrong !== undefined) {
    const found = wrong === '' ? 'is no object' : `has the unknown member "${wrong}"`;
    throw usageFailure(`${file} ${found}: it has "notServed", "deviations" and "accepted".`);
  }
  const lists = value as Readonly<Record<string, unknown>>;
  for (const name of LISTS) {
    const list = lists[name] ?? [];
    if (!Array.isArray(list) || list.some((entry) => typeof entry !== 'string'))
      throw usageFailure(`"${name}" of ${file} must be a list of texts.`);
  }
  return lists;
}
