/** How a command ends that did not do what it was asked: a sentence for stderr, and a code for the shell. */

/** What the shell is told. */
export const exitCodes = {
  done: 0,
  /** The work failed, or what was given to work on was refused. */
  failed: 1,
  /** The command was not called as its help says. */
  usage: 2,
  /** The person stopped it at a prompt: 128 and the number of SIGINT, as shells have it. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Ends a command with a sentence that a person can act on. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = exitCodes.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** What to tell about anything that was thrown; where in the code it happened is told to nobody. */
export function explainFailure(error: unknown): { readonly message: string; readonly exitCode: ExitCode } {
  if (isCommandFailure(error)) return error;
  // The parser has said it already, and its help is no failure.
  if (error instanceof Error && error.name === 'CommanderError') {
    const isDone = 'exitCode' in error && error.exitCode === 0;
    return { message: '', exitCode: isDone ? exitCodes.done : exitCodes.usage };
  }
  const { failed, interrupted } = exitCodes;
  if (!(error instanceof Error)) return { message: String(error), exitCode: failed };
  if (error.name === 'ExitPromptError') return { message: 'Stopped.', exitCode: interrupted };
  return { message: missingPackage(error) ?? error.message, exitCode: failed };
}

/** By name: where a loader has this file twice, a command that is loaded late throws the other class. */
function isCommandFailure(error: unknown): error is CommandFailure {
  return error instanceof Error && error.name === 'CommandFailure';
}

/** What each command stands on is optional: a project installs what it uses. */
function missingPackage(error: Error): string | undefined {
  if (!('code' in error) || error.code !== 'ERR_MODULE_NOT_FOUND') return undefined;
  const name = /^Cannot find package '([^'./][^']*)'/.exec(error.message)?.[1];
  if (name === undefined) return undefined;
  return `This needs the package ${name}, which is not installed: npm install ${name}`;
}
