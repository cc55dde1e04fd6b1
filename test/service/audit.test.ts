/** Tests that privileged actions over HTTP and at the command line are recorded, and that operators read the record. */

import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { connect } from '../../src/core/storage/sqlite/connection.js';
import { readSettings } from '../../src/service/settings/settings.js';
import { useService } from '../support/service.js';
import { admin, bearer, signIn, signInAsAdmin, signInSettings, signUp } from '../support/sign-in.js';
import { run, useDirectory } from './run.js';

interface Line {
  readonly actor: string;
  readonly action: string;
  readonly target?: string;
  readonly address?: string;
  readonly outcome: string;
  readonly detail?: string;
}

describe('the audit log', () => {
  const at = useDirectory();
  const env = { DATABASE_URL: `sqlite:${at('audit.db')}` };
  const { database, policy } = readSettings({ ...env, AUTH_POLICY: 'protected' });
  const service = useService({ ...signInSettings, database, policy });

  /** The entries, oldest first, without their ids and times. */
  async function entries(...options: readonly string[]): Promise<readonly string[]> {
    const { stdout, stderr, exitCode } = await run(['audit', '--json', ...options], env);
    expect({ stderr, exitCode }).to.deep.equal({ stderr: '', exitCode: 0 });
    const lines = stdout
      .trim()
      .split('\n')
      .filter((line) => line !== '');
    return lines
      .map((line) => JSON.parse(line) as Line)
      .map(({ actor, action, target, address, outcome, detail }) =>
        [actor, action, target, address, outcome, detail].map((cell) => cell ?? '-').join(' '),
      )
      .reverse();
  }

  it('has who did what, on whom, from where and with which outcome, and no secret', async () => {
    const from = { 'x-forwarded-for': '192.0.2.7' };
    const ada = await signUp(service);
    const wrong = { email: ada.email, password: 'not the password' };
    expect((await service.post('/api/auth/login', wrong, from)).status).to.equal(401);
    const unknown = { email: 'the password of somebody', password: 'x' };
    expect((await service.post('/api/auth/login', unknown, from)).status).to.equal(401);
    const asAda = bearer((await signIn(service, ada)).accessToken);
    const asAdmin = { ...(await signInAsAdmin(service)), ...from };
    expect((await service.delete('/api/users/1', { ...asAda, ...from })).status).to.equal(403);
    const user = { name: 'Ada', email: ada.email, role: 'admin', password: 'another password' };
    expect((await service.put(`/api/users/${ada.id}`, user, asAdmin)).status).to.equal(200);
    expect((await service.post('/api/keys', { name: 'reports' }, asAdmin)).status).to.equal(201);
    expect((await service.delete('/api/keys/1', asAdmin)).status).to.equal(204);
    expect((await service.delete(`/api/users/${ada.id}`, asAdmin)).status).to.equal(204);
    expect((await service.delete('/api/users/1', asAdmin)).status, 'the last admin').to.equal(409);

    const addressed = (await entries()).map((line) => line.replace(/127\.0\.0\.1|::1/, 'loopback'));
    expect(addressed).to.deep.equal([
      'operator users.giveRole user:1 settings done role admin, status active',
      'anonymous sessions.signIn user:2 192.0.2.7 wrong-password -',
      'anonymous sessions.signIn - 192.0.2.7 unknown-email -',
      'user:2 sessions.signIn user:2 loopback done -',
      'user:1 sessions.signIn user:1 loopback done -',
      'user:2 users.delete user:1 192.0.2.7 refused -',
      'user:1 users.giveRole user:2 192.0.2.7 done role admin',
      'user:1 users.changePassword user:2 192.0.2.7 done -',
      'user:1 keys.create api-key:1 192.0.2.7 done -',
      'user:1 keys.revoke api-key:1 192.0.2.7 done -',
      'user:1 users.delete user:2 192.0.2.7 done -',
      'user:1 users.delete user:1 192.0.2.7 last-admin -',
    ]);
    const stored = ['audit.db', 'audit.db-wal'].map((name) => readFileSync(at(name), 'latin1')).join('');
    for (const secret of [wrong.password, unknown.email, user.password, ada.password, admin.password]) {
      expect(stored.includes(secret), secret).to.equal(false);
    }
  });

  it('has commands and imports, and export writes it with the other records', async () => {
    writeFileSync(
      at('users.jsonl'),
      '{"table":"users","row":{"name":"Bob","email":"bob@example.com","role":"user","status":"active","createdAt":"2026-01-01T00:00:00.000000Z","updatedAt":"2026-01-01T00:00:00.000000Z"}}\n',
    );
    expect((await run(['import', 'store', at('users.jsonl')], env)).exitCode).to.equal(0);
    expect((await run(['keys', 'create', '--name', 'Operations'], env)).exitCode).to.equal(0);
    expect((await run(['export', 'users'], env)).exitCode).to.equal(0);
    const [imported, ...others] = await entries('--actor', 'operator', '--limit', '3');
    expect(imported).to.match(/^operator records.import - command line done rows 1 to 1 of 1, [0-9a-f]{32}$/);
    expect(others).to.deep.equal([
      'operator keys.create api-key:2 command line done -',
      'operator command - command line done export users',
    ]);
    const lines = (await run(['export', 'audit'], env)).stdout.trimEnd().split('\n');
    const exported = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(exported.find(({ action }) => action === 'records.import')).to.deep.include({
      actor: 'operator',
      address: 'command line',
      outcome: 'done',
    });
  });

  it('is written with the action: where no entry can be stored, nothing is done', async () => {
    const bob = await signUp(service);
    const asAdmin = await signInAsAdmin(service);
    const database = await connect(at('audit.db'));
    database.execute("create trigger full before insert on audit_log begin select raise(abort, 'full'); end");
    const answer = await service.delete(`/api/users/${bob.id}`, asAdmin);
    database.execute('drop trigger full');
    database.close();
    expect(answer.status).to.equal(500);
    expect(service.takeMasked()).to.have.length(1);
    expect((await service.get(`/api/users/${bob.id}`, asAdmin)).status).to.equal(200);
    expect((await service.delete(`/api/users/${bob.id}`, asAdmin)).status).to.equal(204);
    expect(await entries('--target', `user:${bob.id}`)).to.have.length(1);
  });

  it('is filtered by each option, and an option that is wrong is refused', async () => {
    expect(await entries('--target', 'user:2', '--action', 'users.delete')).to.have.length(1);
    expect(await entries('--since', '2999-01-01')).to.deep.equal([]);
    for (const [option, value, fault] of [
      ['--since', 'yesterday', '--since must be a time such as 2026-11-01, not yesterday\n'],
      ['--limit', '0', '--limit must be a number from 1 to 999999999, not 0\n'],
    ] as const) {
      const { exitCode, stderr } = await run(['audit', option, value], env);
      expect({ exitCode, stderr }).to.deep.equal({ exitCode: 2, stderr: fault });
    }
    const last = ['--target', 'user:1', '--action', 'users.delete', '--limit', '1'];
    const { stdout } = await run(['audit', ...last], env);
    expect(stdout).to.match(
      /^\d+\t\d{4}-\S+Z\tuser:1\tusers\.delete\tuser:1\t192\.0\.2\.7\tlast-admin\t-\n$/,
    );
  });
});
