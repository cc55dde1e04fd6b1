/** The help of the commands that work on the store. */

import { examples } from '@concordat/runtime/terminal';

/** How to name the store, and examples of the command. */
export function storeHelp(...commands: readonly string[]): string {
  return `
DATABASE_URL names the store, as for the service: sqlite:<path> or postgres://…
(default: sqlite:./data/service.db).
${examples(...commands)}`;
}
