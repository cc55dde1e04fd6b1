/** The program `concordat` and its commands. */

import { createRequire } from 'node:module';
import { Command } from 'commander';
import { type Terminal, examples, exitCodeHelp, runCommand } from '@concordat/runtime/terminal';
import { configCommand } from './config.js';
import { docsCommand } from './docs.js';
import { checkCommand, generateCommand } from './generate.js';
import { initCommand } from './init.js';
import { settingsOf } from './settings.js';
import { addTools } from './tools.js';

const { version } = createRequire(import.meta.url)('concordat/package.json') as {
  readonly version: string;
};

/** Runs a command to its end. @returns the exit code */
export async function runProgram(parameters: readonly string[], terminal: Terminal): Promise<number> {
  const root = new Command('concordat')
    .description(
      'Starts projects from OpenAPI and GraphQL contracts, generates their code, compares their versions, serves an old version from a new one, serves their examples, verifies servers, checks their traffic, records a first contract of a server, says what is used of a contract, and shows the guides.',
    )
    .version(version, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', exitCodeHelp)
    .addHelpText('after', examples('concordat generate --openapi openapi.yaml', 'concordat help mock'));
  // Each command reads `codegen.ts` when it needs it.
  root.hook('preAction', (_, command) => {
    command.setOptionValue('apis', (isContractNamed?: boolean) => settingsOf(command, isContractNamed));
  });
  for (const command of [generateCommand, checkCommand]) root.addCommand(command(terminal));
  if (!OWN_COMMANDS.includes(parameters[0] ?? '')) await addTools(root, terminal);
  root.addCommand(docsCommand(terminal));
  root.addCommand(configCommand(terminal, root));
  root.addCommand(initCommand(terminal, version));
  return await runCommand(root, parameters.length > 0 ? parameters : ['help'], terminal);
}

/** The commands that need no tools, which take time to load. */
const OWN_COMMANDS = ['generate', 'check', 'init', 'docs', '--version', '-v'];
