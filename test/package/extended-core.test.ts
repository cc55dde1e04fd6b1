/** README: a contract that extends the core's by two operations, a field, a topic and stores, from its overlay to HTTP, without a cast. */

import { expect } from 'chai';
import { type Consumer, useConsumers } from './consumer.js';
import { installed, programCommands } from './installed-packages.js';
import { block } from './readme-blocks.js';
import { serving } from './serving.js';

const PACKAGES = [block('install the core'), block('generate the extension')]
  .flatMap((commands) => installed(commands))
  .flatMap(({ names }) => names);

const FILES = ['stock.yaml', 'stock.codegen.ts', 'stock.ts', 'shop.ts'] as const;

describe('README: a contract that extends the core', function () {
  this.timeout(120_000);
  const consumerWith = useConsumers();
  let team: Consumer;

  before(() => {
    team = consumerWith(PACKAGES);
    for (const name of FILES) team.write(name, block(name));
    generate();
  });

  function generate(): void {
    for (const [program = '', ...parameters] of programCommands(block('generate the extension'))) {
      const { status, stdout, stderr } = team.node(`node_modules/.bin/${program}`, ...parameters);
      expect(status, stdout + stderr).to.equal(0);
      expect(stderr, 'no notes').to.equal('');
    }
  }

  it('compiles without a cast', () => {
    for (const name of ['stock.ts', 'shop.ts'] as const)
      expect(block(name)).not.to.match(/\bas (?!const)|\bany\b|<any>|@ts-|!\./);
    expect(team.typeProblems('shop.ts', 'stock.codegen.ts')).to.deep.equal([]);
  });

  it('serves its operations and those of the core, with its field in its own store and events on its topic', async () => {
    team.compile('shop.ts', '.');
    await serving(team, 'shop.js', async (port) => {
      const ask = async (method: string, path: string, body?: unknown, headers = {}) => {
        const response = await fetch(`http://127.0.0.1:${String(port)}${path}`, {
          method,
          headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        const text = await response.text();
        const isJson = response.headers.get('content-type')?.includes('json') === true;
        return [response.status, isJson ? (JSON.parse(text) as unknown) : text];
      };
      const links = { categories: '/api/products/1/categories' };
      const lamp = { id: '1', name: 'Lamp', price: 24.5, links, shelf: 'A7' };
      expect(await ask('POST', '/api/products', { name: 'Lamp', price: 24.5, shelf: 'A7' })).to.deep.equal([
        201,
        lamp,
      ]);
      expect(await ask('GET', '/api/products/1')).to.deep.equal([200, lamp]);
      expect(await ask('GET', '/api/products')).to.deep.equal([200, { data: [lamp], total: 1 }]);
      expect(await ask('GET', '/api/products?page=1&envelope=false')).to.deep.equal([200, [lamp]]);
      const [, xml] = await ask('GET', '/api/products/1', undefined, { Accept: 'application/xml' });
      expect(xml).to.include('<shelf>A7</shelf>');
      expect(await ask('PUT', '/api/products/1', { ...lamp, shelf: 'B1' })).to.deep.equal([
        200,
        { ...lamp, shelf: 'B1' },
      ]);

      expect(await ask('PUT', '/api/products/1/stock', { count: 3 })).to.deep.equal([204, '']);
      expect(await ask('PUT', '/api/products/9/stock', { count: 3 })).to.deep.equal([
        404,
        { error: 'Product not found' },
      ]);
      expect(await ask('GET', '/api/stock/changes')).to.deep.equal([200, ['1']]);

      const refused = await ask('POST', '/api/products', { name: 'Lamp', price: 1, shelf: 'x'.repeat(21) });
      expect(refused).to.deep.equal([400, { error: 'body/shelf must NOT have more than 20 characters' }]);
      expect((await ask('PUT', '/api/products/1/stock', { count: -1 }))[0]).to.equal(400);
      expect((await ask('GET', '/api/profile'))[0]).to.equal(401);
      expect(await ask('GET', '/api/users')).to.deep.equal([200, { data: [], total: 0 }]);

      expect((await ask('DELETE', '/api/products/1'))[0]).to.equal(204);
      expect((await ask('GET', '/api/products/1'))[0]).to.equal(404);
    });
  });

  it('does not compile without an operation, with a wrong topic, or without a required field', () => {
    const broken = (from: string, to: string, document = block('stock.yaml')): string => {
      team.write('stock.yaml', document);
      team.write('stock.ts', block('stock.ts').replace(from, to));
      expect(block('stock.ts')).to.include(from);
      return team.typeProblems('stock.ts').join('\n');
    };
    expect(broken('    listStockChanges: () => ({ status: 200, body: changes }),\n', '')).to.include(
      'listStockChanges',
    );
    expect(broken("publish('STOCK_COUNTED'", "publish('STOCK_COUNTNED'")).to.include('STOCK_COUNTNED');
    const required = `${block('stock.yaml')}  - { target: $.components.schemas.Product, update: { required: [shelf] } }\n`;
    team.write('stock.yaml', required);
    generate();
    // The core's handler answers without the field.
    const without = block('stock.ts').indexOf('    async getProduct');
    const end = block('stock.ts').indexOf('    async listProducts');
    const problems = broken(block('stock.ts').slice(without, end), '', required);
    expect(problems).to.include('getProduct').and.to.include('shelf');
  });
});
