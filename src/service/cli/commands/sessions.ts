/** `concordat-service sessions`: signs users out. */

import type { Caller, Services } from '@concordat/core';
import { Command } from 'commander';
import { type Terminal, counted, examples } from '@concordat/runtime/terminal';
import { asOperator, storeCommands } from './with-store.js';

const EXAMPLES = ['concordat-service sessions end --all'];

export function sessionsCommand(terminal: Terminal): Command {
  return new Command('sessions')
    .summary('sign users out')
    .description('Manages the sessions of the users of the store.')
    .addHelpText('after', examples(...EXAMPLES))
    .addCommand(endCommand(terminal));
}

/** The users whose sessions end at the same time: as many as a store has connections by default. */
const AT_ONCE = 10;

function endCommand(terminal: Terminal): Command {
  const command = storeCommands(terminal, EXAMPLES);
  return command('end', 'end all sessions', async (show) => {
    const endAll = async (services: Services, operator: Caller): Promise<number> => {
      const { everyUser, ServiceError } = await import('@concordat/core');
      const end = (id: string) =>
        services.users.endSessions(operator, id).catch((error: unknown) => {
          // A user who was deleted in the meantime has no sessions.
          if (!(error instanceof ServiceError && error.code === 'not-found')) throw error;
        });
      let ended = 0;
      for (let cursor: string | null = ''; cursor !== null;) {
        const page = await services.users.listByCursor(operator, everyUser, { cursor, limit: AT_ONCE });
        await Promise.all(page.data.map(({ id }) => end(id)));
        ended += page.data.length;
        cursor = page.pagination.nextCursor;
      }
      return ended;
    };
    const users = await asOperator(terminal, endAll, { changesUsers: true });
    show(`The sessions of ${counted(users, 'user')} have ended`, { users });
  })
    .description(
      'Revokes all tokens of all users, who must then sign in again. Services need not restart. API keys stay valid.',
    )
    .requiredOption('--all', 'confirms that all users are meant');
}
