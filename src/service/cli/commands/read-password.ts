/** Reads a new password: at a prompt that does not show it, or from standard input; never from an argument. */

import { type Terminal, CommandFailure, exitCodes } from 'concordat/terminal';

/** No password is longer, so reading can stop here. */
const MAX_CHARACTERS = 1_000;

/** @throws CommandFailure when the two entries differ, and for empty input */
export async function readPassword(terminal: Terminal): Promise<string> {
  return terminal.stdin.isTTY === true ? await promptTwice(terminal) : await readPiped(terminal);
}

async function promptTwice({ stdin, stderr }: Terminal): Promise<string> {
  const { default: password } = await import('@inquirer/password');
  const streams = { input: stdin, output: stderr };
  const first = await password({ message: 'Password:' }, streams);
  const second = await password({ message: 'The same again:' }, streams);
  if (first !== second) throw new CommandFailure('The two passwords are not the same.');
  return first;
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
