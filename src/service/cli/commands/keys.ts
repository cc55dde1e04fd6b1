/** `concordat-service keys`: manages the API keys of services that call this one. */

import { Command } from 'commander';
import { type Terminal, counted, examples, usageFailure } from '@concordat/runtime/terminal';
import { userOf } from './manage-users.js';
import { asOperator, storeCommands } from './with-store.js';

const EXAMPLES = [
  'concordat-service keys create --name reporting',
  'concordat-service keys list --json',
  'concordat-service keys revoke 3',
  'concordat-service keys revoke --all-of ada@example.com',
];

export function keysCommand(terminal: Terminal): Command {
  const command = storeCommands(terminal, EXAMPLES);
  return new Command('keys')
    .summary('create, list and revoke API keys')
    .description('Manages the API keys of the store: the credentials of services that call this one.')
    .addHelpText('after', examples(...EXAMPLES))
    .addCommand(
      command('create', 'create a key', async (show, { name }: { readonly name: string }) => {
        const { apiKey, key } = await asOperator(terminal, ({ apiKeys }, operator) =>
          apiKeys.create(operator, { name }),
        );
        const { id } = apiKey;
        show(`${key}\nThe key ${name} has the id ${id}. Keep it: it is not shown again.`, { id, name, key });
      })
        .description('Creates a key and prints it. It cannot be shown again.')
        .requiredOption('--name <name>', 'the purpose of the key'),
    )
    .addCommand(
      command('list', 'list the keys', (show) =>
        asOperator(terminal, async ({ apiKeys }, operator) => {
          for (let page = 1, hasNext = true; hasNext; page++) {
            const found = await apiKeys.list(operator, { page, limit: 100 });
            hasNext = found.pagination.hasNext;
            for (const { id, name, active, createdAt, lastUsedAt } of found.data) {
              const text = [id, active ? 'active' : 'revoked', createdAt, name].join('\t');
              show(text, { id, name, active, createdAt, lastUsedAt });
            }
          }
        }),
      ).description('Lists the keys, ascending by id. The secrets are not stored and not shown.'),
    )
    .addCommand(
      command(
        'revoke [id]',
        'revoke a key, or all keys of a user',
        async (show, { allOf }: { readonly allOf?: string }, id) => {
          if ((id === undefined) === (allOf === undefined))
            throw usageFailure('Name either the id of a key, or a user with --all-of.');
          await asOperator(terminal, async ({ apiKeys }, operator, storage) => {
            if (id !== undefined) {
              await apiKeys.deactivate(operator, id);
              show(`The key ${id} is revoked`, { id, active: false });
            } else {
              const { id: userId } = await userOf(storage, String(allOf));
              const revoked = await apiKeys.deactivateAllOf(operator, userId);
              show(`${counted(revoked, 'key')} of the user ${userId} revoked`, { userId, revoked });
            }
          });
        },
      )
        .description('Revokes keys at once and for good.')
        .option('--all-of <user>', 'revoke all keys that this user has created: an id or an email'),
    );
}
