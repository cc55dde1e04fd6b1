/** Four processes that start at once on a database of the first published schema: they migrate it once, and lose nothing. */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect } from 'chai';
import pg from 'pg';
import { compileService } from '../support/compiled-service.js';
import { sharedPostgres } from '../support/postgres-server.js';
import { type StartedProcess, startProcess } from '../support/started-process.js';

const firstSchema = (database: string): Promise<string> =>
  readFile(new URL(`first-schema/${database}.sql`, import.meta.url), 'utf8');

async function firstSqlite(directory: string): Promise<string> {
  const path = join(directory, 'first.db');
  const database = new DatabaseSync(path);
  database.exec(await firstSchema('sqlite'));
  database.close();
  return `sqlite:${path}`;
}

async function firstPostgres(): Promise<string> {
  const url = await (await sharedPostgres()).createDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(await firstSchema('postgres'));
  await client.end();
  return url;
}

describe('a database of the first schema', function () {
  this.timeout(60_000);
  let program = '';
  let files = '';
  const processes: StartedProcess[] = [];

  before(async () => {
    [program, files] = await Promise.all([compileService(), mkdtemp(join(tmpdir(), 'concordat-upgrade-'))]);
  });
  afterEach(async () => {
    for (const { child } of processes) child.kill();
    await Promise.all(processes.splice(0).map(({ exit }) => exit));
  });
  after(() => Promise.all([program, files].map((each) => rm(each, { recursive: true }))));

  for (const [name, make] of [
    ['SQLite', () => firstSqlite(files)],
    ['PostgreSQL', () => firstPostgres()],
  ] as const) {
    it(`is upgraded in ${name} by four processes at once`, async () => {
      const settings = { DATABASE_URL: await make(), LOG_LEVEL: 'info', AUTH_POLICY: 'open' };
      const started = await Promise.all(Array.from({ length: 4 }, () => startProcess(program, settings)));
      processes.push(...started);
      for (const { url, output } of started) expect(url, output()).to.not.equal('');

      const [url = '', other = ''] = started.map((each) => each.url);
      const read = async (path: string) => (await fetch(url + path)).json();
      expect(await read('/api/users/1')).to.deep.include({
        id: '1',
        name: 'Ada Lovelace',
        email: 'Ada@Example.com',
        phone: '+1 555 0100',
        role: 'admin',
        createdAt: '2026-01-01T00:00:00.000001Z',
      });
      expect(await read('/api/users')).to.deep.include({ total: 2 });
      expect(await read('/api/orders/1')).to.deep.include({
        userId: '2',
        total: 5.3,
        items: [
          { id: '1', productId: '1', name: 'Twine', quantity: 2, unitPrice: 2.5 },
          { id: '2', name: 'Work', quantity: 3, unitPrice: 0.1 },
        ],
      });
      expect(await read('/api/products/1/categories')).to.deep.equal([{ id: '1', name: 'Garden' }]);
      expect(await read('/api/comments?orderId=1')).to.have.length(1);
      const posts = await read('/api/posts');
      expect(JSON.stringify(posts)).to.include('The second post.');

      const headers = { 'content-type': 'application/json' };
      const credentials = JSON.stringify({ email: 'ada@example.com', password: 'correct horse battery' });
      const login = await fetch(`${other}/api/auth/login`, { method: 'POST', headers, body: credentials });
      expect(login.status, await login.clone().text()).to.equal(200);
      const user = JSON.stringify({ name: 'Alan', email: 'alan@example.com' });
      const made = await fetch(`${other}/api/users`, { method: 'POST', headers, body: user });
      expect(((await made.json()) as { readonly id: string }).id).to.equal('3');
    });
  }
});
