/** Reads and writes the records of CSV (RFC 4180), with each field as a cell. */

import { Readable } from 'node:stream';
import { type CsvError, type Info, type InfoField, parse } from 'csv-parse';
import { CommandFailure } from '@concordat/runtime/terminal';
import type { Column, Fields } from './kinds.js';

/** A record that was read from a file, or the reason why it could not be read. */
export type Line = {
  /** The number of its line, from 1; for a record of several lines, that of the last. */
  readonly number: number;
} & ({ readonly value: Fields } | { readonly fault: string });

interface CsvRecord {
  readonly info: Info;
  readonly record: Readonly<Record<string, Cell>>;
}

interface Cell {
  readonly text: string;
  readonly isQuoted: boolean;
}

/** @throws CommandFailure for a header with an unknown column */
export async function* readCsv(
  file: string,
  text: AsyncIterable<string>,
  columns: readonly Column[],
): AsyncGenerator<Line> {
  const known = new Map(columns.map((column) => [column.name, column]));
  const faults: Line[] = [];
  const parser = parse({
    bom: true,
    info: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    // A quote that is never closed would make the rest of a large file one record.
    max_record_size: 1_048_576,
    columns: (header: readonly string[]) => header.map((name) => nameOf(name, known, file)),
    cast: (text: string, { quoting, header }: InfoField): string | Cell =>
      header ? text : { text, isQuoted: quoting },
    on_skip: (error: CsvError | undefined) => {
      faults.push({ number: Number(error?.['lines'] ?? 0), fault: faultOf(error) });
      return undefined;
    },
  });
  const source = Readable.from(text);
  source.once('error', (error) => parser.destroy(error)).pipe(parser);
  try {
    for await (const { info, record } of parser as AsyncIterable<CsvRecord>) {
      yield* faults.splice(0);
      yield lineOf(info.lines, record, known);
    }
    yield* faults.splice(0);
  } finally {
    source.destroy();
  }
}

function nameOf(name: string, known: ReadonlyMap<string, Column>, file: string): string {
  if (known.has(name)) return name;
  throw new CommandFailure(`${file} has a column ${name}, which is none of ${[...known.keys()].join(', ')}`);
}

function faultOf(error: CsvError | undefined): string {
  switch (error?.code) {
    case 'CSV_RECORD_INCONSISTENT_COLUMNS':
      return 'must have as many cells as the first line';
    case 'CSV_MAX_RECORD_SIZE':
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'opens a quote that is not closed';
    default:
      return 'must be CSV: a cell with a quote in it is quoted, and the quote in it doubled';
  }
}

function lineOf(number: number, record: CsvRecord['record'], known: ReadonlyMap<string, Column>): Line {
  const value: Record<string, unknown> = {};
  for (const [name, cell] of Object.entries(record)) {
    const column = known.get(name);
    if (column === undefined) continue;
    try {
      const field = fieldOf(cell, column);
      if (field !== undefined) value[name] = field;
    } catch {
      return { number, fault: `${name} must be JSON` };
    }
  }
  return { number, value };
}

/** @throws SyntaxError */
function fieldOf({ text, isQuoted }: Cell, { type }: Column): unknown {
  if (text === '' && !(type === 'emptyable-text' && isQuoted)) {
    return type === 'nullable-text' ? null : undefined;
  }
  if (type === 'json') return JSON.parse(text);
  // A text that is not a number is passed on, so that the contract's check reports it.
  if (type === 'number') return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
  return fromSpreadsheet(text);
}

/** A line of CSV, with its line ending. */
export function csvLine(record: Fields, columns: readonly Column[]): string {
  return `${columns.map((column) => cellOf(record[column.name], column)).join()}\r\n`;
}

function cellOf(value: unknown, { type }: Column): string {
  if (value === undefined || value === null) return '';
  const text = type === 'json' || typeof value !== 'string' ? JSON.stringify(value) : toSpreadsheet(value);
  // An empty text is quoted, because an empty cell without quotes means no value.
  return text === '' || /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Puts an apostrophe before a text that a spreadsheet would run as a formula, even if the text already has apostrophes before it, or
 * blanks, or semicolons, at which some spreadsheets part the cells
 * (OWASP, "CSV Injection").
 */
export function toSpreadsheet(text: string): string {
  return /^'*[\s;]*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

/** The inverse of {@link toSpreadsheet}; any other text is unchanged. */
export function fromSpreadsheet(text: string): string {
  return /^'+[\s;]*[=+\-@\t\r]/.test(text) ? text.slice(1) : text;
}
