/** The commands of the program `concordat-service`. */

import { createRequire } from 'node:module';
import { Command } from 'commander';
import { type Terminal, examples, exitCodeHelp, runCommand } from '@concordat/runtime/terminal';
import { auditCommand } from './commands/audit.js';
import { backupCommand, restoreCommand } from './commands/backup.js';
import { deliverCommand } from './commands/deliver.js';
import { exportCommand } from './commands/export.js';
import { importCommand } from './commands/import.js';
import { keysCommand } from './commands/keys.js';
import { mcpCommand } from './commands/mcp.js';
import { migrateCommand } from './commands/migrate.js';
import { serveCommand } from './commands/serve.js';
import { sessionsCommand } from './commands/sessions.js';
import { usersCommand } from './commands/users.js';
import { webhooksCommand } from './commands/webhooks.js';

const commands = [
  serveCommand,
  deliverCommand,
  migrateCommand,
  usersCommand,
  keysCommand,
  webhooksCommand,
  sessionsCommand,
  importCommand,
  exportCommand,
  auditCommand,
  backupCommand,
  restoreCommand,
  mcpCommand,
];

const { version } = createRequire(import.meta.url)('@concordat/service/package.json') as {
  readonly version: string;
};

/** Runs a command to its end. @returns the exit code */
export async function runNamedCommand(parameters: readonly string[], terminal: Terminal): Promise<number> {
  const root = new Command('concordat-service')
    .description('Runs the service, and works on its store.')
    .version(version, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', `\nWithout a command, concordat-service runs the service.\n${exitCodeHelp}`)
    .addHelpText(
      'after',
      examples(
        'concordat-service',
        'concordat-service users create --admin',
        'concordat-service help import',
      ),
    );
  for (const command of commands) root.addCommand(command(terminal));
  return await runCommand(root, parameters, terminal);
}
