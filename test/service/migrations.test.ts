/** Versions on one database: an older one on a database that a newer one has expanded, and what `migrate --dry-run` says about it. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '../../src/core/storage/sqlite/driver.js';
import { expect } from 'chai';
import pg from 'pg';
import { ROOT } from '../architecture/source-tree.js';
import { block } from '../package/readme-blocks.js';
import { withMigration } from '../support/later-migration.js';
import { sharedPostgres } from '../support/postgres-server.js';
import { run, start, useDirectory } from './run.js';

const ofDevelopment =
  'The database is of a development version before the first release (0001_initial has run), which no release can migrate: export its records with the version that made it, make rows of them, and import these into an empty database';

for (const kind of ['sqlite', 'postgres'] as const) {
  describe(`a database of another version, ${kind}`, () => {
    const at = useDirectory();
    let count = 0;

    const make = async (): Promise<Record<string, string>> => {
      const url =
        kind === 'sqlite'
          ? `sqlite:${at(`${String((count += 1))}.db`)}`
          : await (await sharedPostgres()).createDatabase();
      return { DATABASE_URL: url, PORT: '0', LOG_LEVEL: 'silent', DEMO_DATA: 'off' };
    };

    const execute = async ({ DATABASE_URL = '' }: Record<string, string>, sql: string): Promise<void> => {
      if (kind === 'sqlite') {
        const database = new DatabaseSync(DATABASE_URL.slice('sqlite:'.length));
        database.exec(sql);
        database.close();
        return;
      }
      const client = new pg.Client({ connectionString: DATABASE_URL });
      await client.connect();
      await client.query(sql);
      await client.end();
    };

    const ran = (name: string): string =>
      `insert into concordat_migrations values ('${name}', '2099-01-01T00:00:00.000Z')`;

    async function migrated(...names: readonly string[]): Promise<Record<string, string>> {
      const env = await make();
      expect((await run(['migrate'], env)).exitCode).to.equal(0);
      await execute(env, 'alter table users add column nickname text; create table badges (id integer)');
      for (const name of names) await execute(env, ran(name));
      return env;
    }

    it('starts on a database that a later version has expanded, as the dry run says', async () => {
      const env = await migrated('0098_nicknames', '0099_badges');
      const dry = await run(['migrate', '--dry-run'], env);
      expect(dry).to.deep.include({ exitCode: 0, stderr: '' });
      expect(dry.stdout).to.match(
        /: up to date already\n {2}a later version has run 0098_nicknames\n {2}a later version has run 0099_badges\n$/,
      );
      const { stdout } = await run(['migrate', '--dry-run', '--json'], env);
      expect(JSON.parse(stdout)).to.deep.include({
        migrations: [],
        later: ['0098_nicknames', '0099_badges'],
      });
      const service = start(['serve'], { ...env, STOP_TIMEOUT: '10' });
      let text = '';
      for await (const chunk of service.stdout) if (/listens on \S+/.test((text += String(chunk)))) break;
      const url = /listens on (\S+)/.exec(text)?.[1] ?? '';
      const made = await fetch(`${url}/api/users`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', connection: 'close' },
        body: JSON.stringify({ name: 'Ada', email: 'ada@example.com' }),
      });
      expect(made.status).to.equal(201);
      expect((await fetch(`${url}/readyz`, { headers: { connection: 'close' } })).status).to.equal(200);
      service.stop();
      expect(await service.ended).to.equal(0);
    });

    it('is refused below the recorded minimum version, by the dry run and by the start', async () => {
      const env = await migrated('0098_nicknames', '0099_drop_phone>=7.1.0');
      const refusal =
        /^The database needs version 7\.1\.0 or later, because 0099_drop_phone>=7\.1\.0 has run; this is version \d/;
      for (const command of [['migrate', '--dry-run'], ['migrate'], ['serve'], ['serve', '--no-migrate']]) {
        const { exitCode, stderr } = await run(command, env);
        expect(exitCode, command.join(' ')).to.equal(1);
        expect(stderr, command.join(' ')).to.match(refusal);
      }
      const met = await migrated('0099_drop_phone>=0.2.0');
      expect(await run(['migrate', '--dry-run'], met)).to.deep.include({ exitCode: 0, stderr: '' });
      expect((await run(['migrate'], met)).exitCode).to.equal(0);
    });

    it('is upgraded and taken back as the guide says', async () => {
      const commands = (text: string) =>
        text
          .trim()
          .split('\n')
          .map((line) => line.trim().split(' ').slice(1));
      const env = await make();
      const outputs: string[] = [];
      for (const command of commands(block('upgrade the store')))
        outputs.push((await run(command, env)).stdout);
      const [dry, done] = outputs;
      expect(dry?.replaceAll('would run', 'ran').replace('out of date', 'brought up to date')).to.equal(done);

      const [ask = []] = commands(block('ask the old version'));
      const description = kind === 'sqlite' ? /^SQLite, .*(?=:)/ : /^PostgreSQL, .*(?=:)/;
      await execute(env, ran('0008_nicknames'));
      const expanded = await run(ask, env);
      expect(expanded.stdout.replace(description, 'SQLite, ./data/service.db').trimEnd()).to.equal(
        block('expanded store').trimEnd(),
      );
      expect(expanded.exitCode).to.equal(0);
      await execute(env, ran('0012_drop_phone>=0.4.0'));
      expect(await run(ask, env)).to.deep.equal({
        exitCode: 1,
        stdout: '',
        stderr: `${block('store of a later version').trimEnd()}\n`,
      });
    });

    const expectRefusal = async (env: Record<string, string>, sentence: string): Promise<void> => {
      for (const command of [['migrate', '--dry-run'], ['migrate'], ['serve']]) {
        const { exitCode, stderr } = await run(command, env);
        expect([exitCode, stderr], command.join(' ')).to.deep.equal([1, `${sentence}\n`]);
      }
    };

    it('is refused as damaged if a migration before another has not run', async () => {
      const env = await migrated('0098_nicknames');
      await execute(env, `delete from concordat_migrations where name < '0098'`);
      await expectRefusal(
        env,
        'The database is damaged, or was restored in part: 0098_nicknames has run, and 0001_first_release before it has not; restore a whole copy',
      );
    });

    it('is refused if it is of a development version, which can export its records', async () => {
      const env = await make();
      await execute(env, 'create table concordat_migrations (name varchar(255), timestamp varchar(255))');
      for (const name of ['0001_initial', '0002_external_identities']) await execute(env, ran(name));
      await expectRefusal(env, ofDevelopment);
    });

    it('is refused if it is of another application, and stays as it is', async () => {
      const env = await make();
      await execute(env, 'create table users (login text)');
      await expectRefusal(
        env,
        'The database has a table users that this service has not made: use an empty database, or on PostgreSQL an empty schema',
      );
      await execute(env, 'drop table users');
      expect((await run(['migrate'], env)).exitCode).to.equal(0);
    });

    it('is expanded by a later version, and keeps its records', async () => {
      const env = await make();
      const added = await run(
        ['users', 'create', '--email', 'ada@example.com', '--admin', '--json'],
        env,
        'a long password\n',
      );
      expect(added.exitCode, added.stderr).to.equal(0);
      const statements = () => [
        'alter table users add column nickname text',
        'create table badges (user_id integer references users (id) on delete cascade)',
      ];
      const { stdout: users } = await run(['export', 'users'], env);
      expect(users).to.include('ada@example.com');
      await withMigration('0098_nicknames', statements, async () => {
        expect((await run(['migrate', '--dry-run'], env)).stdout).to.match(/would run 0098_nicknames\n$/);
        const unmigrated = await run(['serve', '--no-migrate'], env);
        expect(unmigrated.stderr).to.match(
          /The tables of the database are out of date: 0098_nicknames has not run\n$/,
        );
        expect((await run(['migrate'], env)).stdout).to.match(/ran 0098_nicknames\n$/);
        await execute(env, `update users set nickname = 'A'; insert into badges values (1)`);
        expect((await run(['export', 'users'], env)).stdout).to.equal(users);
      });
      expect((await run(['migrate'], env)).stdout).to.match(/a later version has run 0098_nicknames\n$/);
      expect((await run(['export', 'users'], env)).stdout).to.equal(users);
    });

    it('names the migration that fails, and keeps nothing of it', async () => {
      const env = await make();
      expect((await run(['migrate'], env)).exitCode).to.equal(0);
      await execute(env, 'create table badges (id integer)');
      const statements = () => ['create table medals (id integer)', 'create table badges (id integer)'];
      await withMigration('0098_badges', statements, async () => {
        const { stdout: before } = await run(['migrate', '--dry-run', '--json'], env);
        for (const command of [['migrate'], ['serve']]) {
          const { exitCode, stderr } = await run(command, env);
          expect(exitCode).to.equal(1);
          expect(stderr).to.match(
            /^The migration 0098_badges failed, and no migration was carried out: .*badges.* already exists\n$/,
          );
        }
        expect((await run(['migrate', '--dry-run', '--json'], env)).stdout).to.equal(before);
        await execute(env, 'drop table badges');
        const { stdout: done } = await run(['migrate', '--json'], env);
        expect(done, 'the dry run had said so').to.equal(before);
        expect((await run(['migrate'], env)).stdout).to.match(/: up to date already\n$/);
      });
    });
  });
}

describe('migrate --dry-run', () => {
  const at = useDirectory();

  it('makes no file of a SQLite store that does not exist', async () => {
    const { stdout } = await run(['migrate', '--dry-run'], { DATABASE_URL: `sqlite:${at('no/such.db')}` });
    expect(stdout).to.match(/: out of date\n {2}would run 0001_first_release\n/);
    expect(existsSync(at('no'))).to.equal(false);
  });
});

describe('a SQLite store that an earlier version has made', () => {
  const at = useDirectory();
  const made = (name: string): Record<string, string> => {
    const database = new DatabaseSync(at(`${name}.db`));
    database.exec(readFileSync(join(ROOT, `test/fixtures/stores/${name}.sql`), 'utf8'));
    database.close();
    return { DATABASE_URL: `sqlite:${at(`${name}.db`)}`, DEMO_DATA: 'off' };
  };
  const columnsOf = (file: string): unknown => {
    const database = new DatabaseSync(at(file));
    const rows = database
      .prepare(
        `select t.name as "table", c.name as "column", c.type, c."notnull" from sqlite_master t, pragma_table_info(t.name) c
         where t.type = 'table' order by 1, 2`,
      )
      .all();
    database.close();
    return rows;
  };

  for (const name of ['0004_revocations', '0007_audit_log']) {
    it(`is refused before the first release, up to ${name}`, async () => {
      const { exitCode, stderr } = await run(['migrate'], made(name));
      expect([exitCode, stderr]).to.deep.equal([1, `${ofDevelopment}\n`]);
    });
  }

  for (const name of ['0001_first_release', '0002_stored_fields']) {
    it(`gets the tables of this version after ${name}, and keeps its records`, async () => {
      const env = made(name);
      expect(await run(['migrate'], env)).to.deep.include({ exitCode: 0, stderr: '' });
      expect((await run(['export', 'users'], env)).stdout).to.include('ada@example.com');
      expect((await run(['migrate'], { DATABASE_URL: `sqlite:${at('new.db')}` })).exitCode).to.equal(0);
      expect(columnsOf(`${name}.db`)).to.deep.equal(columnsOf('new.db'));
    });
  }
});
