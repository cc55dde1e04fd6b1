/** An import is stored as a whole or not at all, and other writers wait only while it is being stored. */

import { writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import pg from 'pg';
import { memoryStorage } from '../../src/core/storage/memory.js';
import { type SqlStorage, sqliteStorage } from '../../src/core/storage/sqlite.js';
import { importFile } from '../../src/service/cli/records/import-file.js';
import { userKind } from '../../src/service/cli/records/import-kinds.js';
import { UserImporter } from '../../src/core/services/users/user-input.js';
import type { StoreRows } from '../../src/core/ports/store-rows.js';
import { sharedPostgres } from '../support/postgres-server.js';
import { until } from '../support/until.js';
import { isBeingWritten } from '../codegen/cli/being-written.js';
import { useProgram } from './program-process.js';
import { run, useDirectory } from './run.js';

const LINES = 30_000;

describe('an import that is killed', function () {
  this.timeout(120_000);
  const program = useProgram();
  const at = useDirectory();

  const stores = {
    SQLite: () => Promise.resolve({ url: `sqlite:${at('killed.db')}`, isWriting: sqliteIsWriting }),
    PostgreSQL: async () => {
      const url = await (await sharedPostgres()).createDatabase();
      return { url, isWriting: () => postgresIsWriting(url) };
    },
  };
  const sqliteIsWriting = () => Promise.resolve(isBeingWritten(at('killed.db')));

  for (const [store, make] of Object.entries(stores)) {
    it(`leaves nothing behind in ${store}, and can be run again`, async () => {
      const line = `${JSON.stringify({ name: 'Shears', price: 24.5, categories: ['Garden', 'Tools'] })}\n`;
      await writeFile(at('many.jsonl'), line.repeat(LINES));
      const { url, isWriting } = await make();
      const env = { DATABASE_URL: url };
      // Without demo data, so that the import is the only write.
      expect((await run(['migrate'], env)).exitCode).to.equal(0);

      const killed = program(['import', 'products', at('many.jsonl')], { env });
      await until('it stores', isWriting);
      killed.child.kill('SIGKILL');
      expect(await killed.exit).to.equal(137);
      expect((await run(['export', 'products'], env)).stdout).to.equal('');

      const { exitCode, stdout } = await run(['import', 'products', at('many.jsonl')], env);
      expect({ exitCode, stdout }).to.deep.equal({
        exitCode: 0,
        stdout: `Imported ${String(LINES)} of ${String(LINES)} products\n`,
      });
    });
  }
});

async function postgresIsWriting(url: string): Promise<boolean> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query(
      "select 1 from pg_locks where relation = 'products'::regclass and mode = 'RowExclusiveLock'",
    );
    return rows.length > 0;
  } finally {
    await client.end();
  }
}

describe('importFile', () => {
  const at = useDirectory();
  const USERS = [1, 2, 3]
    .map((number) =>
      JSON.stringify({ name: 'A', email: `a${String(number)}@example.com`, password: 'long enough' }),
    )
    .join('\n');

  it('lets others write while it hashes passwords', async () => {
    await writeFile(at('users.jsonl'), USERS);
    const storage = await sqliteStorage({ path: at('hashed.db') });
    const other = await sqliteStorage({ path: at('hashed.db') });
    let hashes = 0;
    const hasher = {
      hash: async () => {
        await other.products.create({ description: undefined, name: 'Made meanwhile', priceCents: 1 });
        return `hash ${String(++hashes)}`;
      },
      verify: () => Promise.resolve(false),
    };
    const kind = {
      ...userKind,
      importer: () => new UserImporter(storage, hasher, '2026-01-01T00:00:00.000000Z'),
    };
    const job = { file: at('users.jsonl'), bytes: USERS.length } as const;
    const report = await importFile(kind, {
      ...job,
      storage,
      skipRefused: false,
      dryRun: false,
      onProgress: () => undefined,
    });
    expect(report).to.deep.equal({ imported: 3, lines: 3, refused: [] });
    expect(await other.products.count()).to.equal(3);
    expect((await other.users.findCredentials('a2@example.com'))?.passwordHash).to.match(/^hash /);
    await Promise.all([storage.close(), other.close()]);
  });

  it('reports the line of a record that is taken at the last moment, and stores none', async () => {
    await writeFile(at('late.jsonl'), `\n\n${USERS}`);
    const storage = memoryStorage();
    const shares: [string, number][] = [];
    const report = await importFile(userKind, {
      file: at('late.jsonl'),
      bytes: USERS.length + 2,
      storage: {
        ...storage,
        rows: {
          write: async (rows) => {
            for await (const { row } of rows)
              expect(row).to.have.property('passwordHash').not.to.have.property('password');
            return { position: 1, reason: 'exists' };
          },
        } satisfies Partial<StoreRows>,
      } as unknown as SqlStorage,
      skipRefused: false,
      dryRun: false,
      onProgress: (round, share) => shares.push([round, share]),
    });
    expect(report).to.deep.equal({
      imported: 0,
      lines: 3,
      refused: [{ line: 4, reason: 'Its id or another unique value is in use' }],
    });
    expect(new Map(shares)).to.deep.equal(
      new Map([
        ['checking', 1],
        ['preparing', 1],
        ['storing', 1],
      ]),
    );
  });
});
