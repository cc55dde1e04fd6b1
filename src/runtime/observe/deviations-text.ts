/** Writes deviations in the formats that other programs read. */

import type { Finding } from '../terminal/finding.js';
import { reportText } from '../terminal/reports.js';
import type { Deviation } from './deviations.js';

/** The members of a finding's place that are used. Published types cannot name it: its own file is not published. */
interface Place {
  readonly file: string;
  readonly line?: number | undefined;
  readonly tags?: readonly string[];
}

interface DeviationsTextOptions {
  /** Sentences for the top of a page. */
  readonly summary?: readonly string[];
  /** The command that makes the report. */
  readonly command?: string;
  /** The operations that were observed, each a test case of JUnit; by default, those with a deviation. */
  readonly operations?: readonly string[];
  /** Where the document describes an operation. */
  readonly placeOf?: (operation: string) => Place | undefined;
}

/**
 * Writes deviations for another program: as JSON, as a table for a pull request, as test cases, as SARIF, as annotations of GitHub, or
 * as a page to look at.
 *
 * @returns the text, without a line feed at its end; empty if there is nothing to say to GitHub
 *
 * @example
 * ```ts
 * await writeFile('deviations.xml', deviationsText('junit', observer.deviations()));
 * ```
 */
export function deviationsText(
  format: 'json' | 'markdown' | 'junit' | 'sarif' | 'github' | 'html',
  deviations: readonly Deviation[],
  { command = 'concordat observe', operations, placeOf, summary = [] }: DeviationsTextOptions = {},
): string {
  if (format === 'json') return JSON.stringify(deviations, undefined, 2);
  const findings = deviations.map((each): Finding => {
    const { operation, side, status, place, kind, detail, count, example } = each;
    const what = status === undefined ? side : `${side} ${String(status)}`;
    return {
      rule: kind,
      level: 'error',
      about: operation,
      message: `${what}: ${detail}${count > 1 ? ` (${String(count)} times)` : ''}`,
      place: placeOf?.(operation),
      tags: placeOf?.(operation)?.tags,
      ...(example !== undefined && {
        details: JSON.stringify(example),
        exhibits: [{ title: `${what}, ${place}`, text: JSON.stringify(example, undefined, 2) }],
      }),
    };
  });
  const cases = operations ?? [...new Set(deviations.map(({ operation }) => operation))];
  return reportText(format, { command, cases, findings, summary });
}
