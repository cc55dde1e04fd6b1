/** Imports and exports of files, on the persistent stores. */

import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { databaseUrl, removeStores, stores as allStores } from '../support/stores.js';
import { run, useDirectory } from './run.js';

const stores = allStores.filter(({ name }) => name !== 'memory');

const PRODUCTS = [
  { name: 'Shears', description: 'For "hedges",\nand more', price: 24.5, categories: ['Garden', 'Tools'] },
  { name: 'Can', price: 19.99 },
  { name: 'Rule', description: '', price: 7.8, categories: ['Tools'] },
];
const USERS = [
  { name: 'Ada', email: 'ada@example.com', role: 'admin', password: 'correct horse', city: 'Paris' },
  { name: 'Zoë', email: 'zoe@example.com', status: 'inactive', createdAt: '2020-01-01T00:00:00Z' },
];
const ORDERS = [
  { userEmail: 'zoe@example.com', status: 'completed', items: [{ productId: '1', quantity: 2 }] },
  { userId: '1', items: [{ name: 'Twine', unitPrice: 0.1, quantity: 3 }], createdAt: '2021-02-03T04:05:06Z' },
];

const linesOf = (records: readonly unknown[]) => records.map((each) => `${JSON.stringify(each)}\n`).join('');

for (const { name: store, make } of stores) {
  describe(`concordat-service import and export, ${store}`, function () {
    this.timeout(60_000);
    const at = useDirectory();
    let first = {};
    let second = {};

    before(async () => {
      [first, second] = [await databaseUrl(make), await databaseUrl(make)];
    });

    after(removeStores);

    it('stores the records of a file', async () => {
      writeFileSync(at('products.jsonl'), linesOf(PRODUCTS));
      writeFileSync(at('users.jsonl'), linesOf(USERS));
      writeFileSync(at('orders.jsonl'), linesOf(ORDERS));
      for (const [kind, file, count] of [
        ['products', 'products.jsonl', 3],
        ['users', 'users.jsonl', 2],
        ['orders', 'orders.jsonl', 2],
      ] as const) {
        const outcome = await run(['import', kind, at(file)], first);
        const stdout = `Imported ${String(count)} of ${String(count)} ${kind}\n`;
        expect(outcome).to.deep.equal({ exitCode: 0, stdout, stderr: '' });
      }
      const { stdout } = await run(['export', 'orders'], first);
      const [order] = stdout.split('\n');
      expect(JSON.parse(order ?? '')).to.deep.include({ userId: '2', status: 'completed', total: 49 });
    });

    it('imports an export into another store, which assigns other ids', async () => {
      writeFileSync(at('earlier.jsonl'), linesOf([{ name: 'Earlier', email: 'earlier@example.com' }]));
      expect((await run(['import', 'users', at('earlier.jsonl')], second)).exitCode).to.equal(0);
      for (const kind of ['users', 'products', 'orders']) {
        const file = at(`${kind}.jsonl`);
        expect((await run(['export', kind, '--out', file], first)).exitCode).to.equal(0);
        expect(await run(['import', kind, file], second)).to.deep.include({ exitCode: 0, stderr: '' });
      }
      for (const kind of ['products', 'orders', 'users']) {
        const [before, after] = await Promise.all([records(kind, first), records(kind, second)]);
        expect(after.slice(kind === 'users' ? 1 : 0), kind).to.deep.equal(before);
      }
    });

    /** Removes the ids of the records, which differ between stores. */
    async function records(kind: string, env: Readonly<Record<string, string>>): Promise<unknown[]> {
      const { stdout } = await run(['export', kind], env);
      return stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => ({ ...(JSON.parse(line) as object), id: '', userId: '' }));
    }

    it('stores nothing when a line is refused, and reports the line and the reason', async () => {
      const lines = [
        '{"name":"New","email":"new@example.com"}',
        'nonsense',
        '{"name":"Same","email":"ADA@example.com"}',
        '',
        '{"name":"Twice","email":"NEW@example.com"}',
        '{"name":"Unknown","email":"u@example.com","shoe":42}',
        '{"name":"Late","email":"l@example.com","createdAt":"2020-01-02T00:00:00Z","updatedAt":"2020-01-01T00:00:00Z"}',
      ];
      writeFileSync(at('refused.jsonl'), lines.join('\n'));
      const { stdout: before } = await run(['export', 'users'], first);
      const outcome = await run(['import', 'users', at('refused.jsonl'), '--json'], first);
      expect(outcome.exitCode).to.equal(1);
      expect(JSON.parse(outcome.stderr)).to.deep.equal({
        error: 'Nothing was imported: 5 of 6 lines were refused.',
      });
      expect(JSON.parse(outcome.stdout)).to.deep.equal({
        imported: 0,
        lines: 6,
        refused: [
          { line: 2, reason: 'must be JSON' },
          { line: 3, reason: 'Email already in use' },
          { line: 5, reason: 'Email already in use by an earlier line' },
          { line: 6, reason: 'must NOT have additional properties: shoe' },
          { line: 7, reason: 'updatedAt must not be before createdAt' },
        ],
      });
      writeFileSync(at('one-refused.jsonl'), lines.slice(0, 2).join('\n'));
      expect(await run(['import', 'users', at('one-refused.jsonl')], first)).to.include({ exitCode: 1 });
      expect((await run(['export', 'users'], first)).stdout).to.equal(before);
    });

    it('reads past a line of 48 MB, and refuses it', async () => {
      const ada = JSON.stringify({ name: 'Long', email: 'long@example.com' });
      writeFileSync(at('long.jsonl'), `${ada}\n{"name":"${'x'.repeat(48_000_000)}"}\n${ada}\n`);
      const outcome = await run(['import', 'users', at('long.jsonl'), '--dry-run', '--json'], first);
      expect(JSON.parse(outcome.stdout)).to.deep.equal({
        imported: 0,
        lines: 3,
        refused: [
          { line: 2, reason: 'must have at most 1048576 characters' },
          { line: 3, reason: 'Email already in use by an earlier line' },
        ],
      });
    });

    it('stores the accepted lines with --skip-refused', async () => {
      const dry = await run(['import', 'users', at('refused.jsonl'), '--skip-refused', '--dry-run'], first);
      expect(dry).to.deep.include({ exitCode: 0, stdout: '1 of 6 users can be imported\n' });
      const outcome = await run(['import', 'users', at('refused.jsonl'), '--skip-refused'], first);
      expect(outcome).to.deep.include({ exitCode: 0, stdout: 'Imported 1 of 6 users\n' });
      expect(outcome.stderr).to.match(/^line 2: must be JSON\nline 3: /);
    });

    it('accepts orders of existing users only', async () => {
      const lines = [
        { userId: '99' },
        { userEmail: 'nobody@example.com' },
        { userEmail: null, userId: '1' },
        {},
      ];
      const items = [{ name: 'Twine', unitPrice: 0.1, quantity: 3 }];
      writeFileSync(at('strangers.jsonl'), linesOf(lines.map((line) => ({ ...line, items }))));
      const { exitCode, stderr } = await run(['import', 'orders', at('strangers.jsonl')], first);
      expect(exitCode).to.equal(1);
      expect(stderr.split('\n').slice(0, 4)).to.deep.equal([
        'line 1: userId must be the id of a user',
        'line 2: userEmail must be the email of a user',
        'line 3: userEmail is empty: the user of this order is gone',
        'line 4: userId or userEmail is required',
      ]);
    });
  });
}

