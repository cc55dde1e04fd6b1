/** The entry point `@concordat/tools`: the commands that the program `concordat` loads when one of them runs. */

import type { Terminal } from '@concordat/runtime/terminal';
import { coverageCommand } from './cli/coverage.js';
import { diffCommand } from './cli/diff.js';
import { mockCommand } from './cli/mock.js';
import { recordCommand } from './cli/record.js';
import { verifyCommand } from './cli/verify.js';

export { needlessAcceptances } from './cli/diff.js';

/**
 * The commands `diff`, `mock`, `verify`, `record` and `coverage`, in the order in which the help lists them.
 *
 * @param terminal - the terminal of a program of the same version; its type is not published
 */
export function toolCommands(terminal: unknown): readonly object[] {
  return [diffCommand, mockCommand, verifyCommand, recordCommand, coverageCommand].map((command) =>
    command(terminal as Terminal),
  );
}
