/** `concordat-service keys`: manages the API keys of services that call this one. */

import { Command } from 'commander';
import {
  type Terminal,
  counted,
  examples,
  print,
  printJson,
  usageFailure,
} from '@concordat/runtime/terminal';
import { userOf } from './manage-users.js';
import { asOperator, storeHelp } from './with-store.js';

interface JsonOption {
  readonly json?: true;
}

const EXAMPLES = [
  'concordat-service keys create --name reporting',
  'concordat-service keys list --json',
  'concordat-service keys revoke 3',
  'concordat-service keys revoke --all-of ada@example.com',
];

export function keysCommand(terminal: Terminal): Command {
  return new Command('keys')
    .summary('create, list and revoke API keys')
    .description('Manages the API keys of the store: the credentials of services that call this one.')
    .addHelpText('after', examples(...EXAMPLES))
    .addCommand(createCommand(terminal))
    .addCommand(listCommand(terminal))
    .addCommand(revokeCommand(terminal));
}

function createCommand(terminal: Terminal): Command {
  return new Command('create')
    .summary('create a key')
    .description('Creates a key and prints it. It cannot be shown again.')
    .requiredOption('--name <name>', 'the purpose of the key')
    .option('--json', 'print {"id", "name", "key"} as JSON')
    .addHelpText('after', storeHelp(...EXAMPLES))
    .action(async ({ name, json }: { readonly name: string } & JsonOption) => {
      const made = await asOperator(terminal, ({ apiKeys }, operator) => apiKeys.create(operator, { name }));
      const { apiKey, key } = made;
      if (json) printJson(terminal, { id: apiKey.id, name, key });
      else
        print(terminal, `${key}\nThe key ${name} has the id ${apiKey.id}. Keep it: it is not shown again.`);
    });
}

function listCommand(terminal: Terminal): Command {
  return new Command('list')
    .summary('list the keys')
    .description('Lists the keys, ascending by id. The secrets are not stored and not shown.')
    .option('--json', 'print one line of JSON per key')
    .addHelpText('after', storeHelp(...EXAMPLES))
    .action(async ({ json }: JsonOption) => {
      await asOperator(terminal, async ({ apiKeys }, operator) => {
        for (let page = 1, hasNext = true; hasNext; page++) {
          const found = await apiKeys.list(operator, { page, limit: 100 });
          hasNext = found.pagination.hasNext;
          for (const { id, name, active, createdAt, lastUsedAt } of found.data) {
            if (json) printJson(terminal, { id, name, active, createdAt, lastUsedAt });
            else print(terminal, [id, active ? 'active' : 'revoked', createdAt, name].join('\t'));
          }
        }
      });
    });
}

function revokeCommand(terminal: Terminal): Command {
  return new Command('revoke')
    .summary('revoke a key, or all keys of a user')
    .description('Revokes keys at once and for good.')
    .argument('[id]', 'the id of the key')
    .option('--all-of <user>', 'revoke all keys that this user has created: an id or an email')
    .option('--json', 'print {"id", "active"} or {"userId", "revoked"} as JSON')
    .addHelpText('after', storeHelp(...EXAMPLES))
    .action(async (id: string | undefined, { allOf, json }: JsonOption & { readonly allOf?: string }) => {
      if ((id === undefined) === (allOf === undefined))
        throw usageFailure('Name either the id of a key, or a user with --all-of.');
      if (allOf !== undefined) await revokeAllOf(terminal, allOf, json);
      if (id === undefined) return;
      await asOperator(terminal, ({ apiKeys }, operator) => apiKeys.deactivate(operator, id));
      if (json) printJson(terminal, { id, active: false });
      else print(terminal, `The key ${id} is revoked`);
    });
}

async function revokeAllOf(terminal: Terminal, idOrEmail: string, json: true | undefined): Promise<void> {
  const { userId, revoked } = await asOperator(terminal, async ({ apiKeys }, operator, storage) => {
    const { id } = await userOf(storage, idOrEmail);
    return { userId: id, revoked: await apiKeys.deactivateAllOf(operator, id) };
  });
  if (json) printJson(terminal, { userId, revoked });
  else print(terminal, `${counted(revoked, 'key')} of the user ${userId} revoked`);
}
