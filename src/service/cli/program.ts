/** The program `concordat-service`. */

import { type Terminal, explainFailure } from '@concordat/runtime/terminal';

/** Runs a command to its end; without a command, it runs the service. @returns the exit code */
export async function runProgram(parameters: readonly string[], terminal: Terminal): Promise<number> {
  if (parameters.length > 0) {
    const { runNamedCommand } = await import('./commands.js');
    return await runNamedCommand(parameters, terminal);
  }
  // As the command `serve`, without its parser, which takes a tenth of the CPU time until the first response.
  const stopped = terminal.untilStopped();
  const { runService } = await import('./commands/run-service.js');
  try {
    await runService(terminal, stopped, { migrate: true });
    return 0;
  } catch (error) {
    const { message, exitCode } = explainFailure(error);
    if (message !== '') terminal.stderr.write(`${message}\n`);
    return exitCode;
  }
}
