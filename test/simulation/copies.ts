/** Copies of the store of a world, by an export that is imported into another store or by a backup: they have all that the store has. */

import { join } from 'node:path';
import { backUpSqlite, sqliteStorage, type SqlStorage } from '@concordat/core/storage/sqlite';
import type { Random } from './random.js';
import { type Contents, readContents } from './service/contents.js';
import type { World } from './world.js';

/** @returns what is in the copy, as callers read it; undefined for a store that has no copies */
export async function copied(world: World, random: Random): Promise<Contents | undefined> {
  const { stored, directory, contract } = world;
  if (directory === undefined || stored === undefined) return undefined;
  const path = join(directory, `copy-${String(random.whole(0, 2 ** 31))}.db`);
  const isBackup = random.chance(0.5);
  if (isBackup) await backUpSqlite(join(directory, 'service.db'), path);
  const copy = await sqliteStorage({ path, contract });
  try {
    if (!isBackup) {
      const outcome = await copy.rows.write((stored as SqlStorage).rows.read());
      if (typeof outcome !== 'number') throw new Error(`row ${String(outcome.position)}: ${outcome.reason}`);
    }
    const { rest } = world.openOver(copy);
    return await readContents(async (asked) => {
      const response = await rest(new Request(`http://localhost${asked}`));
      return await response.json();
    });
  } finally {
    await copy.close();
  }
}
