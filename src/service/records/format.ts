/** In which of the two formats a file is. */

import { CommandFailure, exitCodes } from 'concordat/terminal';

/** JSON Lines: a JSON object a line. CSV: RFC 4180, with a line of column names. */
export const formats = ['jsonl', 'csv'] as const;
export type Format = (typeof formats)[number];

const ENDINGS: Readonly<Record<string, Format>> = {
  jsonl: 'jsonl',
  ndjson: 'jsonl',
  json: 'jsonl',
  csv: 'csv',
};

/** @throws CommandFailure when neither says it */
export function formatOf(file: string, given: Format | undefined): Format {
  const format = given ?? ENDINGS[/\.([^./\\]+)$/.exec(file)?.[1]?.toLowerCase() ?? ''];
  if (format !== undefined) return format;
  throw new CommandFailure(
    `${file} may be ${formats.join(' or ')}: say which with --format`,
    exitCodes.usage,
  );
}
