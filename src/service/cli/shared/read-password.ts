/** Reads a new password: at a prompt that does not show it, or from standard input; never from an argument. */

import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { type Terminal, CommandFailure, exitCodes } from '@concordat/runtime/terminal';

/** No password is longer, so reading can stop here. */
const MAX_CHARACTERS = 1_000;

/** @throws CommandFailure when the two entries differ, and for empty input */
export async function readPassword(terminal: Terminal): Promise<string> {
  return terminal.stdin.isTTY === true ? await promptTwice(terminal) : await readPiped(terminal);
}

async function promptTwice({ stdin, stderr }: Terminal): Promise<string> {
  // The typed text is neither shown nor kept in a history.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output, terminal: true, historySize: 0 });
  const typed = lines[Symbol.asyncIterator]();
  let ending = 'No password.';
  lines.once('SIGINT', () => {
    ending = 'Stopped.';
    lines.close();
  });
  const ask = async (question: string): Promise<string> => {
    stderr.write(`${question} `);
    const line = await typed.next();
    stderr.write('\n');
    if (line.done === true) throw new CommandFailure(ending, exitCodes.interrupted);
    return line.value;
  };
  try {
    const first = await ask('Password:');
    if (first !== (await ask('The same again:')))
      throw new CommandFailure('The two passwords are not the same.');
    return first;
  } finally {
    lines.close();
  }
}

/** Reads one line, without its line ending. */
async function readPiped({ stdin }: Terminal): Promise<string> {
  let text = '';
  for await (const chunk of stdin.setEncoding('utf8') as AsyncIterable<string>) {
    text += chunk;
    if (text.includes('\n') || text.length > MAX_CHARACTERS) break;
  }
  const [line = ''] = text.split(/\r?\n/, 1);
  if (line === '') {
    throw new CommandFailure(
      'No password: type it at the prompt, or pipe it in as one line.',
      exitCodes.usage,
    );
  }
  return line;
}
