/** `concordat users`: the users of the store; how a deployment gets its first admin. */

import { Command } from 'commander';
import { type Terminal, examples, print, printJson } from 'concordat/terminal';
import { storeText } from './store-text.js';

interface CreateOptions {
  readonly email: string;
  readonly name?: string;
  readonly admin?: true;
  readonly json?: true;
}

export function usersCommand(terminal: Terminal): Command {
  return new Command('users')
    .description('Works on the users of the store.')
    .summary('make users')
    .addHelpText('after', examples('concordat users create --email ada@example.com --admin'))
    .addCommand(createCommand(terminal));
}

function createCommand(terminal: Terminal): Command {
  return new Command('create')
    .summary('make a user')
    .description(
      'Makes an active user. Asks for the password, or reads it as one line from what is piped in; it is never an argument, where others could read it.',
    )
    .requiredOption('--email <address>', 'the address to sign in with')
    .option('--name <name>', 'the name (default: what stands before the @)')
    .option('--admin', 'make an admin')
    .option('--json', 'print {"id", "email", "role"} as JSON')
    .addHelpText('after', storeText)
    .addHelpText(
      'after',
      examples(
        'concordat users create --email ada@example.com --name "Ada Lovelace" --admin',
        'concordat users create --email ada@example.com < password.txt',
      ),
    )
    .action(async ({ email, name = email.replace(/@.*/, ''), admin, json }: CreateOptions) => {
      const [{ withStore }, { readPassword }, { operatorServices }, { operator }, { argon2Hasher }] =
        await Promise.all([
          import('../with-store.js'),
          import('../read-password.js'),
          import('../operator-services.js'),
          import('@concordat/core'),
          import('@concordat/core/identity/argon2'),
        ]);
      const password = await readPassword(terminal);
      const role = admin ? 'admin' : 'user';
      const { id } = await withStore(terminal, ({ storage }) =>
        operatorServices(storage, { passwordHasher: argon2Hasher() }).users.create(operator, {
          name,
          email,
          password,
          role,
        }),
      );
      if (json) printJson(terminal, { id, email, role });
      else print(terminal, `Made ${admin ? 'the admin' : 'the user'} ${email}, id ${id}`);
    });
}
