/** Tests the commands for users and API keys. */

import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import type { AuditEntry } from '../../src/core/model/audit.js';
import { argon2Hasher } from '../../src/core/identity/argon2.js';
import { jwtCodec } from '../../src/core/identity/jwt.js';
import { operator } from '../../src/core/services/rights/caller.js';
import { openPolicy } from '../../src/core/services/rights/policy.js';
import { createServices } from '../../src/core/services/services.js';
import { sqliteStorage } from '../../src/core/storage/sqlite.js';
import { secrets } from '../support/sign-in.js';
import { run, useDirectory } from './run.js';

const ada = (email: string) => ({ name: 'Ada', email });

describe('concordat-service users', () => {
  const at = useDirectory();
  const env = { DATABASE_URL: `sqlite:${at('users.db')}` };

  it('create makes an admin, and reads the password without showing it', async () => {
    const parameters = ['users', 'create', '--email', 'ada@example.com', '--admin', '--json'];
    const { exitCode, stdout, stderr } = await run(parameters, env, 'correct horse\n');
    expect({ exitCode, stderr }).to.deep.equal({ exitCode: 0, stderr: '' });
    expect(JSON.parse(stdout)).to.deep.equal({ id: '1', email: 'ada@example.com', role: 'admin' });

    const storage = await sqliteStorage({ path: at('users.db') });
    const found = await storage.users.findCredentials('ada@example.com');
    await storage.close();
    expect(found?.user).to.include({ name: 'ada', role: 'admin', status: 'active' });
    expect(await argon2Hasher().verify(found?.passwordHash ?? '', 'correct horse')).to.equal(true);
  });

  const refusals = [
    ['an email in use', 'ADA@example.com', 'correct horse', 1, 'Email already in use\n'],
    ['no email', 'nobody', 'correct horse', 1, 'email must match format "email"\n'],
    ['a short password', 'b@example.com', 'short', 1, 'password must NOT have fewer than 8 characters\n'],
    [
      'no password',
      'b@example.com',
      '',
      2,
      'No password: type it at the prompt, or pipe it in as one line.\n',
    ],
  ] as const;
  for (const [what, email, password, exitCode, stderr] of refusals) {
    it(`create refuses ${what}`, async () => {
      const outcome = await run(['users', 'create', '--email', email], env, password);
      expect(outcome).to.deep.equal({ exitCode, stdout: '', stderr });
    });
  }
});

describe('concordat-service users, for users that exist', () => {
  const at = useDirectory();
  const env = { DATABASE_URL: `sqlite:${at('managed.db')}` };
  const users = async (parameters: string, input = '') =>
    await run(['users', ...parameters.split(' ')], env, input);
  const printed = async (parameters: string, input?: string): Promise<string> => {
    const { exitCode, stdout, stderr } = await users(parameters, input);
    expect({ exitCode, stderr }, parameters).to.deep.equal({ exitCode: 0, stderr: '' });
    return stdout;
  };
  before(async () => {
    await printed('create --email ada@example.com --admin', 'correct horse\n');
    await printed('create --email grace@example.com', 'correct horse\n');
  });

  it('list, show and filter print a line per user, on which no text of a user makes another', async () => {
    expect(await printed('list')).to.match(/^1\tadmin\tactive\t.*\tada@example.com\tada\n2\tuser\t.*\n$/);
    expect(await printed('list --role admin')).to.match(/^1\t[^\n]*\n$/);
    expect(await printed('list --status inactive')).to.equal('');
    expect(JSON.parse(await printed('show GRACE@example.com --json'))).to.include({ id: '2', role: 'user' });
    const storage = await sqliteStorage({ path: at('managed.db') });
    const services = createServices({ storage, policy: openPolicy });
    await services.users.create(operator, { ...ada('odd@example.com'), name: 'a\n9\tadmin\u009b31m' });
    await storage.close();
    expect(await printed('show odd@example.com')).to.match(/^3\t[^\n]*\ta 9 admin 31m\n$/);
  });

  it('password, role, activate, deactivate, end-sessions and delete change one user, and each is audited', async () => {
    await printed('password grace@example.com', 'another horse\n');
    expect(await printed('role 2 admin')).to.match(/^2\tadmin\tactive/);
    expect(await printed('deactivate 2')).to.match(/^2\tadmin\tinactive/);
    expect(await printed('activate grace@example.com')).to.match(/^2\tadmin\tactive/);
    await printed('end-sessions 2');
    expect(JSON.parse(await printed('delete 2 --yes --json'))).to.deep.equal({ id: '2' });
    const log = await run(['audit', '--target', 'user:2', '--json'], env);
    const entries = log.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as AuditEntry);
    expect(entries.map(({ action, actor, detail }) => [action, actor, detail]).reverse()).to.deep.equal([
      ['users.giveRole', 'operator', 'role user'],
      ['users.changePassword', 'operator', undefined],
      ['users.giveRole', 'operator', 'role admin'],
      ['users.giveRole', 'operator', 'status inactive'],
      ['users.activate', 'operator', undefined],
      ['users.endSessions', 'operator', undefined],
      ['users.delete', 'operator', undefined],
    ]);
  });

  const refusals = [
    ['show nobody@example.com', '', 1, 'There is no user nobody@example.com\n'],
    ['show 999', '', 1, 'There is no user 999\n'],
    ['role 1 owner', '', 2, 'The role must be user or admin, not owner.\n'],
    ['role 1 user', '', 1, 'The last admin cannot be demoted\n'],
    ['deactivate 1', '', 1, 'The last admin cannot be deactivated\n'],
    ['delete 1', '', 2, 'A deletion is final: confirm it with --yes.\n'],
    ['delete 1 --yes', '', 1, 'The last admin cannot be deleted\n'],
    ['password 1', 'short\n', 1, 'password must NOT have fewer than 8 characters\n'],
  ] as const;
  for (const [parameters, input, exitCode, stderr] of refusals)
    it(`${parameters} is refused`, async () => {
      expect(await users(parameters, input)).to.deep.equal({ exitCode, stdout: '', stderr });
    });
});

