/** Opens the store that the environment names for as long as a command works on it. */

import { type Terminal, CommandFailure } from 'concordat/terminal';
import { type OpenedStorage, openStorage } from './open-storage.js';
import { dataSettings } from './settings/data.js';
import { SettingFault } from './settings/setting.js';

/**
 * Runs work on the store and closes it, whatever comes of the work. Only the setting of the store is read: the others are
 * the service's, and need not be there.
 *
 * @param onMigration told of each migration that ran
 */
export async function withStore<Result>(
  { env }: Terminal,
  work: (opened: OpenedStorage) => Promise<Result>,
  onMigration?: (name: string) => void,
): Promise<Result> {
  const opened = await openStorage(readDatabase(env), onMigration);
  try {
    return await work(opened);
  } finally {
    await opened.storage.close();
  }
}

function readDatabase(env: Terminal['env']) {
  const { name, read } = dataSettings.database;
  const valueOf = (variable: string): string | undefined => env[variable] || undefined;
  try {
    const database = read(valueOf(name), { isProduction: env['NODE_ENV'] === 'production', valueOf });
    if (database.kind !== 'memory') return database;
  } catch (error) {
    if (!(error instanceof SettingFault)) throw error;
    throw new CommandFailure(`${name} ${error.message}`);
  }
  throw new CommandFailure(
    `${name} is memory:, which ends with this command: name a store that stays, sqlite:<path> or postgres://…`,
  );
}
