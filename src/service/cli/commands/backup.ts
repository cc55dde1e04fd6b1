/** `concordat-service backup` and `restore`: copies of a SQLite store. */

import { Command } from 'commander';
import { type Terminal, CommandFailure, print, printJson } from '@concordat/runtime/terminal';
import { readDatabase, recordCommand, storeHelp, withStore } from './with-store.js';

export function backupCommand(terminal: Terminal): Command {
  return new Command('backup')
    .summary('copy a SQLite store to a file')
    .description(
      'Writes a consistent copy of a SQLite store to a new file, while services read and write it. The copy has password hashes: keep it as safe as the store. PostgreSQL has its own tools, which the guide "backup" describes.',
    )
    .argument('<file>', 'the file to write, which must not exist')
    .option('--json', 'print {"store", "file"} as JSON')
    .addHelpText('after', storeHelp('concordat-service backup service-2026-11-23.db'))
    .action(async (file: string, { json }: { readonly json?: true }) => {
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
      if (json) printJson(terminal, { store: path, file });
      else print(terminal, `Copied ${path} to ${file}`);
    });
}

export function restoreCommand(terminal: Terminal): Command {
  return new Command('restore')
    .summary('put a copy in the place of a SQLite store')
    .description(
      'Checks a copy that backup has made, puts it in the place of the SQLite store, and brings it up to date. Stop the service first. The present store is kept, with .replaced after its name, and a number where that exists.',
    )
    .argument('<file>', 'the copy, which stays')
    .option('--json', 'print {"store", "file", "kept"} as JSON')
    .addHelpText('after', storeHelp('concordat-service restore service-2026-11-23.db'))
    .action(async (file: string, { json }: { readonly json?: true }) => {
      const path = sqlitePath(terminal);
      const { restoreSqlite } = await import('@concordat/core/storage/sqlite');
      const kept = restoreSqlite(file, path);
      await withStore(terminal, () => Promise.resolve(), { command: 'restore' });
      if (json) printJson(terminal, { store: path, file, kept });
      else
        print(
          terminal,
          `Restored ${path} from ${file}${kept ? `, and kept the store before as ${kept}` : ''}`,
        );
    });
}

function sqlitePath({ env }: Terminal): string {
  const { database } = readDatabase(env);
  if (database.kind === 'sqlite') return database.path;
  throw new CommandFailure(
    'DATABASE_URL is PostgreSQL: use pg_dump and pg_restore, as the guide "backup" describes',
  );
}
