/** `concordat-service users`: manages users, such as the first admin of a deployment. */

import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import {
  type Terminal,
  CommandFailure,
  examples,
  exitCodes,
  usageFailure,
} from '@concordat/runtime/terminal';
import { Command } from 'commander';
import { managingCommands, USER_EXAMPLES } from './manage-users.js';
import { asOperator, storeCommands } from './with-store.js';

interface CreateOptions {
  readonly email: string;
  readonly name?: string;
  readonly admin?: true;
}

export function usersCommand(terminal: Terminal): Command {
  const command = new Command('users')
    .description('Manages the users of the store.')
    .summary('create, find, change and delete users')
    .addHelpText('after', examples(...USER_EXAMPLES))
    .addCommand(createCommand(terminal));
  for (const each of managingCommands(terminal, () => readPassword(terminal))) command.addCommand(each);
  return command;
}

async function readPassword(terminal: Terminal): Promise<string> {
  return terminal.stdin.isTTY === true ? await promptTwice(terminal) : await readPiped(terminal);
}

function createCommand(terminal: Terminal): Command {
  const command = storeCommands(terminal, [
    'concordat-service users create --email ada@example.com --name "Ada Lovelace" --admin',
    'concordat-service users create --email ada@example.com < password.txt',
  ]);
  return command(
    'create',
    'create a user',
    async (show, { email, name = email.replace(/@.*/, ''), admin }: CreateOptions) => {
      const { argon2Hasher } = await import('@concordat/core/identity/argon2');
      const password = await readPassword(terminal);
      const role = admin ? 'admin' : 'user';
      const input = { name, email, password, role } as const;
      const { id } = await asOperator(terminal, ({ users }, operator) => users.create(operator, input), {
        passwordHasher: argon2Hasher(),
      });
      show(`Created the ${role} ${email}, id ${id}`, { id, email, role });
    },
  )
    .description(
      'Creates an active user. Prompts for the password, or reads it as one line from standard input; a password in an argument could be read by other users.',
    )
    .requiredOption('--email <address>', 'the address to sign in with')
    .option('--name <name>', 'the name (default: the part of the address before the @)')
    .option('--admin', 'create an admin');
}

/** No password is longer, so reading can stop here. */
const MAX_CHARACTERS = 1_000;

/** Reads a password at a prompt that does not show it. @throws CommandFailure when the two entries differ */
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

/** Reads a password from one line, without its line ending. @throws CommandFailure for an empty line */
async function readPiped({ stdin }: Terminal): Promise<string> {
  let text = '';
  for await (const chunk of stdin.setEncoding('utf8') as AsyncIterable<string>) {
    text += chunk;
    if (text.includes('\n') || text.length > MAX_CHARACTERS) break;
  }
  const [line = ''] = text.split(/\r?\n/, 1);
  if (line === '') throw usageFailure('No password: type it at the prompt, or pipe it in as one line.');
  return line;
}
