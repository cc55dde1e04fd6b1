/** An import is stored in parts: others write between them, and after a stop the same file goes on. */

import { stat, writeFile } from 'node:fs/promises';
import { expect } from 'chai';
import { everyUser } from '../../src/core/ports/user-store.js';
import { postgresStorage } from '../../src/core/storage/postgres.js';
import { type SqlStorage, type TableRow, sqliteStorage } from '../../src/core/storage/sqlite.js';
import { importStore } from '../../src/service/cli/records/import-store.js';
import { sharedPostgres } from '../support/postgres-server.js';
import { until } from '../support/until.js';
import { useProgram } from './program-process.js';
import { run, useDirectory } from './run.js';

const LINES = 6_000;
const now = '2026-01-01T00:00:00.000001Z';
const ada: TableRow = {
  table: 'users',
  row: {
    id: '1',
    name: 'Ada',
    email: 'ada@example.com',
    role: 'user',
    status: 'active',
    createdAt: now,
    updatedAt: now,
  },
};
const post: TableRow = {
  table: 'posts',
  row: { title: 'T', content: 'C', author_id: '1', created_at: now },
};
const product: TableRow = { table: 'products', row: { name: 'Shears', priceCents: 2450 } };
const linesOf = (rows: readonly TableRow[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

describe('an import of many rows', () => {
  const program = useProgram();
  const at = useDirectory();
  let count = 0;

  const stores = {
    SQLite: () => Promise.resolve(`sqlite:${at(`${String((count += 1))}.db`)}`),
    PostgreSQL: async () => await (await sharedPostgres()).createDatabase(),
  };
  const open = (url: string): Promise<SqlStorage> =>
    url.startsWith('sqlite:') ? sqliteStorage({ path: url.slice(7) }) : postgresStorage({ url });

  for (const [store, make] of Object.entries(stores)) {
    it(`lets another process create posts before it ends, ${store}`, async () => {
      const url = await make();
      const [storage, other] = [await open(url), await open(url)];
      let read = 0;
      let readAtAnswer = Infinity;
      let created: Promise<unknown> | undefined;
      async function* rows() {
        yield ada;
        for (; read < LINES; read += 1) {
          if (read === 1_500)
            created = other.posts
              .create({ title: 'Meanwhile', content: 'C', authorId: '1' }, now)
              .then(() => (readAtAnswer = read));
          yield await Promise.resolve(post);
        }
      }
      expect(await storage.rows.write(rows())).to.equal(LINES + 1);
      await created;
      expect(readAtAnswer).to.be.below(LINES);
      const times = (await storage.posts.list({ after: undefined, limit: LINES + 1 })).map(
        ({ createdAt }) => createdAt,
      );
      expect(times).to.have.length(LINES + 1);
      expect([...new Set(times)].sort()).to.deep.equal(times);
      await Promise.all([storage.close(), other.close()]);
    });

    it(`goes on after it was killed, and stores no row twice, ${store}`, async () => {
      const file = at('many.jsonl');
      await writeFile(file, linesOf([product]).repeat(LINES));
      const DATABASE_URL = await make();
      const storage = await open(DATABASE_URL);
      const killed = program(['import', 'store', file], { env: { DATABASE_URL } });
      await until('it stores', async () => (await storage.products.count()) > 0);
      killed.child.kill('SIGKILL');
      expect(await killed.exit).to.equal(137);
      expect(await storage.products.count()).to.be.below(LINES);
      for (const earlier of [/^Imported 6000 of 6000 rows, \d+ of them/, /, 6000 of them earlier\n$/]) {
        const { exitCode, stdout, stderr } = await run(['import', 'store', file], { DATABASE_URL });
        expect([exitCode, stderr]).to.deep.equal([0, '']);
        expect(stdout).to.match(earlier);
        expect(await storage.products.count()).to.equal(LINES);
      }
      await storage.close();
    });

    it(`keeps the parts before a row that is refused, and their entries, ${store}`, async () => {
      const file = at('refused.jsonl');
      const others = Array.from({ length: 600 }, (_, index) => ({
        ...ada,
        row: { ...ada.row, id: String(index + 2), email: `${String(index)}@example.com` },
      }));
      await writeFile(file, linesOf([ada, ...others, ada]));
      const storage = await open(await make());
      const job = {
        file,
        bytes: (await stat(file)).size,
        storage,
        dryRun: false,
        publish: false,
        onProgress: () => undefined,
      };
      const refused = [{ line: 602, reason: 'Its id or another unique value is in use' }];
      const { imported, ...report } = await importStore(job);
      expect(report).to.deep.equal({ earlier: 0, lines: 602, refused });
      expect(imported)
        .to.be.within(1, 601)
        .and.equal(await storage.users.count(everyUser));
      expect((await importStore(job)).refused).to.deep.equal(refused);
      await storage.close();
    });
  }

  it('refuses a line that is no row before it stores one', async () => {
    const env = { DATABASE_URL: `sqlite:${at('lines.db')}` };
    for (const line of ['nonsense', '[1]', '{"name":"Ada"}', `{"x":"${'x'.repeat(1_200_000)}"}`]) {
      await writeFile(at('bad.jsonl'), `${linesOf([ada])}\n${line}\n`);
      const { exitCode, stdout, stderr } = await run(['import', 'store', at('bad.jsonl')], env);
      expect([exitCode, stdout]).to.deep.equal([1, '']);
      expect(stderr).to.include('Nothing was imported: line 3 is no row of a store');
    }
    await writeFile(at('latin.jsonl'), Buffer.from([0x22, 0xe9, 0x22]));
    const latin = await run(['import', 'store', at('latin.jsonl')], env);
    expect(latin).to.deep.equal({ exitCode: 1, stdout: '', stderr: `${at('latin.jsonl')} is not UTF-8\n` });
    expect((await run(['export', 'users'], env)).stdout).to.equal('');
  });

  it('gives an exported file its name once it is complete', async () => {
    const env = { DATABASE_URL: `sqlite:${at('files.db')}` };
    expect((await run(['export', 'products', '--out', at('none.jsonl')], env)).exitCode).to.equal(0);
    expect((await stat(at('none.jsonl'))).size).to.equal(0);
    const { exitCode } = await run(['export', 'products', '--out', at('no/such/place.jsonl')], env);
    expect(exitCode).to.equal(1);
  });
});
