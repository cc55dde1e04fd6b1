/** The entry point `@concordat/tools`: the commands that the program `concordat` loads when one of them runs. */

import type { Terminal } from '@concordat/runtime/terminal';
import { bridgeCommand } from './cli/bridge.js';
import { coverageCommand } from './cli/coverage.js';
import { diffCommand } from './cli/diff.js';
import { mockCommand } from './cli/mock.js';
import { proxyCommand } from './cli/proxy.js';
import { recordCommand } from './cli/record.js';
import { verifyCommand } from './cli/verify.js';

export { needlessAcceptances } from './cli/diff.js';

/**
 * The commands `diff`, `bridge`, `mock`, `verify`, `record`, `proxy` and `coverage`, in the order in which the help lists them.
 *
 * @param terminal - the terminal of a program of the same version; its type is not published
 */
export function toolCommands(terminal: unknown): readonly object[] {
  return [
    diffCommand,
    bridgeCommand,
    mockCommand,
    verifyCommand,
    recordCommand,
    proxyCommand,
    coverageCommand,
  ].map((command) => command(terminal as Terminal));
}