describe('concordat-service import, files', () => {
  const at = useDirectory();
  const env = { DATABASE_URL: `sqlite:${at('files.db')}` };

  it('reports every malformed line', async () => {
    writeFileSync(at('bad.jsonl'), '{"name":"A","price":1}\n{"name":"B","price":"x"}\n[1]\n{"name":"C",\n');
    const { stdout } = await run(['import', 'products', at('bad.jsonl'), '--json'], env);
    expect((JSON.parse(stdout) as { refused: unknown[] }).refused).to.deep.equal([
      { line: 2, reason: 'price must be number' },
      { line: 3, reason: 'must be an object' },
      { line: 4, reason: 'must be JSON' },
    ]);
    expect((await run(['export', 'products'], env)).stdout).to.equal('');
  });

  it('refuses an unknown member, and bytes that are not UTF-8', async () => {
    writeFileSync(at('member.jsonl'), '{"name":"A","price":1,"prize":1}\n');
    const member = await run(['import', 'products', at('member.jsonl')], env);
    expect(member.exitCode).to.equal(1);
    expect(member.stderr).to.include('line 1: must NOT have additional properties: prize');
    writeFileSync(at('latin.jsonl'), Buffer.from([0x22, 0xe9, 0x22]));
    const latin = await run(['import', 'users', at('latin.jsonl')], env);
    expect(latin).to.deep.equal({ exitCode: 1, stdout: '', stderr: `${at('latin.jsonl')} is not UTF-8\n` });
  });

  it('gives a file its name once it is complete', async () => {
    expect((await run(['export', 'products', '--out', at('none.jsonl')], env)).exitCode).to.equal(0);
    expect(readFileSync(at('none.jsonl'), 'utf8')).to.equal('');
    const { exitCode } = await run(['export', 'products', '--out', at('no/such/place.jsonl')], env);
    expect(exitCode).to.equal(1);
  });
});
