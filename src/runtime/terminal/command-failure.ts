/** Failures of commands: a sentence for stderr, and an exit code. */

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

/** The message and exit code for any thrown value, without its stack. */
export function explainFailure(error: unknown): { readonly message: string; readonly exitCode: ExitCode } {
  if (isCommandFailure(error)) return error;
  // The parser has already printed its message, and showing help is not a failure.
  if (error instanceof Error && error.name === 'CommanderError') {
    const isDone = 'exitCode' in error && error.exitCode === 0;
    return { message: '', exitCode: isDone ? exitCodes.done : exitCodes.usage };
  }
  const { failed } = exitCodes;
  if (!(error instanceof Error)) return { message: String(error), exitCode: failed };
  return { message: missingPackage(error) ?? error.message, exitCode: failed };
}

/** Compares by name, not by class: when a loader loads this file twice, a command may throw the other class. */
function isCommandFailure(error: unknown): error is CommandFailure {
  return error instanceof Error && error.name === 'CommandFailure';
}

/** A message for a missing optional package: a project installs only those that its commands need. */
function missingPackage(error: Error): string | undefined {
  if (!('code' in error) || error.code !== 'ERR_MODULE_NOT_FOUND') return undefined;
  const name = /^Cannot find package '([^'./][^']*)'/.exec(error.message)?.[1];
  if (name === undefined) return undefined;
  return `This needs the package ${name}, which is not installed: npm install ${name}`;
}
