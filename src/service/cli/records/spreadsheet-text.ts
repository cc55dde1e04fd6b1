/** Writes texts so that spreadsheets do not run them as formulas, and reads them back (OWASP, "CSV Injection"). */

/** Puts an apostrophe before a text that a spreadsheet would run, even if the text already has apostrophes before it. */
export function toSpreadsheet(text: string): string {
  return /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

/** The inverse of {@link toSpreadsheet}; any other text is unchanged. */
export function fromSpreadsheet(text: string): string {
  return /^'+[=+\-@\t\r]/.test(text) ? text.slice(1) : text;
}
