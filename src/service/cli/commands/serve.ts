/** `concordat-service serve`: runs the service until a signal stops it. */

import { Command } from 'commander';
import { type Terminal, examples } from '@concordat/runtime/terminal';

export function serveCommand(terminal: Terminal): Command {
  return new Command('serve')
    .summary('run the service')
    .description(
      'Runs the service until SIGINT or SIGTERM. Every setting is read from the environment; the README lists them.',
    )
    .option('--no-migrate', 'do not start on a store that lacks migrations, instead of running them')
    .option(
      '--contract <file>',
      'an overlay that extends the contract with stored fields; needs npm install concordat',
    )
    .addHelpText(
      'after',
      examples(
        'concordat-service serve',
        'concordat-service serve --contract stock.yaml',
        'PORT=8080 DATABASE_URL=postgres://concordat@localhost/concordat concordat-service serve',
      ),
    )
    .action(async (options: { readonly migrate: boolean; readonly contract?: string }) => {
      const stopped = terminal.untilStopped();
      const { runService } = await import('./run-service.js');
      await runService(terminal, stopped, options);
    });
}