describe('concordat-service sessions', () => {
  const at = useDirectory();

  it('end --all signs all users out, and says how many', async () => {
    const path = at('sessions.db');
    const storage = await sqliteStorage({ path });
    const tokens = jwtCodec(secrets);
    const services = createServices({ storage, policy: openPolicy, tokens });
    const issued = { from: '2026-01-01T00:00:00.000000Z', seconds: 1e9 };
    const issue = (userId: string) =>
      tokens.signAccess({ userId, email: undefined, role: undefined }, issued);
    for (let index = 1; index <= 23; index += 1) {
      await services.users.create(operator, ada(`a${String(index)}@example.com`));
    }
    const valid = async (): Promise<number> => {
      const callers = await Promise.all(
        (await services.users.listAll(operator)).map(({ id }) =>
          services.authentication.callerOfToken(issue(id)),
        ),
      );
      return callers.filter((caller) => caller !== undefined).length;
    };
    expect(await valid()).to.equal(23);
    writeFileSync(at('url'), `sqlite:${path}\n`);
    expect(await run(['sessions', 'end', '--all', '--json'], { DATABASE_URL_FILE: at('url') })).to.deep.equal(
      {
        exitCode: 0,
        stdout: '{"users":23}\n',
        stderr: '',
      },
    );
    expect(await valid()).to.equal(0);
    await storage.close();
    const refused = await run(['sessions', 'end'], { DATABASE_URL: `sqlite:${path}` });
    expect(refused.exitCode).to.equal(2);
    const missing = await run(['sessions', 'end', '--all'], { DATABASE_URL_FILE: at('missing') });
    expect(missing).to.deep.equal({
      exitCode: 1,
      stdout: '',
      stderr: `DATABASE_URL is in a file that cannot be read: ${at('missing')} (ENOENT)\n`,
    });
  });
});

describe('concordat-service keys', () => {
  const at = useDirectory();
  const env = { DATABASE_URL: `sqlite:${at('keys.db')}` };

  it('creates a key, lists it without its secret, and revokes it', async () => {
    const made = await run(['keys', 'create', '--name', 'reporting', '--json'], env);
    expect(made).to.deep.include({ exitCode: 0, stderr: '' });
    const { id, key } = JSON.parse(made.stdout) as { id: string; key: string };

    const listed = await run(['keys', 'list', '--json'], env);
    expect(JSON.parse(listed.stdout)).to.include({ id, name: 'reporting', active: true });
    expect(listed.stdout).not.to.include(key);

    expect(await run(['keys', 'revoke', id], env)).to.deep.include({ exitCode: 0, stderr: '' });
    expect((await run(['keys', 'list'], env)).stdout).to.match(new RegExp(`^${id}\trevoked\t`));
    expect(await run(['keys', 'revoke', '99'], env)).to.deep.equal({
      exitCode: 1,
      stdout: '',
      stderr: 'API key not found\n',
    });
  });

  it('revokes all keys of a user, who is named by id or email', async () => {
    const storage = await sqliteStorage({ path: at('keys.db') });
    const services = createServices({ storage, policy: openPolicy });
    const user = await services.users.create(operator, ada('ada@example.com'));
    const createKey = () =>
      services.apiKeys.create({ kind: 'user', id: user.id, role: 'admin' }, { name: 'of Ada' });
    await createKey();
    await createKey();
    await services.apiKeys.create(operator, { name: 'of nobody' });
    const revoke = (...parameters: string[]) => run(['keys', 'revoke', ...parameters], env);
    expect(await revoke('--all-of', 'ADA@example.com')).to.deep.equal({
      exitCode: 0,
      stdout: `2 keys of the user ${user.id} revoked\n`,
      stderr: '',
    });
    await createKey();
    expect((await revoke('--all-of', user.id, '--json')).stdout).to.equal(
      `{"userId":"${user.id}","revoked":1}\n`,
    );
    const active = (await services.apiKeys.list(operator)).data.filter((key) => key.active);
    expect(active.map(({ name }) => name)).to.deep.equal(['of nobody']);
    await storage.close();
    for (const user of ['99', 'eve@example.com']) {
      expect(await revoke('--all-of', user)).to.include({
        exitCode: 1,
        stderr: `There is no user ${user}\n`,
      });
    }
    for (const wrong of [[], ['1', '--all-of', user.id]]) {
      expect(await revoke(...wrong)).to.include({
        exitCode: 2,
        stderr: 'Name either the id of a key, or a user with --all-of.\n',
      });
    }
  });
});
