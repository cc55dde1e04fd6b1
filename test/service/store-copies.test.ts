/** Whole stores and single users, moved between stores by the commands: with ids, times, hashes and keys. */

import { spawnSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { createServices } from '../../src/core/services/services.js';
import { fillWithDemoData } from '../../src/core/services/demo-data.js';
import { openPolicy } from '../../src/core/services/rights/policy.js';
import { operator } from '../../src/core/services/rights/caller.js';
import { postgresStorage } from '../../src/core/storage/postgres.js';
import { type SqlStorage, sqliteStorage } from '../../src/core/storage/sqlite.js';
import { block } from '../package/readme-blocks.js';
import { sharedPostgres } from '../support/postgres-server.js';
import { run, useDirectory } from './run.js';

const KINDS = ['users', 'products', 'orders', 'posts', 'comments'] as const;
const hasher = { hash: () => Promise.resolve('$hash'), verify: () => Promise.resolve(true) };
const now = '2026-06-01T00:00:00.000001Z';

describe('a store that is moved', () => {
  const at = useDirectory();
  let count = 0;
  const make = {
    SQLite: () => Promise.resolve(`sqlite:${at(`${String((count += 1))}.db`)}`),
    PostgreSQL: async () => await (await sharedPostgres()).createDatabase(),
  };
  const open = (url: string): Promise<SqlStorage> =>
    url.startsWith('sqlite:') ? sqliteStorage({ path: url.slice(7) }) : postgresStorage({ url });

  /** A store with demo data, of which the newest user, order, product and post are deleted again. */
  async function filled(url: string): Promise<void> {
    const storage = await open(url);
    await fillWithDemoData(createServices({ storage, policy: openPolicy, passwordHasher: hasher }), operator);
    const user = { name: 'Gone', email: 'gone@example.com', phone: undefined, city: 'Paris' };
    const gone = await storage.users.create(
      { ...user, role: 'user', status: 'active', passwordHash: 'p' },
      now,
    );
    if (gone === 'email-taken') throw new Error(gone);
    const items = [{ productId: undefined, name: 'Twine', quantity: 1, unitPriceCents: 5 }];
    await storage.orders.create({ userId: gone.id, totalCents: 5, items }, now);
    await storage.posts.create({ title: 'Gone', content: 'x', authorId: gone.id }, now);
    await storage.externalIdentities.findOrCreateUser(
      { issuer: 'https://idp.example', subject: 's' },
      { ...user, email: 'other@example.com', role: 'user', status: 'active', passwordHash: undefined },
      now,
    );
    await storage.apiKeys.create({ name: 'k', hash: 'kh', ownerId: '2' }, now);
    await storage.users.delete(gone.id);
    await storage.close();
  }

  async function exported(url: string): Promise<string> {
    const outputs = [];
    for (const kind of KINDS) outputs.push((await run(['export', kind], { DATABASE_URL: url })).stdout);
    return outputs.join('\n');
  }

  /** The ids that the next records get. */
  async function nextIds(url: string): Promise<readonly string[]> {
    const storage = await open(url);
    const user = { name: 'N', email: 'n@example.com', phone: undefined, city: undefined } as const;
    const made = await storage.users.create(
      { ...user, role: 'user', status: 'active', passwordHash: undefined },
      now,
    );
    if (made === 'email-taken') throw new Error(made);
    const product = await storage.products.create({ name: 'n', description: undefined, priceCents: 1 });
    const post = await storage.posts.create({ title: 't', content: 'c', authorId: made.id }, now);
    if (post === 'author-not-found') throw new Error(post);
    const [before] = await storage.posts.listBefore(post.id, 1);
    expect(post.createdAt > (before?.createdAt ?? '')).to.equal(true);
    const key = await storage.apiKeys.create({ name: 'n', hash: 'h', ownerId: undefined }, now);
    await storage.close();
    return [made.id, product.id, post.id, JSON.stringify(key)];
  }

  for (const [from, to] of [
    ['SQLite', 'PostgreSQL'],
    ['PostgreSQL', 'SQLite'],
    ['SQLite', 'SQLite'],
  ] as const) {
    it(`has everything, and assigns the next ids, from ${from} to ${to}`, async () => {
      const [source, target] = [await make[from](), await make[to]()];
      await filled(source);
      const file = at(`${from}-${to}.jsonl`);
      const [exporting = [], importing = []] = block('move the store')
        .trim()
        .split('\n')
        .map((line) => line.split('concordat-service ')[1]?.replace('store.jsonl', file).split(' '));
      const written = await run([...exporting, '--json'], { DATABASE_URL: source });
      expect(written.exitCode, written.stderr).to.equal(0);
      expect(JSON.parse(written.stdout)).to.deep.include({ kind: 'store', file });
      expect(statSync(file).mode & 0o777).to.equal(0o600);
      const taken = await run(importing, { DATABASE_URL: target });
      expect(taken).to.deep.include({ exitCode: 0, stderr: '' });
      expect(await exported(target)).to.equal(await exported(source));
      const [one, other] = await Promise.all([open(source), open(target)]);
      for (const email of ['ada@example.com', 'other@example.com']) {
        expect(await other.users.findCredentials(email)).to.deep.equal(
          await one.users.findCredentials(email),
        );
      }
      const identity = { issuer: 'https://idp.example', subject: 's' };
      expect(await other.externalIdentities.findUser(identity)).to.include({ email: 'other@example.com' });
      expect((await other.apiKeys.findCredentials('1'))?.hash).to.equal('kh');
      await Promise.all([one.close(), other.close()]);
      expect(await nextIds(target)).to.deep.equal(await nextIds(source));

      const again = await run(['import', 'store', file], { DATABASE_URL: target });
      expect(again).to.deep.include({ exitCode: 0, stderr: '' });
      expect(again.stdout).to.match(/^Imported (\d+) of \1 rows, \1 of them earlier\n$/);
      await run(['export', 'store', '--out', file], { DATABASE_URL: target });
      const full = await run(['import', 'store', file], { DATABASE_URL: target });
      expect(full).to.deep.include({ exitCode: 1 });
      expect(full.stderr).to.match(/^line 1: The store is not empty\n/);
    });
  }

  for (const kind of ['SQLite', 'PostgreSQL'] as const) {
    it(`takes the rows that the guide makes of a foreign file, ${kind}`, async () => {
      const env = { DATABASE_URL: await make[kind]() };
      await filled(env.DATABASE_URL);
      writeFileSync(at('to-rows.mjs'), block('to-rows.mjs'));
      const people = { name: 'Zoë', mail: 'zoe@example.com', since: '2020-01-01T00:00:00Z' };
      const { stdout, stderr } = spawnSync(process.execPath, [at('to-rows.mjs')], {
        input: `${JSON.stringify(people)}\n`,
        encoding: 'utf8',
      });
      expect(stderr).to.equal('');
      const posts = [
        { title: 'One', content: 'x', author_id: '2', created_at: '2020-01-01T00:00:00.000000Z' },
        { title: 'Two', content: 'x', author_id: '2', created_at: now },
      ];
      const rows = posts.map((row) => `${JSON.stringify({ table: 'posts', row })}\n`);
      writeFileSync(at('rows.jsonl'), stdout + rows.join(''));
      const [, command = ''] = block('import the rows').split('concordat-service ');
      const words = command.trim().split(' ');
      const imported = await run(
        words.map((word) => (word === 'rows.jsonl' ? at(word) : word)),
        env,
      );
      expect([imported.stdout, imported.stderr]).to.deep.equal(['Imported 3 of 3 rows\n', '']);
      expect((await run(['export', 'users'], env)).stdout).to.include(
        '"createdAt":"2020-01-01T00:00:00.000000Z"',
      );
      const all = (await run(['export', 'posts'], env)).stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { createdAt: string; title: string });
      expect(all.slice(-2).map(({ title }) => title)).to.deep.equal(['One', 'Two']);
      const times = all.map(({ createdAt }) => createdAt);
      expect([...new Set(times)].sort()).to.deep.equal(times);

      const early = { ...posts[0], id: '999' };
      writeFileSync(at('early.jsonl'), JSON.stringify({ table: 'posts', row: early }));
      const refused = await run(['import', 'store', at('early.jsonl')], env);
      expect(refused.stderr).to.match(/^line 1: createdAt must be between/);
    });

    it(`gives one deleted user back, as the guide says, ${kind}`, async () => {
      const url = await make[kind]();
      const copy = await make[kind]();
      await filled(url);
      await run(['export', 'store', '--out', at('whole.jsonl')], { DATABASE_URL: url });
      await run(['import', 'store', at('whole.jsonl')], { DATABASE_URL: copy });
      const before = await exported(url);
      const storage = await open(url);
      const credentials = await storage.users.findCredentials('grace@example.com');
      expect(await storage.users.delete('2')).to.equal('deleted');
      await storage.close();
      expect(await exported(url)).to.not.equal(before);

      const script = block('bring a user back').trim().split('\n');
      const commands = script.filter((line) => line.includes('concordat-service '));
      expect(commands).to.have.length(2);
      for (const line of commands) {
        const [, command = ''] = line.split('concordat-service ');
        const parameters = command.split(' ').map((word) => (word === 'user-2.jsonl' ? at(word) : word));
        const env = { DATABASE_URL: line.startsWith('DATABASE_URL=') ? copy : url };
        const { exitCode, stderr } = await run(parameters, env);
        expect([exitCode, stderr], line).to.deep.equal([0, '']);
      }
      expect(await exported(url)).to.equal(before);
      const audited = await run(['audit', '--target', 'user:2'], { DATABASE_URL: url });
      expect(audited.stdout).to.match(
        /\toperator\trecords\.import\tuser:2\tcommand line\tdone\trows 1 to \d+ of \d+, /,
      );
      const after = await open(url);
      expect((await after.users.findCredentials('grace@example.com'))?.passwordHash).to.equal(
        credentials?.passwordHash,
      );
      expect((await after.apiKeys.findCredentials('1'))?.hash).to.equal('kh');
      expect((await after.users.find('2'))?.sessionsFrom, 'earlier tokens').to.not.equal(undefined);
      await after.close();
      expect(readFileSync(at('user-2.jsonl'), 'utf8')).to.not.include('ada@example.com');
    });

    it(`publishes the user that is given back, when asked, ${kind}`, async () => {
      const url = await make[kind]();
      await filled(url);
      const file = at(`published-${kind}.jsonl`);
      expect(await run(['export', 'store', '--user', '2', '--out', file], { DATABASE_URL: url })).to.include({
        exitCode: 0,
      });
      const whole = at(`published-whole-${kind}.jsonl`);
      await run(['export', 'store', '--out', whole], { DATABASE_URL: url });
      const storage = await open(url);
      const { id } = await storage.outbox.create({ consumer: 'queue', url: '' }, now);
      expect(await storage.users.delete('2')).to.equal('deleted');
      const refused = await run(['import', 'store', whole, '--publish'], { DATABASE_URL: url });
      expect(refused.stderr).to.include('--publish is for the file of one user');
      const imported = await run(['import', 'store', file, '--publish'], { DATABASE_URL: url });
      expect(imported).to.include({ exitCode: 0 });
      const [event, ...others] = await storage.outbox.listDeliveries(id, { offset: 0, limit: 9 });
      expect(event).to.include({ type: 'user.created', subject: 'user:2', status: 'pending' });
      expect(event?.data).to.deep.include({ id: '2', email: 'grace@example.com' });
      expect(others).to.deep.equal([]);
      await storage.close();
    });
  }
});
