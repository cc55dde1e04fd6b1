/** The program with the contract of an operator: it serves, exports and imports the stored fields of an overlay, without any TypeScript. */

import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { openapiFile } from '../../src/core/contract.js';
import { databaseUrl, removeStores, stores } from '../support/stores.js';
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

  for (const { name, make } of stores.filter((each) => each.name !== 'memory')) {
    it(`imports, exports and serves the fields, ${name}`, async function () {
      this.timeout(60_000); // the first test on PostgreSQL starts the server
      const [first, second] = [await databaseUrl(make), await databaseUrl(make)];
      const own = ['--contract', contract()];
      const lines = {
        users: { name: 'Ada', email: 'ada@example.com', shelf: 'A1', secret: 'x', rank: 7 },
        products: { name: 'Lamp', price: 1, shelf: 'A2', secret: 'y', rank: 8 },
        orders: { userId: '1', items: [{ name: 'Lamp', unitPrice: 1, quantity: 1 }], shelf: 'A3', rank: 9 },
        posts: { title: 'T', content: 'C', authorId: '1', shelf: 'A4' },
        comments: { orderId: '1', userId: '1', text: 'Hi', shelf: 'A5', secret: 'z' },
      };
      for (const [kind, line] of Object.entries(lines)) {
        const file = at(`${kind}.jsonl`);
        writeFileSync(file, `${JSON.stringify(line)}\n`);
        const { exitCode, stderr } = await run(['import', kind, file, ...own], first);
        expect([exitCode, stderr], kind).to.deep.equal([0, '']);
        const refused = `${JSON.stringify({ ...line, shelf: 'too long' })}\n`;
        writeFileSync(file, refused);
        if (kind !== 'posts')
          expect((await run(['import', kind, file, ...own], first)).stderr).to.include(
            'line 1: shelf must NOT have more than 5 characters',
          );
      }
      for (const kind of Object.keys(lines)) {
        const file = at(`${kind}.jsonl`);
        expect(await run(['export', kind, '--out', file, ...own], first)).to.include({ exitCode: 0 });
        const line = lines[kind as keyof typeof lines];
        expect(JSON.parse(readFileSync(file, 'utf8'))).to.deep.include({
          ...line,
          ...('items' in line && { items: [{ ...line.items[0], id: '1' }] }),
        });
        const bare = await run(['export', kind], first);
        expect(bare.stdout, 'without the contract').not.to.include('shelf');
        const copied = await run(['import', kind, file, '--keep-ids', ...own], second);
        expect([copied.exitCode, copied.stderr], kind).to.deep.equal([0, '']);
        expect((await run(['export', kind, ...own], second)).stdout).to.equal(readFileSync(file, 'utf8'));
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

  for (const { name, make } of stores.filter((each) => each.name !== 'memory')) {
    it(`drops the indexes of filters that are gone, when it migrates, ${name}`, async function () {
      this.timeout(60_000);
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

  it('checks imported values of read-only fields too, and takes records from before a required field', async () => {
    const env = { DATABASE_URL: `sqlite:${at('checked.db')}` };
    const lines = {
      users: { name: 'Ada', email: 'ada@example.com' },
      products: { name: 'Lamp', price: 1 },
      orders: { userId: '1', items: [{ name: 'Lamp', unitPrice: 1, quantity: 1 }] },
      posts: { title: 'T', content: 'C', authorId: '1' },
      comments: { orderId: '1', userId: '1', text: 'Hi' },
    };
    const records = "$.components.schemas['User', 'Product', 'Order', 'Comment', 'Post']";
    const required = overlay(FIELDS) + `  - target: ${records}\n    update: { required: [shelf] }\n`;
    writeFileSync(at('required.yaml'), required);
    const own = ['--contract', at('required.yaml')];
    const imported = async (kind: string, line: object, ...options: string[]) => {
      writeFileSync(at('line.jsonl'), `${JSON.stringify(line)}\n`);
      return await run(['import', kind, at('line.jsonl'), ...options], env);
    };
    for (const [kind, line] of Object.entries(lines)) {
      for (const [values, sentence] of [
        [{ rank: 'first' }, 'line 1: rank must be integer'],
        [{ shelf: 'too long' }, 'line 1: shelf must NOT have more than 5 characters'],
        [{ secret: '\u0000' }, 'line 1: secret must not hold control characters'],
      ] as const)
        expect((await imported(kind, { ...line, ...values }, ...own)).stderr, kind).to.include(sentence);
      expect((await imported(kind, line, ...own)).stderr, kind).to.equal('');
    }
  });

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
    for (const command of ['serve', 'migrate', 'import', 'export'])
      expect((await run([command, '--help'])).stdout).to.include('--contract <file>');
  });
});
