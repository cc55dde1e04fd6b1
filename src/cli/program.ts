/** The program `concordat`: its commands, how they are called, and what becomes of their failures. */

import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { explainFailure } from './command-failure.js';
import { checkCommand } from './commands/check.js';
import { exportCommand } from './commands/export.js';
import { generateCommand } from './commands/generate.js';
import { examples } from './commands/help-text.js';
import { importCommand } from './commands/import.js';
import { keysCommand } from './commands/keys.js';
import { migrateCommand } from './commands/migrate.js';
import { mockCommand } from './commands/mock.js';
import { serveCommand } from './commands/serve.js';
import { usersCommand } from './commands/users.js';
import type { Terminal } from './terminal.js';

/**
 * Runs a command to its end. Without one it runs the service.
 *
 * @param parameters what stands behind the program's name
 * @returns the exit code: 0 done, 1 failed or refused, 2 called wrongly, 130 stopped at a prompt
 */
export async function runProgram(parameters: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const given = parameters.length > 0 ? parameters : ['serve'];
    await program(terminal).parseAsync(given, { from: 'user' });
    return 0;
  } catch (error) {
    const { message, exitCode } = explainFailure(error);
    if (message !== '') terminal.stderr.write(`${message}\n`);
    return exitCode;
  }
}

function program(terminal: Terminal): Command {
  const commands = [
    serveCommand(terminal),
    migrateCommand(terminal),
    usersCommand(terminal),
    keysCommand(terminal),
    importCommand(terminal),
    exportCommand(terminal),
    generateCommand(terminal),
    checkCommand(terminal),
    mockCommand(terminal),
  ];
  const root = new Command('concordat')
    .description('Generates from OpenAPI and GraphQL contracts, and runs the service.')
    .version(version(), '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command');
  for (const command of commands) root.addCommand(command);
  root.addHelpText('after', EXIT_CODES);
  root.addHelpText('after', examples('concordat', 'concordat users create --admin', 'concordat help import'));
  speakThrough(root, terminal);
  return root;
}

const EXIT_CODES = `
Without a command, concordat runs the service.

Exit codes:
  0    done
  1    failed, or something was refused
  2    not called as the help says
  130  stopped at a prompt`;

/** Every command writes where it was told to and throws where it would end the process. */
function speakThrough(command: Command, terminal: Terminal): void {
  const { stdout, stderr } = terminal;
  command
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      getOutHelpWidth: () => stdout.columns ?? 100,
      getErrHelpWidth: () => stderr.columns ?? 100,
      outputError: (text, write) =>
        write(text.replace(/^error: (.)/, (_, first: string) => first.toUpperCase())),
    })
    .showHelpAfterError('See concordat help.');
  for (const child of command.commands) speakThrough(child, terminal);
}

/** The package stands two directories above its compiled program, and one less above its source. */
function version(): string {
  for (const place of ['../../../package.json', '../../package.json']) {
    try {
      const { name, version } = JSON.parse(readFileSync(new URL(place, import.meta.url), 'utf8')) as Manifest;
      if (name === 'concordat') return version;
    } catch {
      // Not there: the other place.
    }
  }
  return 'unknown';
}

interface Manifest {
  readonly name: string;
  readonly version: string;
}
