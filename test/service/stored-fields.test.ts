/** The program with the contract of an operator: it serves, exports and imports the stored fields of an overlay, without any TypeScript. */

import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { openapiFile } from '../../src/core/contract.js';
import { allStores, databaseUrl, removeStores } from '../support/stores.js';
import { run, start, useDirectory } from './run.js';

const overlay = (fields: string): string => `overlay: 1.0.0
info: { title: Stock, version: '1' }
extends: ${openapiFile.pathname}
actions:
  - target: $.components.schemas['User', 'Product', 'Order', 'Comment', 'Post'].properties
    update: ${fields}
`;

const FIELDS = `
      shelf: { type: string, maxLength: 5, x-stored: true, x-filter: true }
      secret: { type: string, writeOnly: true, x-stored: true }
      rank: { type: integer, readOnly: true, x-stored: true }`;

describe('the program with --contract', () => {
  const at = useDirectory();
  after(removeStores);

  const contract = (fields = FIELDS): string => {
    writeFileSync(at('stock.yaml'), overlay(fields));
    return at('stock.yaml');
  };

  for (const { name, make } of allStores.filter((each) => each.name !== 'memory')) {
    it(`imports, exports and serves the fields, ${name}`, async () => {
      const first = await databaseUrl(make);
      const own = ['--contract', contract()];
      const now = '2026-01-01T00:00:00.000000Z';
      const times = { createdAt: now, updatedAt: now };
      const ids = { order_id: '1', user_id: '1', order_user_id: '1' };
      const ada = { name: 'Ada', email: 'ada@example.com', role: 'user', status: 'active' };
      const item = { id: '1', name: 'Lamp', quantity: 1, unitPriceCents: 100 };
      const order = { userId: '1', status: 'pending', totalCents: 100, lastItemId: '1' };
      const rows = {
        users: { ...ada, ...times },
        products: { name: 'Lamp', priceCents: 100 },
        orders: { ...order, ...times },
        posts: { title: 'T', content: 'C', author_id: '1', created_at: now },
        comments: { ...ids, text: 'Hi', created_at: now },
      };
      const values = {
        users: { shelf: 'A1', secret: 'x', rank: 7 },
        products: { shelf: 'A2', secret: 'y', rank: 8 },
        orders: { shelf: 'A3', rank: 9 },
        posts: { shelf: 'A4' },
        comments: { shelf: 'A5', secret: 'z' },
      };
      const lines = Object.entries(rows).map(([table, row]) => {
        const stored = JSON.stringify(values[table as keyof typeof values]);
        const parts = table === 'orders' ? { table: 'order_items', rows: [item] } : undefined;
        return `${JSON.stringify({ table, row: { ...row, stored }, parts })}\n`;
      });
      writeFileSync(at('rows.jsonl'), lines.join(''));
      expect((await run(['import', 'store', at('rows.jsonl')], first)).stderr).to.equal('');
      for (const [kind, fields] of Object.entries(values)) {
        const { stdout } = await run(['export', kind, ...own], first);
        expect(JSON.parse(stdout)).to.deep.include(fields);
        const bare = await run(['export', kind], first);
        expect(bare.stdout, 'without the contract').not.to.include('shelf');
      }

      const whole = at('store.jsonl');
      expect(await run(['export', 'store', '--out', whole], first)).to.include({ exitCode: 0 });
      const third = await databaseUrl(make);
      expect((await run(['import', 'store', whole], third)).stderr).to.equal('');
      const env = { ...third, PORT: '0', LOG_LEVEL: 'silent', DEMO_DATA: 'off', MCP_TOOLS: 'read' };
      const service = start(['serve', ...own], env);
      let url = '';
      for await (const chunk of service.stdout) {
        url = /listens on (\S+)/.exec(String(chunk))?.[1] ?? '';
        if (url !== '') break;
      }
      const ask = async (path: string): Promise<unknown> => (await fetch(url + path)).json();
      expect(await ask('/api/products?shelf=A2&envelope=false'))
        .to.have.nested.property('[0]')
        .that.deep.includes({ shelf: 'A2', rank: 8 })
        .and.not.has.property('secret');
      expect(await ask('/openapi.json')).to.have.nested.property(
        'components.schemas.ProductInput.properties.shelf.maxLength',
        5,
      );
      service.stop();
      await service.ended;
    });
  }

  for (const { name, make } of allStores.filter((each) => each.name !== 'memory')) {
    it(`drops the indexes of filters that are gone, when it migrates, ${name}`, async () => {
      const env = await databaseUrl(make);
      const migrated = async (...args: string[]) => (await run(['migrate', ...args], env)).stdout;
      const field = (filter: string) =>
        contract(`{ shelf: { type: string, maxLength: 5, x-stored: true${filter} } }`);
      await migrated('--contract', field(', x-filter: true'));
      expect(await migrated('--contract', field(', x-filter: true'))).to.include('up to date already');
      expect(await migrated(), 'without a contract').to.include('up to date already');
      const tables = ['users', 'products', 'orders', 'comments', 'posts'];
      const steps = await migrated('--contract', field(''));
      expect(steps.match(/ran drop index \w+(?=_stored_shelf_[0-9a-f]{8}$)/gm)?.toSorted()).to.deep.equal(
        tables.map((table) => `ran drop index ${table}`).toSorted(),
      );
      expect(await migrated('--contract', field(''))).to.include('up to date already');
      await migrated('--contract', field(', x-filter: true'));
      expect(await migrated('--contract', field(', default: A, x-filter: true'))).to.match(
        /ran drop index users_stored_shelf_/,
      );
    });
  }

  it('refuses a contract with a fault, or that does not exist, in one sentence', async () => {
    const env = { DATABASE_URL: `sqlite:${at('none.db')}`, PORT: '0', LOG_LEVEL: 'silent' };
    for (const [file, sentence] of [
      [at('missing.yaml'), /missing\.yaml missing-file: the file does not exist\n$/],
      [
        contract('{ shelf: { type: object, x-stored: true, x-filter: true } }'),
        /^\S*stock\.yaml:\d+:\d+ invalid-extension at \S+: x-filter needs one type: .*\n$/,
      ],
    ] as const) {
      for (const command of [['serve'], ['migrate'], ['export', 'users']]) {
        const { exitCode, stderr, stdout } = await run([...command, '--contract', file], env);
        expect([exitCode, stdout], stderr).to.deep.equal([1, '']);
        expect(stderr.replace(/\n[^]*/, '\n')).to.match(sentence);
      }
    }
  });

  it('says how in its help', async () => {
    for (const command of ['serve', 'migrate', 'export'])
      expect((await run([command, '--help'])).stdout).to.include('--contract <file>');
  });
});
