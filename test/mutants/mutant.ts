/** The list of mutants: small faults in the sources, each of which some test must notice. */

import { readFileSync } from 'node:fs';

/** A fault in the sources. */
export interface Mutant {
  /** The line of the list. */
  readonly text: string;
  /** The path of the file of the line. */
  readonly file: string;
  /** The whole sources with the fault, by their paths. */
  readonly sources: ReadonlyMap<string, string>;
  /** What notices it: a test file, or the options of the simulator; undefined where one of the tests nearest to the source does. */
  readonly test: string | undefined;
}

/**
 * Reads a list. A line that begins with `&` is a further part of the mutant before it.
 *
 * @param files - the paths of all files, relative to the root
 * @returns the mutants, and a sentence for each line that fits the files no longer
 */
export function readMutants(
  root: string,
  files: readonly string[],
  list: 'mutants.txt' | 'simulator.txt',
): { readonly mutants: readonly Mutant[]; readonly stale: readonly string[] } {
  const mutants: Mutant[] = [];
  const stale: string[] = [];
  const sources = files.filter((path) => path.startsWith('src/'));
  const lines = readFileSync(new URL(list, import.meta.url), 'utf8').split('\n');
  for (const text of lines.filter((line) => line !== '' && !line.startsWith('#'))) {
    const whole = text.startsWith('& ') ? mutants.pop() : undefined;
    // A bar of the sources is written as \|, and the end of a line as \n.
    const [suffix = '', before = '', after = '', test] = text
      .replace(/^& /, '')
      .split(/ \| ?/)
      .map((part) => part.replaceAll('\\|', '|').replaceAll('\\n', '\n'));
    const [file, ...others] = sources.filter((path) => path.endsWith(`/${suffix}`));
    const source = file && (whole?.sources.get(file) ?? readFileSync(`${root}/${file}`, 'utf8'));
    const parts = source?.split(before) ?? [];
    if (file === undefined || others.length > 0)
      stale.push(`${text}: ${file === undefined ? 'no file has this path' : 'several files have this path'}`);
    else if (parts.length !== 2) stale.push(`${text}: the text is there ${String(parts.length - 1)} times`);
    else if (list === 'mutants.txt' && test !== undefined && !files.includes(test))
      stale.push(`${text}: there is no ${test}`);
    else {
      const sources = new Map([...(whole?.sources ?? []), [file, parts.join(after)] as const]);
      mutants.push({ text, file, test, ...whole, sources });
    }
  }
  return { mutants, stale };
}
