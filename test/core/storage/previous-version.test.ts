/**
 * The SQL of the previous version, on a database that this version has migrated: while a new version is rolled out, processes of both use
 * one database. `previous-version/postgres.json` has the statements of some of that version's conformance checks, with their values and
 * the number of their rows. Record it again when a version is released.
 */
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import pg from 'pg';
import { everyUser } from '../../../src/core/ports/user-store.js';
import { postgresStorage } from '../../../src/core/storage/postgres.js';
import { sharedPostgres } from '../../support/postgres-server.js';

interface Recorded {
  readonly texts: readonly string[];
  /** Each statement is the position of its text, its values and the number of its rows. */
  readonly runs: readonly {
    readonly id: string;
    readonly statements: readonly (readonly [text: number, values: readonly unknown[], rows: number])[];
  }[];
}

const file = new URL('previous-version/postgres.json', import.meta.url);

describe('the statements of the previous version', function () {
  this.timeout(30_000);

  it('do the same on the tables of this version, whose counters follow them', async () => {
    const { texts, runs } = JSON.parse(await readFile(file, 'utf8')) as Recorded;
    const url = await (await sharedPostgres()).createDatabase();
    const storage = await postgresStorage({ url });
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      for (const { id, statements } of runs) {
        for (const [position, values, rows] of statements) {
          const text = texts[position] ?? '';
          const result = await client.query(text, [...values]).catch((error: unknown) => {
            throw new Error(`${id}: ${text}`, { cause: error });
          });
          expect(result.rows.length, `${id}: ${text}`).to.equal(rows);
        }
        expect(await countsOf(storage), id).to.deep.equal(await rowsOf(client));
        await client.query(`truncate ${TABLES.join(', ')} restart identity cascade`);
        await client.query('update post_clock set last_id = 0, last_created_at = null');
      }
    } finally {
      await client.end();
      await storage.close();
    }
  });
});

const TABLES = [
  'users',
  'posts',
  'orders',
  'products',
  'categories',
  'comments',
  'api_keys',
  'idempotency_keys',
];

/** What this version says of the numbers of its records. */
async function countsOf(storage: Awaited<ReturnType<typeof postgresStorage>>): Promise<readonly number[]> {
  const { users, orders, products } = storage;
  return [
    await users.count(everyUser),
    await users.count({ ...everyUser, role: 'admin' }),
    await users.count({ ...everyUser, status: 'active', city: 'London' }),
    await orders.count({ userId: undefined }),
    await products.count(),
  ];
}

async function rowsOf(client: pg.Client): Promise<readonly number[]> {
  const counted = [
    'users',
    "users where role = 'admin'",
    "users where status = 'active' and city = 'London'",
    'orders',
    'products',
  ].map((rows) => `(select count(*) from ${rows})::int`);
  const { rows } = await client.query<number[]>({ text: `select ${counted.join(', ')}`, rowMode: 'array' });
  return rows[0] ?? [];
}
