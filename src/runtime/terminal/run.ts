/** Runs a command-line program made with commander, and handles its help, output, failures and exit code. */

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
    .showHelpAfterError(`See ${pathOf(command)} --help.`);
  for (const child of command.commands) writeTo(child, terminal, refuse);
}

/** The program with the names of its commands: `concordat-service users create`. */
function pathOf(command: ProgramCommand): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

/** Runs a program in this process, and sets the exit code of the process. */
export async function runProcess(run: (parameters: readonly string[]) => Promise<number>): Promise<void> {
  // The reader of the output may stop early, like `head`. The exit code is 128 plus the number of SIGPIPE, as in shells.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(128 + 13);
    throw error;
  });
  process.exitCode = await run(process.argv.slice(2));
  // A command that failed, or was stopped, may have left a handle open, which would keep the process running. The output is written first.
  setTimeout(() => process.stdout.write('', () => process.exit()), 1000).unref();
}

export function examples(...lines: readonly string[]): string {
  return ['', 'Examples:', ...lines.map((line) => `  ${line}`)].join('\n');
}

/** The exit codes of the programs. */
export const exitCodes = {
  done: 0,
  /** The work failed, or its input was refused. */
  failed: 1,
  /** The command was called with wrong arguments. */
  usage: 2,
  /** The work could not decide what it was asked. */
  undecided: 3,
  /** The user stopped it at a prompt: 128 plus the number of SIGINT, as in shells. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Ends a command with a sentence that the user can act on. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = exitCodes.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Ends a command that was called with wrong arguments. */
export function usageFailure(message: string): CommandFailure {
  return new CommandFailure(message, exitCodes.usage);
}

/** The message and exit code for any thrown value, without its stack. */
export function explainFailure(error: unknown): { readonly message: string; readonly exitCode: ExitCode } {
  // By name, not by class: when a loader loads this file twice, a command may throw the other class.
  if (error instanceof Error && error.name === 'CommandFailure') return error as CommandFailure;
  // The parser has already printed its message, and showing help is not a failure.
  if (error instanceof Error && error.name === 'CommanderError') {
    const isDone = 'exitCode' in error && error.exitCode === 0;
    return { message: '', exitCode: isDone ? exitCodes.done : exitCodes.usage };
  }
  const { failed, usage } = exitCodes;
  if (!(error instanceof Error)) return { message: String(error), exitCode: failed };
  const exitCode = 'exitCode' in error && error.exitCode === usage ? usage : failed;
  return { message: missingPackage(error) ?? error.message, exitCode };
}

/** A message for a missing optional package: a project installs only those that its commands need. */
function missingPackage(error: Error): string | undefined {
  if (!('code' in error) || error.code !== 'ERR_MODULE_NOT_FOUND') return undefined;
  const name = /^Cannot find package '([^'./][^']*)'/.exec(error.message)?.[1];
  if (name === undefined) return undefined;
  return `This needs the package ${name}, which is not installed: npm install ${name}`;
}
