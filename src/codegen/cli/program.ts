/** The program `concordat` and its commands. */

import { createRequire } from 'node:module';
import { Command } from 'commander';
import { type Terminal, examples, exitCodeHelp, runCommand } from '@concordat/runtime/terminal';
import { checkCommand, generateCommand } from './generate.js';
import { diffCommand } from '../../tools/cli/diff.js';
import { docsCommand } from './docs.js';
import { initCommand } from './init.js';
import { mockCommand } from '../../tools/cli/mock.js';
import { recordCommand } from '../../tools/cli/record.js';
import { verifyCommand } from '../../tools/cli/verify.js';

const { version } = createRequire(import.meta.url)('concordat/package.json') as {
  readonly version: string;
};

/** Runs a command to its end. @returns the exit code */
export async function runProgram(parameters: readonly string[], terminal: Terminal): Promise<number> {
  const root = new Command('concordat')
    .description(
      'Starts projects from OpenAPI and GraphQL contracts, generates their code, compares their versions, serves their examples, verifies servers, records a first contract of a server, and shows the guides.',
    )
    .version(version, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', exitCodeHelp)
    .addHelpText('after', examples('concordat generate --openapi openapi.yaml', 'concordat help mock'));
  for (const command of [
    generateCommand,
    checkCommand,
    diffCommand,
    mockCommand,
    verifyCommand,
    recordCommand,
    docsCommand,
  ])
    root.addCommand(command(terminal));
  root.addCommand(initCommand(terminal, version));
  return await runCommand(root, parameters.length > 0 ? parameters : ['help'], terminal);
}
