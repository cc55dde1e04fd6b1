/** The list of mutants: small faults in the sources, each of which some test must notice. */

import { readFileSync } from 'node:fs';

/** A fault in a source file. */
export interface Mutant {
  /** The line of the list. */
  readonly text: string;
  /** The path of the file. */
  readonly file: string;
  /** The whole source with the fault. */
  readonly source: string;
}

/**
 * Reads the list.
 *
 * @param sources - the paths of all source files, relative to the root
 * @returns the mutants, and a sentence for each line that fits the sources no longer
 */
export function readMutants(
  root: string,
  sources: readonly string[],
): { readonly mutants: readonly Mutant[]; readonly stale: readonly string[] } {
  const mutants: Mutant[] = [];
  const stale: string[] = [];
  const lines = readFileSync(new URL('mutants.txt', import.meta.url), 'utf8').split('\n');
  for (const text of lines.filter((line) => line !== '' && !line.startsWith('#'))) {
    // A bar of the sources is written as \|, and the end of a line as \n.
    const [suffix = '', before = '', after = ''] = text
      .split(/ \| ?/)
      .map((part) => part.replaceAll('\\|', '|').replaceAll('\\n', '\n'));
    const [file, ...others] = sources.filter((path) => path.endsWith(`/${suffix}`));
    const parts = file === undefined ? [] : readFileSync(`${root}/${file}`, 'utf8').split(before);
    if (file === undefined || others.length > 0)
      stale.push(`${text}: ${file === undefined ? 'no file has this path' : 'several files have this path'}`);
    else if (parts.length !== 2) stale.push(`${text}: the text is there ${String(parts.length - 1)} times`);
    else mutants.push({ text, file, source: parts.join(after) });
  }
  return { mutants, stale };
}
