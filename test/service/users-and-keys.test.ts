/** Tests the commands for users and API keys. */

import { expect } from 'chai';
import { argon2Hasher } from '../../src/core/identity/argon2.js';
import { sqliteStorage } from '../../src/core/storage/sqlite.js';
import { run, useDirectory } from './run.js';

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
});
