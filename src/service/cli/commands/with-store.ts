/** Opens the store that the environment names for the duration of a command. */

import { type Terminal, CommandFailure } from 'concordat/terminal';
import { type OpenedStorage, openStorage } from '../../open/adapters.js';
import { dataSettings } from '../../settings/data.js';
import { SettingFault, slipWarnings } from '../../settings/setting.js';

/**
 * Runs work on the store and then closes it, even if the work fails. Only the setting DATABASE_URL is read; the others need not
 * be valid.
 *
 * @param onMigration - called with the name of each migration that ran
 */
export async function withStore<Result>(
  { env, stderr }: Terminal,
  work: (opened: OpenedStorage) => Promise<Result>,
  onMigration?: (name: string) => void,
): Promise<Result> {
  for (const warning of slipWarnings(env, [dataSettings.database.name])) stderr.write(`${warning}\n`);
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
    `${name} is memory:, whose data would end with this command: name a lasting store, sqlite:<path> or postgres://…`,
  );
}
