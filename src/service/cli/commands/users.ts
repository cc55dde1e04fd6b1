/** `concordat-service users`: creates users, such as the first admin of a deployment. */

import { Command } from 'commander';
import { type Terminal, examples, print, printJson } from '@concordat/runtime/terminal';
import { storeHelp } from '../shared/store-help.js';

interface CreateOptions {
  readonly email: string;
  readonly name?: string;
  readonly admin?: true;
  readonly json?: true;
}

export function usersCommand(terminal: Terminal): Command {
  return new Command('users')
    .description('Manages the users of the store.')
    .summary('create users')
    .addHelpText('after', examples('concordat-service users create --email ada@example.com --admin'))
    .addCommand(createCommand(terminal));
}

function createCommand(terminal: Terminal): Command {
  return new Command('create')
    .summary('create a user')
    .description(
      'Creates an active user. Prompts for the password, or reads it as one line from standard input; a password in an argument could be read by other users.',
    )
    .requiredOption('--email <address>', 'the address to sign in with')
    .option('--name <name>', 'the name (default: the part of the address before the @)')
    .option('--admin', 'create an admin')
    .option('--json', 'print {"id", "email", "role"} as JSON')
    .addHelpText(
      'after',
      storeHelp(
        'concordat-service users create --email ada@example.com --name "Ada Lovelace" --admin',
        'concordat-service users create --email ada@example.com < password.txt',
      ),
    )
    .action(async ({ email, name = email.replace(/@.*/, ''), admin, json }: CreateOptions) => {
      const [
        { withStore },
        { readPassword },
        { operatorServices },
        { noUserDetails, operator },
        { argon2Hasher },
      ] = await Promise.all([
        import('../shared/with-store.js'),
        import('../shared/read-password.js'),
        import('../../open/operator-services.js'),
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
          ...noUserDetails,
          role,
          status: undefined,
        }),
      );
      if (json) printJson(terminal, { id, email, role });
      else print(terminal, `Created the ${role} ${email}, id ${id}`);
    });
}
