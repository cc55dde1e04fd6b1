/** The commands that find, change and delete users of the store. Each change is in the audit log, as an action of the operator. */

import type { Caller, Services, Storage, User, UserFilter } from '@concordat/core';
import { Command, Option } from 'commander';
import { type Terminal, CommandFailure, print, printJson, usageFailure } from '@concordat/runtime/terminal';
import { asOperator, storeHelp } from './with-store.js';

export const USER_EXAMPLES = [
  'concordat-service users list --role admin',
  'concordat-service users show ada@example.com',
  'concordat-service users password ada@example.com < password.txt',
  'concordat-service users role ada@example.com admin',
  'concordat-service users deactivate 5',
];

/** @param idOrEmail - what a person calls a user @throws CommandFailure when there is no such user */
export async function userOf({ users }: Storage, idOrEmail: string): Promise<User> {
  const found = idOrEmail.includes('@')
    ? (await users.findCredentials(idOrEmail))?.user
    : await users.find(idOrEmail);
  if (found === undefined) throw new CommandFailure(`There is no user ${idOrEmail}`);
  return found;
}

interface Options {
  readonly json?: true;
  readonly role?: string;
  readonly status?: string;
  readonly yes?: true;
}

/** The users' own texts, on one line and without characters that steer a terminal. */
const shown = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ');

function line({ id, role, status, createdAt, email, name }: User): string {
  return [id, role, status, createdAt, shown(email), shown(name)].join('\t');
}

const recordOf = ({ id, name, email, phone, city, role, status, createdAt, updatedAt }: User) => ({
  ...{ id, name, email, phone, city, role, status, createdAt, updatedAt },
});

type Fields = Partial<Pick<User, 'role' | 'status'> & { readonly password: string }>;

/** Changes some fields, and refuses where another writer has changed the user since. */
async function change({ users }: Services, by: Caller, user: User, fields: Fields): Promise<User> {
  return await users.update(by, user.id, fields, { ifVersion: [user.version] });
}

const ARGUMENTS: Readonly<Record<string, string>> = {
  '<user>': 'an id or an email',
  '<role>': 'user or admin',
};

/** @returns the user after the change; undefined if there is none any more */
type Work = (services: Services, by: Caller, user: User, value: string) => Promise<User | undefined>;

/** @param readPassword - asks for a password, or reads it from standard input */
export function managingCommands(
  terminal: Terminal,
  readPassword: () => Promise<string>,
): readonly Command[] {
  const made = (usage: string, summary: string): Command => {
    const [name = '', ...parameters] = usage.split(' ');
    const command = new Command(name)
      .summary(summary)
      .description(`${summary.replace(/^./, (first) => first.toUpperCase())}.`)
      .option('--json', 'print one line of JSON per user')
      .addHelpText('after', storeHelp(...USER_EXAMPLES));
    for (const each of parameters) command.argument(each, ARGUMENTS[each]);
    return command;
  };
  const shows = (user: User, json: true | undefined): void => {
    if (json) printJson(terminal, recordOf(user));
    else print(terminal, line(user));
  };

  /** A command on one user. @param value - reads what the work needs beside the user */
  const onOne = (
    command: Command,
    work: Work,
    value: (given: string | undefined, options: Options) => Promise<string> | string = () => '',
  ): Command => {
    const run = async (idOrEmail: string, given: string | undefined, options: Options): Promise<void> => {
      const read = await value(given, options);
      const { argon2Hasher } = await import('@concordat/core/identity/argon2');
      const use = { changesUsers: true, passwordHasher: argon2Hasher() };
      const [before, after] = await asOperator(
        terminal,
        async (services, by, storage) => {
          const user = await userOf(storage, idOrEmail);
          return [user, await work(services, by, user, read)] as const;
        },
        use,
      );
      if (after !== undefined) shows(after, options.json);
      else if (options.json) printJson(terminal, { id: before.id });
      else print(terminal, `The user ${before.id} is deleted`);
    };
    return command.action((...given: readonly unknown[]) => {
      // Commander passes the arguments, the options and the command.
      const [idOrEmail, second] = given as readonly string[];
      return run(String(idOrEmail), given.length > 3 ? second : undefined, command.opts());
    });
  };

  const list = made('list', 'list users, ascending by id')
    .addOption(new Option('--role <role>', 'only users with this role').choices(['user', 'admin']))
    .addOption(new Option('--status <status>', 'only users with this status').choices(['active', 'inactive']))
    .action(async ({ json, role, status }: Options) => {
      const filter: UserFilter = { role, status, city: undefined, email: undefined };
      await asOperator(terminal, async ({ users }, by) => {
        for (let cursor: string | null = ''; cursor !== null;) {
          const page = await users.listByCursor(by, filter, { cursor, limit: 100 });
          for (const user of page.data) shows(user, json);
          cursor = page.pagination.nextCursor;
        }
      });
    });

  const role = made('role <user> <role>', 'give a user the role user or admin');
  return [
    list,
    onOne(made('show <user>', 'show a user'), (_services, _by, user) => Promise.resolve(user)),
    onOne(
      made('password <user>', 'give a user a new password, which ends all sessions'),
      (services, by, user, password) => change(services, by, user, { password }),
      readPassword,
    ),
    onOne(
      role,
      (services, by, user, given) => change(services, by, user, { role: given as User['role'] }),
      (given = '') => {
        if (given === 'user' || given === 'admin') return given;
        throw usageFailure(`The role must be user or admin, not ${given}.`);
      },
    ),
    onOne(made('activate <user>', 'let an inactive user sign in again'), ({ users }, by, { id }) =>
      users.activate(by, id),
    ),
    onOne(
      made('deactivate <user>', 'end all sessions of a user, who cannot sign in any more'),
      (services, by, user) => change(services, by, user, { status: 'inactive' }),
    ),
    onOne(made('end-sessions <user>', 'revoke all tokens of a user'), async ({ users }, by, user) => {
      await users.endSessions(by, user.id);
      return user;
    }),
    onOne(
      made('delete <user>', 'delete a user with their posts, comments and API keys').option(
        '--yes',
        'confirms it',
      ),
      async ({ users }, by, { id, version }) => {
        await users.delete(by, id, { ifVersion: [version] });
        return undefined;
      },
      (_given, { yes }) => {
        if (yes) return '';
        throw usageFailure('A deletion is final: confirm it with --yes.');
      },
    ),
  ];
}
