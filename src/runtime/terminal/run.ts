/** Runs a command-line program made with commander, and handles its help, output, failures and exit code. */

import { exitCodes, explainFailure } from './command-failure.js';
import type { Terminal } from './terminal.js';

/** The part of commander's `Command` that is used here. The programs depend on commander; this package does not. */
export interface ProgramCommand {
  readonly commands: readonly ProgramCommand[];
  readonly parent: ProgramCommand | null;
  name(): string;
  exitOverride(): this;
  configureOutput(output: {
    writeOut(text: string): void;
    writeErr(text: string): void;
    getOutHelpWidth(): number;
    getErrHelpWidth(): number;
    outputError(text: string, write: (text: string) => void): void;
  }): this;
  showHelpAfterError(hint: string): this;
  parseAsync(parameters: readonly string[], options: { readonly from: 'user' }): Promise<unknown>;
}

/**
 * Runs a program to its end. A failure is a sentence on stderr. With `--json` or `--format json` it is one line of JSON on stderr: `{"error"}`, with
 * `problems` if the contract has any.
 *
 * @param parameters - the arguments after the program's name
 * @returns the exit code: 0 done, 1 failed or refused, 2 wrong usage, 3 undecided, 130 stopped at a prompt
 */
export async function runCommand(
  root: ProgramCommand,
  parameters: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const { stderr } = terminal;
  // Arguments after `--` are not options.
  const options = parameters.slice(0, [...parameters, '--'].indexOf('--'));
  const isJson = /(?:^| )--(?:json|format[ =]json)(?: |$)/.test(options.join(' '));
  const refusals: string[] = [];
  try {
    writeTo(root, terminal, isJson ? (text) => refusals.push(text.trim().replace(/\.?$/, '.')) : undefined);
    await root.parseAsync(parameters, { from: 'user' });
    return 0;
  } catch (error) {
    const { message, exitCode } = explainFailure(error);
    if (isJson && exitCode !== exitCodes.done) {
      const problems = error instanceof Error && 'problems' in error ? { problems: error.problems } : {};
      stderr.write(`${JSON.stringify({ error: message || refusals.join(' '), ...problems })}\n`);
    } else if (message !== '') stderr.write(`${message}\n`);
    return exitCode;
  }
}

/** The exit codes, as the last part of a program's help. */
export const exitCodeHelp = `
Exit codes:
  0    done
  1    failed, or something was refused
  2    not called as the help says
  130  stopped at a prompt`;

/**
 * Makes every command write to the terminal, and throw instead of ending the process.
 *
 * @param refuse - gets the error messages of the parser, instead of stderr
 */
function writeTo(command: ProgramCommand, terminal: Terminal, refuse?: (text: string) => void): void {
  const { stdout, stderr } = terminal;
  command
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: refuse ?? ((text) => void stderr.write(text)),
      getOutHelpWidth: () => stdout.columns ?? 100,
      getErrHelpWidth: () => stderr.columns ?? 100,
      outputError: (text, write) =>
        write(text.replace(/^error: (.)/, (_, first: string) => first.toUpperCase())),
    })
    .showHelpAfterError(`See ${nameOfRoot(command)} help.`);
  for (const child of command.commands) writeTo(child, terminal, refuse);
}

function nameOfRoot(command: ProgramCommand): string {
  return command.parent === null ? command.name() : nameOfRoot(command.parent);
}

/** Runs a program in this process, and sets the exit code of the process. */
export async function runProcess(run: (parameters: readonly string[]) => Promise<number>): Promise<void> {
  // The reader of the output may stop early, like `head`. The exit code is 128 plus the number of SIGPIPE, as in shells.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(128 + 13);
    throw error;
  });
  process.exitCode = await run(process.argv.slice(2));
  // A failed command may have left a handle open, which would keep the process running.
  if (process.exitCode !== 0) setTimeout(() => process.exit(), 1000).unref();
}

export function examples(...lines: readonly string[]): string {
  return ['', 'Examples:', ...lines.map((line) => `  ${line}`)].join('\n');
}
