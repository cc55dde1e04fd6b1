/** Opens the store that the environment names for the duration of a command. */

import type { Storage } from '@concordat/core';
import { type Terminal, CommandFailure } from '@concordat/runtime/terminal';
import {
  type OpenedStorage,
  type SqlStorage,
  type StorageObserver,
  openStorage,
} from '../../open/adapters.js';
import { type DatabaseSettings, databaseSettings } from '../../settings/data.js';
import { givenSettings, readValues, variableNames } from '../../settings/given.js';
import { type Setting, slipWarnings } from '../../settings/setting.js';

const rows = Object.values<Setting<unknown>>(databaseSettings);

export interface StoreUse extends Pick<StorageObserver, 'onMigration' | 'onLaterMigration'> {
  /** False to run no migration; `onMigration` is then called with those that have not run. */
  readonly migrate?: boolean;
  /** Whether to wait for a PostgreSQL that does not answer yet, and to report this on stderr. */
  readonly waits?: boolean;
  /** The command for the audit log; undefined for one whose actions are recorded one by one. */
  readonly command?: string;
}

/**
 * Runs work on the store and then closes it, even if the work fails. Only the settings of the store are read; the others need not
 * be valid.
 *
 * @param use - how the store is used
 */
export async function withStore<Result>(
  { env, stderr }: Terminal,
  work: (opened: OpenedStorage & { readonly storage: SqlStorage }) => Promise<Result>,
  { migrate, waits = false, command, ...observer }: StoreUse = {},
): Promise<Result> {
  for (const warning of slipWarnings(env, variableNames(rows))) stderr.write(`${warning}\n`);
  const settings = readDatabase(env);
  const report = (line: string) => void stderr.write(`${line}\n`);
  const waiting = waits ? { seconds: settings.startWaitSeconds, report } : undefined;
  const opened = (await openStorage({ ...settings, migrate }, { ...observer, waiting })) as OpenedStorage & {
    readonly storage: SqlStorage; // no command accepts the memory
  };
  const record = async (outcome: string): Promise<void> => {
    if (command !== undefined) await recordCommand(opened.storage, command, outcome);
  };
  try {
    const result = await work(opened);
    await record('done');
    return result;
  } catch (error) {
    // The reason why the command failed matters more than a failure to record it.
    await record('failed').catch(() => undefined);
    throw error;
  } finally {
    await opened.storage.close();
  }
}

export async function recordCommand({ audit }: Storage, detail: string, outcome: string): Promise<void> {
  const { auditEntryOf, operator, systemClock } = await import('@concordat/core');
  await audit.add([auditEntryOf(operator, { action: 'command', detail }, systemClock.now(), outcome)]);
}

export function readDatabase(env: Terminal['env']): DatabaseSettings {
  let settings: DatabaseSettings;
  try {
    settings = readValues(databaseSettings, givenSettings(env, rows)) as DatabaseSettings;
  } catch (error) {
    throw new CommandFailure(error instanceof Error ? error.message : String(error));
  }
  if (settings.database.kind !== 'memory') return settings;
  throw new CommandFailure(
    `${databaseSettings.database.name} is memory:, whose data would end with this command: name a lasting store, sqlite:<path> or postgres://…`,
  );
}
