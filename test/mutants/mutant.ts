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
  /** A test file that notices it; undefined where one of those nearest to the source does. */
  readonly test: string | undefined;
}

/**
 * Reads the list.
 *
 * @param files - the paths of all files, relative to the root
 * @returns the mutants, and a sentence for each line that fits the files no longer
 */
export function readMutants(
  root: string,
  files: readonly string[],
): { readonly mutants: readonly Mutant[]; readonly stale: readonly string[] } {
  const mutants: Mutant[] = [];
  const stale: string[] = [];
  const sources = files.filter((path) => path.startsWith('src/'));
  const lines = readFileSync(new URL('mutants.txt', import.meta.url), 'utf8').split('\n');
  for (const text of lines.filter((line) => line !== '' && !line.startsWith('#'))) {
    // A bar of the sources is written as \|, and the end of a line as \n.
    const [suffix = '', before = '', after = '', test] = text
      .split(/ \| ?/)
      .map((part) => part.replaceAll('\\|', '|').replaceAll('\\n', '\n'));
    const [file, ...others] = sources.filter((path) => path.endsWith(`/${suffix}`));
    const parts = file === undefined ? [] : readFileSync(`${root}/${file}`, 'utf8').split(before);
    if (file === undefined || others.length > 0)
      stale.push(`${text}: ${file === undefined ? 'no file has this path' : 'several files have this path'}`);
    else if (parts.length !== 2) stale.push(`${text}: the text is there ${String(parts.length - 1)} times`);
    else if (test !== undefined && !files.includes(test)) stale.push(`${text}: there is no ${test}`);
    else mutants.push({ text, file, source: parts.join(after), test });
  }
  return { mutants, stale };
}
