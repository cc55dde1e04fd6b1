/** The files in the core's README: applications, and adapters of a team's own. */

import { createServer } from 'node:http';
import { expect } from 'chai';
import { storageChecks, storageChecksOf } from '../../src/core/conformance/storage/storage.js';
import { type Consumer, useConsumers } from './consumer.js';
import { installed } from './installed-packages.js';
import { type BlockName, block } from './readme-blocks.js';
import { serving } from './serving.js';

const PACKAGES = installed(block('install the core')).flatMap(({ names }) => names);

describe('README: the core in a project', () => {
  const consumerWith = useConsumers();

  /** A project that has the file of a block, compiled. */
  function projectWith(name: BlockName, text = block(name)): Consumer {
    const consumer = consumerWith(PACKAGES);
    consumer.write(name, text);
    expect(consumer.typeProblems(name)).to.deep.equal([]);
    consumer.compile(name, '.');
    return consumer;
  }

  it('is a Koa application in ten lines', async () => {
    const lines = block('app.ts').trimEnd().split('\n').filter(Boolean);
    expect(lines).to.have.length.at.most(10);
    await serving(projectWith('app.ts'), 'app.js', async (port) => {
      const users = await fetch(`http://127.0.0.1:${String(port)}/api/users`);
      expect([users.status, await users.json()]).to.deep.equal([200, { data: [], total: 0 }]);
    });
  });

  it('serves GraphQL', async () => {
    await serving(projectWith('graphql-app.ts'), 'graphql-app.js', async (port) => {
      const query = encodeURIComponent('{ users { name } }');
      const answer = await fetch(`http://127.0.0.1:${String(port)}/graphql?query=${query}`);
      expect(await answer.json()).to.deep.equal({ data: { users: [] } });
    });
  });

  it('checks a store with the test runner of Node', () => {
    const team = projectWith('store.test.ts');
    const { stdout, status } = team.node('--test', '--test-reporter=tap', 'store.test.js');
    expect(status, stdout).to.equal(0);
    expect(stdout).to.include(`# pass ${String(storageChecks.length)}\n`);
  });

  it('finds a store that breaks a rule with these checks', () => {
    const broken = block('store.test.ts').replace(
      'check.run(() => memoryStorage())',
      'check.run(() => { const store = memoryStorage(); store.users.count = () => Promise.resolve(7); return store; })',
    );
    const { status, stdout } = projectWith('store.test.ts', broken).node('--test', 'store.test.js');
    expect(status, stdout).to.equal(1);
  });

  it('has the services of a part of the stores, and no others', () => {
    const team = projectWith('catalogue.ts');
    const { stdout, stderr } = team.node('catalogue.js');
    expect([stdout, stderr]).to.deep.equal(["[ 'Lamp 2450' ]\n", '']);
    team.write('catalogue.ts', block('catalogue.ts').replaceAll('services.products', 'services.orders'));
    expect(team.typeProblems('catalogue.ts').join('\n')).to.include("'orders' does not exist");
  });

  it('checks a part of the stores', () => {
    const { stdout, status } = projectWith('catalogue.test.ts').node(
      '--test',
      '--test-reporter=tap',
      'catalogue.test.js',
    );
    expect(status, stdout).to.equal(0);
    expect(stdout).to.include(`# pass ${String(storageChecksOf('products').length)}\n`);
  });

  it('runs a unit test on the core', () => {
    const { stdout, status } = projectWith('lamps.test.ts').node(
      ...['--test', '--test-reporter=tap', 'lamps.test.js'],
    );
    expect(status, stdout).to.equal(0);
    expect(stdout).to.include('# pass 1\n');
  });

  it('asks a policy with a row that is a function', () => {
    const team = projectWith('policy.ts');
    const { stdout, stderr } = team.run(`
      import { anyPage, createServices, everyOrder, fillWithDemoData, openPolicy, operator } from '@concordat/core';
      import { argon2Hasher } from '@concordat/core/identity/argon2';
      import { memoryStorage } from '@concordat/core/storage/memory';
      import { tenantPolicy } from './policy.js';
      const storage = memoryStorage();
      const passwordHasher = argon2Hasher();
      await fillWithDemoData(createServices({ storage, policy: openPolicy, passwordHasher }), operator);
      const policy = tenantPolicy((userId) => (userId === '3' ? 'south' : 'north'));
      const { orders } = createServices({ storage, policy });
      for (const id of ['1', '3']) {
        const { data, pagination } = await orders.list({ kind: 'user', id, role: 'admin' }, everyOrder, anyPage);
        console.log(id, pagination.total, [...new Set(data.map(({ userId }) => userId))].join());
      }
    `);
    expect([stdout, stderr]).to.deep.equal(['1 2 2\n3 2 3\n', '']);
  });

  it('migrates a table of its own, and writes it in the transactions of writes', () => {
    const team = consumerWith([...PACKAGES, 'kysely']);
    for (const name of ['write-hooks.ts', 'open-card.ts', 'cards-table.ts'] as const) {
      team.write(name, block(name));
      expect(team.typeProblems(name)).to.deep.equal([]);
      team.compile(name, '.');
    }
    const { stdout, stderr } = team.run(`
      import { anonymous, createServices, openPolicy, operator } from '@concordat/core';
      import { sqliteStorage } from '@concordat/core/storage/sqlite';
      import { migrateCards } from './cards-table.js';
      import { openCard } from './open-card.js';
      import { hooks } from './write-hooks.js';
      const storage = await sqliteStorage({ path: './library.db' });
      const seen = [];
      const query = (sql) => ({ after: async (_, tx) => void seen.push((await tx.query(sql)).rows) });
      const runQuery = (sql) =>
        createServices({ storage, policy: openPolicy, hooks: { 'products.write': query(sql) } }).products.create(
          operator, { name: 'Lamp', price: 1 });
      const own = createServices({ storage, policy: openPolicy });
      for (let start = 0; start < 2; start += 1) await migrateCards(own);
      await runQuery('select count(*) as steps from library_steps');
      const { users } = createServices({ storage, policy: openPolicy, hooks });
      const ada = { name: 'Ada', email: 'ada@example.com' };
      const { id, status } = await users.create(anonymous, ada);
      await runQuery('select * from library_cards');
      const refusal = await users.create(anonymous, { ...ada, email: 'a@example.org' }).catch(String);
      await users.delete(operator, id);
      await runQuery('select * from library_cards');
      const services = createServices({ storage, policy: openPolicy });
      await openCard(services, operator, ada);
      await runQuery('drop table library_cards');
      const kept = await openCard(services, operator, { ...ada, email: 'b@example.com' }).catch(() =>
        services.users.list(operator, {}));
      seen.splice(-1, 1, kept.data.map(({ email }) => email));
      console.log(status, refusal, JSON.stringify(seen));
      await storage.close();
    `);
    const rows = '[[{"steps":2}],[{"user_id":"1","opened_by":"anonymous"}],[],["ada@example.com"]]';
    expect([stdout, stderr]).to.deep.equal([`inactive ServiceError: Ask your librarian ${rows}\n`, '']);
  });

  it('asks another service about tokens', async () => {
    const server = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        if (text === 'token=down') response.writeHead(503).end();
        else response.end(JSON.stringify({ active: text === 'token=good', sub: '7', exp: 2e9, iat: 1e9 }));
      });
    }).listen(0, '127.0.0.1');
    try {
      await new Promise((resolve) => server.once('listening', resolve));
      const address = server.address();
      const port = typeof address === 'object' ? address?.port : undefined;
      const team = projectWith('tokens.ts');
      const output = await team.runBeside(`
        import { jwtCodec } from '@concordat/core/identity/jwt';
        import { introspectedTokens } from './tokens.js';
        const secrets = { accessSecret: 'a'.repeat(32), refreshSecret: 'r'.repeat(32) };
        const tokens = introspectedTokens('http://127.0.0.1:${String(port)}', jwtCodec(secrets));
        const now = new Date().toISOString();
        console.log((await tokens.readAccess('good', now)).userId, await tokens.readAccess('bad', now));
        console.log(await tokens.readAccess('down', now).catch(({ code }) => code));
      `);
      expect(output).to.equal('7 undefined\nunavailable\n');
    } finally {
      server.close();
    }
  });
});
