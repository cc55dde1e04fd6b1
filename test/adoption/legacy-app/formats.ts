/** What the application computes and writes, whoever serves it. */

import type { InvoiceLine } from './types.js';

export const totalOf = (lines: readonly InvoiceLine[]): number =>
  lines.reduce((sum, { quantity, unitPriceCents }) => sum + Math.round(quantity * unitPriceCents), 0);

export function csv(rows: readonly (readonly (string | number)[])[]): string {
  const cell = (value: string | number): string => {
    const text = String(value);
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}
