/** Writes texts so that a spreadsheet does not run them as formulas, and reads them again (OWASP, "CSV Injection"). */

/** An apostrophe before a text that a spreadsheet would run, and before one that starts like such a text. */
export function toSpreadsheet(text: string): string {
  return /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

/** The inverse of {@link toSpreadsheet}; any other text is unchanged. */
export function fromSpreadsheet(text: string): string {
  return /^'+[=+\-@\t\r]/.test(text) ? text.slice(1) : text;
}
