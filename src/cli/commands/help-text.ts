/** Texts that the help of several commands has. */

/** The last part of every help: how it is called. */
export function examples(...lines: readonly string[]): string {
  return ['', 'Examples:', ...lines.map((line) => `  ${line}`)].join('\n');
}

/** For commands that work on the store. */
export const storeText = `
The store is the one that DATABASE_URL names, as for the service: sqlite:<path> or postgres://…
(sqlite:./data/service.db unless given).`;
