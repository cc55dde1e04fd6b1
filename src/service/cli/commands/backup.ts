/** `concordat-service backup` and `restore`: copies of a SQLite store. */

import type { Command } from 'commander';
import { type Terminal, CommandFailure } from '@concordat/runtime/terminal';
import { readDatabase, recordCommand, storeCommands, withStore } from './with-store.js';

export function backupCommand(terminal: Terminal): Command {
  const command = storeCommands(terminal, ['concordat-service backup service-2026-11-23.db']);
  return command('backup <file>', 'copy a SQLite store to a file', async (show, _options, file = '') => {
    const path = sqlitePath(terminal);
    const { backUpSqlite } = await import('@concordat/core/storage/sqlite');
    await backUpSqlite(path, file);
    // A store that an earlier version has made may have no audit log yet, and a backup does not migrate it.
    await withStore(
      terminal,
      async ({ storage }) => {
        const isCurrent = await storage.ping().then(
          () => true,
          () => false,
        );
        if (isCurrent) await recordCommand(storage, 'backup', 'done');
      },
      { migrate: false },
    );
    show(`Copied ${path} to ${file}`, { store: path, file });
  }).description(
    'Writes a consistent copy of a SQLite store to a new file, while services read and write it. The copy has password hashes: keep it as safe as the store. PostgreSQL has its own tools, which the guide "backup" describes.',
  );
}

export function restoreCommand(terminal: Terminal): Command {
  const command = storeCommands(terminal, ['concordat-service restore service-2026-11-23.db']);
  return command(
    'restore <copy>',
    'put a copy in the place of a SQLite store',
    async (show, _options, file = '') => {
      const path = sqlitePath(terminal);
      const { restoreSqlite } = await import('@concordat/core/storage/sqlite');
      const kept = restoreSqlite(file, path);
      await withStore(terminal, () => Promise.resolve(), { command: 'restore' });
      const before = kept ? `, and kept the store before as ${kept}` : '';
      show(`Restored ${path} from ${file}${before}`, { store: path, file, kept });
    },
  ).description(
    'Checks a copy that backup has made, puts it in the place of the SQLite store, and brings it up to date. Stop the service first. The present store is kept, with .replaced after its name, and a number where that exists.',
  );
}

function sqlitePath({ env }: Terminal): string {
  const { database } = readDatabase(env);
  if (database.kind === 'sqlite') return database.path;
  throw new CommandFailure(
    'DATABASE_URL is PostgreSQL: use pg_dump and pg_restore, as the guide "backup" describes',
  );
}
