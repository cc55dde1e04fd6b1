/** Guides: contracts that extend the core's by operations, stored fields, a type and a topic, from their files to HTTP, without a cast. */

import { expect } from 'chai';
import { parse } from 'yaml';
import { type Consumer, useConsumers } from './consumer.js';
import { installed, programCommands } from './installed-packages.js';
import { type BlockName, block } from './readme-blocks.js';
import { serving } from './serving.js';

const PACKAGES = ['install the core', 'generate both', 'install the service', 'install the tools'] as const;

const FILES = [
  'stock.yaml',
  'stock.ts',
  'stock.graphql',
  'shop.codegen.ts',
  'resolvers.ts',
  'shop.ts',
  'whole-shop.ts',
] as const;

describe('README: a contract that extends the core', () => {
  const consumerWith = useConsumers();
  let team: Consumer;

  before(() => {
    const installations = PACKAGES.flatMap((name) => installed(block(name)));
    team = consumerWith([...new Set(installations.flatMap(({ names }) => names))]);
    for (const name of FILES) team.write(name, block(name));
    const rest = block('shop.codegen.ts').replaceAll(
      /^ {2}(?:schema: .*|resolvers: \{[^]*?^ {2}\}),\n/gm,
      '',
    );
    team.write('stock.codegen.ts', rest);
    generateRest();
    expect(team.typeProblems('stock.ts', 'stock.codegen.ts'), 'without GraphQL').to.deep.equal([]);
    generate('generate both');
  });

  /** Without the schema, as the guide says. */
  function generateRest(): void {
    const { status, stderr } = team.node(
      'node_modules/.bin/concordat',
      'generate',
      '--config',
      'stock.codegen.ts',
    );
    expect([status, stderr]).to.deep.equal([0, '']);
  }

  function generate(commands: BlockName): void {
    for (const [program = '', ...parameters] of programCommands(block(commands))) {
      const { status, stdout, stderr } = team.node(`node_modules/.bin/${program}`, ...parameters);
      expect(status, stdout + stderr).to.equal(0);
      expect(stderr, 'no notes').to.equal('');
    }
  }

  it('compiles without a cast', () => {
    for (const name of ['stock.ts', 'resolvers.ts', 'shop.ts', 'whole-shop.ts'] as const) {
      const code = block(name).replaceAll(/\/\*\*.*?\*\/|\/\/.*/g, '');
      expect(code).not.to.match(/\bas (?!const)|\bany\b|<any>|@ts-|!\./);
    }
    expect(team.typeProblems('shop.ts', 'whole-shop.ts', 'shop.codegen.ts')).to.deep.equal([]);
  });

  it('serves its operations and those of the core, with its field in its own store and events on its topic', async () => {
    team.compile('shop.ts', '.');
    await serving(team, 'shop.js', async (port) => {
      const ask = askAt(port);
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

      const counted = await subscription(port, 'subscription { stockCounted }');
      expect(await ask('PUT', '/api/products/1/stock', { count: 3 })).to.deep.equal([204, '']);
      expect(await ask('PUT', '/api/products/9/stock', { count: 3 })).to.deep.equal([
        404,
        { error: 'Product not found' },
      ]);
      expect(await ask('GET', '/api/stock/changes')).to.deep.equal([200, ['1']]);
      expect(await counted()).to.deep.equal({ data: { stockCounted: '1' } });

      const refused = await ask('POST', '/api/products', { name: 'Lamp', price: 1, shelf: 'x'.repeat(21) });
      expect(refused).to.deep.equal([400, { error: 'body/shelf must NOT have more than 20 characters' }]);
      expect((await ask('PUT', '/api/products/1/stock', { count: -1 }))[0]).to.equal(400);
      expect((await ask('GET', '/api/profile'))[0]).to.equal(401);
      expect(await ask('GET', '/api/users')).to.deep.equal([200, { data: [], total: 0 }]);
      await usesGraphql(port);
      expect(await toolResult(port, 'listStockChanges')).to.deep.equal(['1']);

      expect((await ask('DELETE', '/api/products/1'))[0]).to.equal(204);
      expect((await ask('GET', '/api/products/1'))[0]).to.equal(404);
    });
  });

  it('is served by the whole service, with pages, metrics and tools', async () => {
    team.compile('whole-shop.ts', '.');
    const settings = { DATABASE_URL: 'memory:', DEMO_DATA: 'off', LOG_LEVEL: 'silent' };
    await serving(
      team,
      'whole-shop.js',
      async (port) => {
        const ask = askAt(port);
        const [status, lamp] = await ask('POST', '/api/products', { name: 'Lamp', price: 24.5, shelf: 'A7' });
        expect([status, lamp]).to.deep.include.members([201]).and.to.have.nested.property('[1].shelf', 'A7');
        const counted = await subscription(port, 'subscription { stockCounted }');
        expect((await ask('PUT', '/api/products/1/stock', { count: 3 }))[0]).to.equal(204);
        expect(await counted()).to.deep.equal({ data: { stockCounted: '1' } });
        await usesGraphql(port);
        expect(await toolResult(port, 'getProduct', { id: '1' })).to.deep.include({ shelf: 'A7' });

        const [, json] = await ask('GET', '/openapi.json');
        expect(json).to.have.nested.property('components.schemas.Product.properties.shelf.maxLength', 20);
        expect(json).to.have.property('paths').that.includes.keys('/api/products/{id}/stock', '/api/users');
        const [, yaml] = await ask('GET', '/openapi.yaml');
        expect(parse(String(yaml))).to.deep.equal(json);
        expect((await ask('GET', '/schema.graphql'))[1])
          .to.include('stockCounted: ID!')
          .and.to.include('postAdded(');
        expect((await ask('GET', '/docs'))[0]).to.equal(200);
        expect((await ask('GET', '/metrics'))[1]).to.include('operation="countStock"');
      },
      settings,
    );
  });

  it('may be a document that has some operations of the core by $ref', async () => {
    team.write('catalogue.yaml', block('catalogue.yaml'));
    team.write('catalogue.codegen.ts', block('catalogue.codegen.ts'));
    team.write('catalogue-engine.ts', block('catalogue-engine.ts'));
    generate('generate the part');
    team.write(
      'catalogue-server.ts',
      `import { createServer } from 'node:http';
import { nodeTransport } from '@concordat/runtime/node';
import { engine } from './catalogue-engine.js';
createServer(nodeTransport(engine)).listen(3000);
`,
    );
    expect(team.typeProblems('catalogue-server.ts')).to.deep.equal([]);
    team.compile('catalogue-server.ts', '.');
    await serving(team, 'catalogue-server.js', async (port) => {
      const ask = askAt(port);
      expect(await ask('GET', '/api/bestseller')).to.deep.equal([404, { error: 'Product not found' }]);
      const [, lamp] = await ask('POST', '/api/products', { name: 'Lamp', price: 24.5 });
      expect(await ask('GET', '/api/bestseller')).to.deep.equal([200, lamp]);
      expect((await ask('GET', '/api/users'))[0]).to.equal(404);
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
    const update = (required: string) =>
      `  - { target: $.components.schemas.Product, update: { required: [${required}] } }\n`;
    const color =
      '  - { target: $.components.schemas.Product.properties, update: { color: { type: string } } }\n';
    for (const [actions, problem] of [
      // The core's handlers answer with a stored field, and without another.
      [update('shelf'), ''],
      [color + update('color'), 'color'],
    ] as const) {
      const required = block('stock.yaml') + actions;
      team.write('stock.yaml', required);
      generateRest();
      expect(broken('changes: Id[]', 'changes: Id[]', required)).to.match(problem === '' ? /^$/ : /color/);
    }
  });
});

type Ask = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<readonly [status: number, body: unknown]>;

function askAt(port: number): Ask {
  return async (method, path, body, headers = {}) => {
    const response = await fetch(`http://127.0.0.1:${String(port)}${path}`, {
      method,
      headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    return [response.status, isJson ? (JSON.parse(text) as unknown) : text];
  };
}

/** Uses the fields of the extended schema, and those of the core. */
async function usesGraphql(port: number): Promise<void> {
  const ask = askAt(port);
  const run = async (query: string) => (await ask('POST', '/graphql', { query }))[1];
  await run('mutation { createUser(name: "Ada", email: "ada@example.com") { id } }');
  expect(
    await run('mutation { givePoints(userId: "1", points: 5) { name loyalty { points } } }'),
  ).to.deep.equal({
    data: { givePoints: { name: 'Ada', loyalty: { points: 5 } } },
  });
  await run('mutation { createUser(name: "Grace", email: "grace@example.com") { id } }');
  expect(await run('{ loyalUsers { email } users { loyalty { points } } }')).to.deep.equal({
    data: {
      loyalUsers: [{ email: 'ada@example.com' }],
      users: [{ loyalty: { points: 5 } }, { loyalty: null }],
    },
  });
}

/** Opens a subscription over server-sent events. @returns a function that waits for its first result */
async function subscription(port: number, query: string): Promise<() => Promise<unknown>> {
  const headers = { 'Content-Type': 'application/json', Accept: 'text/event-stream' };
  const { body } = await fetch(`http://127.0.0.1:${String(port)}/graphql`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ query }),
  });
  if (body === null) throw new Error('the subscription has no body');
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  return async () => {
    for (let text = ''; ;) {
      const { value, done } = await reader.read();
      if (done) throw new Error(`the subscription ended: ${text}`);
      text += value;
      const [, data] = /^data: (.+)$/m.exec(text) ?? [];
      if (data === undefined) continue;
      await reader.cancel();
      return JSON.parse(data) as unknown;
    }
  };
}

/** Calls a tool for models. @returns the body of its answer */
async function toolResult(port: number, name: string, parameters: object = {}): Promise<unknown> {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: parameters } };
  const headers = { Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2025-06-18' };
  const [, answer] = await askAt(port)('POST', '/mcp', message, headers);
  const { result } = answer as {
    readonly result: { readonly content: readonly { readonly text: string }[] };
  };
  return JSON.parse(result.content[0]?.text ?? '');
}
