/** The commands that find, change and delete users of the store. Each change is in the audit log, as an action of the operator. */

import type { Caller, Services, Storage, User, UserFilter } from '@concordat/core';
import { type Command, Option } from 'commander';
import { type Terminal, CommandFailure, usageFailure } from '@concordat/runtime/terminal';
import { type Show, asOperator, storeCommands } from './with-store.js';

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
  readonly role?: string;
  readonly status?: string;
  readonly yes?: true;
}

/** The users' own texts, on one line and without characters that steer a terminal. */
const shown = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ');

function showUser(show: Show, user: User): void {
  const { id, name, email, phone, city, role, status, createdAt, updatedAt } = user;
  show([id, role, status, createdAt, shown(email), shown(name)].join('\t'), {
    ...{ id, name, email, phone, city, role, status, createdAt, updatedAt },
  });
}

type Fields = Partial<Pick<User, 'role' | 'status'> & { readonly password: string }>;

/** Changes some fields, and refuses where another writer has changed the user since. */
async function change({ users }: Services, by: Caller, user: User, fields: Fields): Promise<User> {
  return await users.update(by, user.id, fields, { ifVersion: [user.version] });
}

/** @returns the user after the change; undefined if there is none any more */
type Work = (services: Services, by: Caller, user: User, value: string) => Promise<User | undefined>;

/** @param readPassword - asks for a password, or reads it from standard input */
export function managingCommands(
  terminal: Terminal,
  readPassword: () => Promise<string>,
): readonly Command[] {
  const command = storeCommands(terminal, USER_EXAMPLES);

  /** A command on one user. @param value - reads what the work needs beside the user */
  const onOne = (
    usage: string,
    summary: string,
    work: Work,
    value: (given: string | undefined, options: Options) => Promise<string> | string = () => '',
  ): Command =>
    command(usage, summary, async (show, options: Options, idOrEmail = '', given) => {
      const read = await value(given, options);
      const { argon2Hasher } = await import('@concordat/core/identity/argon2');
      await asOperator(
        terminal,
        async (services, by, storage) => {
          const user = await userOf(storage, idOrEmail);
          const after = await work(services, by, user, read);
          if (after !== undefined) showUser(show, after);
          else show(`The user ${user.id} is deleted`, { id: user.id });
        },
        { changesUsers: true, passwordHasher: argon2Hasher() },
      );
    });

  return [
    command('list', 'list users, ascending by id', async (show, { role, status }: Options) => {
      const filter: UserFilter = { role, status, city: undefined, email: undefined };
      await asOperator(terminal, async ({ users }, by) => {
        for (let cursor: string | null = ''; cursor !== null;) {
          const page = await users.listByCursor(by, filter, { cursor, limit: 100 });
          for (const user of page.data) showUser(show, user);
          cursor = page.pagination.nextCursor;
        }
      });
    })
      .addOption(new Option('--role <role>', 'only users with this role').choices(['user', 'admin']))
      .addOption(
        new Option('--status <status>', 'only users with this status').choices(['active', 'inactive']),
      ),
    onOne('show <user>', 'show a user', (_services, _by, user) => Promise.resolve(user)),
    onOne(
      'password <user>',
      'give a user a new password, which ends all sessions',
      (services, by, user, password) => change(services, by, user, { password }),
      readPassword,
    ),
    onOne(
      'role <user> <role>',
      'give a user the role user or admin',
      (services, by, user, given) => change(services, by, user, { role: given as User['role'] }),
      (given = '') => {
        if (given === 'user' || given === 'admin') return given;
        throw usageFailure(`The role must be user or admin, not ${given}.`);
      },
    ),
    onOne('activate <user>', 'let an inactive user sign in again', ({ users }, by, { id }) =>
      users.activate(by, id),
    ),
    onOne(
      'deactivate <user>',
      'end all sessions of a user, who cannot sign in any more',
      (services, by, user) => change(services, by, user, { status: 'inactive' }),
    ),
    onOne('end-sessions <user>', 'revoke all tokens of a user', async ({ users }, by, user) => {
      await users.endSessions(by, user.id);
      return user;
    }),
    onOne(
      'delete <user>',
      'delete a user with their posts, comments and API keys',
      async ({ users }, by, { id, version }) => {
        await users.delete(by, id, { ifVersion: [version] });
        return undefined;
      },
      (_given, { yes }) => {
        if (yes) return '';
        throw usageFailure('A deletion is final: confirm it with --yes.');
      },
    ).option('--yes', 'confirms it'),
  ];
}
