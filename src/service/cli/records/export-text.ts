/** Formats records as text, page by page, in constant memory. */

import type { Id, Storage } from '@concordat/core';
import type { Column } from './columns.js';
import type { ExportKind, Fields } from './export-kinds.js';
import type { Format } from './format.js';
import { toSpreadsheet } from './spreadsheet-text.js';

const PAGE = 500;

/**
 * Yields all records of a kind, ascending by id, one page per piece. A record that is written while the export runs may be
 * missing.
 *
 * @param onRecords - called with the number of records so far
 */
export async function* exportText(
  { columns, read }: ExportKind,
  format: Format,
  storage: Storage,
  onRecords: (count: number) => void,
): AsyncGenerator<string> {
  const textOf = format === 'csv' ? (record: Fields) => csvLine(record, columns) : jsonLine;
  if (format === 'csv') yield `${columns.map(({ name }) => name).join()}\r\n`;
  let after: Id | undefined;
  let count = 0;
  for (;;) {
    const page = await read(storage, { after, limit: PAGE });
    if (page.length > 0) yield page.map(textOf).join('');
    onRecords((count += page.length));
    if (page.length < PAGE) return;
    after = page.at(-1)?.['id'] as Id; // every record has one
  }
}

function jsonLine(record: Fields): string {
  return `${JSON.stringify(record)}\n`;
}

/** RFC 4180. */
function csvLine(record: Fields, columns: readonly Column[]): string {
  return `${columns.map((column) => cellOf(record[column.name], column)).join()}\r\n`;
}

function cellOf(value: unknown, { type }: Column): string {
  if (value === undefined || value === null) return '';
  const text = type === 'json' || typeof value !== 'string' ? JSON.stringify(value) : toSpreadsheet(value);
  // An empty text is quoted, because an empty cell without quotes means no value.
  return text === '' || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
