/** The two file formats, and how one is chosen. */

import { CommandFailure, exitCodes } from '@concordat/runtime/terminal';

/** JSON Lines: one JSON object per line. CSV: RFC 4180, with a line of column names. */
export const formats = ['jsonl', 'csv'] as const;
export type Format = (typeof formats)[number];

const ENDINGS: Readonly<Record<string, Format>> = {
  jsonl: 'jsonl',
  ndjson: 'jsonl',
  json: 'jsonl',
  csv: 'csv',
};

/** @throws CommandFailure when neither the option nor the file's ending names a format */
export function formatOf(file: string, given: Format | undefined): Format {
  const format = given ?? ENDINGS[/\.([^./\\]+)$/.exec(file)?.[1]?.toLowerCase() ?? ''];
  if (format !== undefined) return format;
  throw new CommandFailure(
    `${file} may be ${formats.join(' or ')}: say which with --format`,
    exitCodes.usage,
  );
}
