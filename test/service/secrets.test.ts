/** No password, token, key or hash leaves a service process, in its log or in any answer except the one that issues it. */
import { rm } from 'node:fs/promises';
import { expect } from 'chai';
import type { DatabaseSettings } from '../../src/service/settings/data.js';
import { compileService } from '../support/compiled-service.js';
import { OidcServer } from '../support/oidc-server.js';
import { startProcess, type StartedProcess } from '../support/started-process.js';
import { onAllDatabases } from '../support/stores.js';
import { until } from '../support/until.js';
import { makeKey, PUBLIC_URL, signInAndOut, signInElsewhere } from './secrets/deeds.js';
import { ARGON2, keptAsItIs, query } from './secrets/stored.js';
import { bearer, Visitor } from './secrets/visitor.js';

const given = {
  ADMIN_PASSWORD: 'the admin has this one',
  ACCESS_TOKEN_SECRET: 'access tokens are signed with this secret',
  REFRESH_TOKEN_SECRET: 'refresh tokens are signed with this secret',
  IDP_CLIENT_SECRET: OidcServer.clientSecret,
};
const admin = { email: 'root@example.com', password: given.ADMIN_PASSWORD };

const provider = new OidcServer();

/** Makes the store fail in unexpected ways while secrets are in use. */
async function breakStore(
  visitor: Visitor,
  database: DatabaseSettings['database'],
  key: string,
): Promise<void> {
  const other = { name: 'Eve', email: 'eve@example.com', password: 'the password of Eve' };
  visitor.leaks.keep('the password of Eve', other.password);
  const { accessToken } = await visitor.signIn('the last sign-in', admin, 'pair');
  const fail = async (name: string, request: string, options: Parameters<Visitor['ask']>[2]) => {
    expect((await visitor.ask(name, request, options)).status, name).to.equal(500);
  };
  if (database.kind === 'postgres') {
    await query(database, "alter table users add constraint no_eve check (name <> 'Eve')");
    await fail('a sign-up that the database refuses', 'POST /api/users', { body: other });
  }
  for (const table of ['refresh_tokens', 'api_keys']) {
    await query(database, `alter table ${table} rename to away`);
    if (table === 'refresh_tokens') {
      await fail('a sign-in without a table', 'POST /api/auth/login?tokens=pair', { body: admin });
    } else {
      await fail('a key without a table', 'GET /api/users', { headers: { 'x-api-key': key } });
      await fail('a new key without a table', 'POST /api/keys', {
        body: { name: 'Late' },
        ...bearer(accessToken),
      });
    }
    await query(database, `alter table away rename to ${table}`);
  }
}

describe('secrets', () => {
  let directory = '';
  before(async () => {
    directory = await compileService();
    await provider.start(`${PUBLIC_URL}/api/auth/idp/callback`);
    provider.accounts.set('grace', { name: 'Grace Hopper', email: 'grace@example.com' });
    provider.visitor = 'grace';
  });
  after(async () => {
    await provider.stop();
    await rm(directory, { recursive: true });
  });

  onAllDatabases('of a service process', (make) => {
    let started: StartedProcess | undefined;
    afterEach(() => started?.child.kill('SIGKILL'));

    it('do not leak, even when requests are wrong or fail', async () => {
      const database = await make();
      const url = database.kind === 'postgres' ? database.url : undefined;
      started = await startProcess(directory, {
        DATABASE_URL: url ?? (database.kind === 'sqlite' ? `sqlite:${database.path}` : 'memory:'),
        LOG_LEVEL: 'trace',
        ADMIN_EMAIL: admin.email,
        IDP_ISSUER: provider.issuer,
        IDP_CLIENT_ID: OidcServer.clientId,
        PUBLIC_URL,
        ...given,
      });
      const visitor = new Visitor(started.url);
      const { leaks } = visitor;
      for (const [name, secret] of Object.entries(given)) leaks.keep(name, secret);
      if (url !== undefined) leaks.keep('the password of the database', new URL(url).password);
      leaks.keep('a hash of a password', ARGON2);

      await signInAndOut(visitor);
      const key = await makeKey(visitor, admin);
      await signInElsewhere(visitor, provider);
      for (const path of ['/', '/docs', '/metrics', '/readyz', '/openapi.yaml']) {
        await visitor.ask(path, `GET ${path}`);
      }
      const stored = await query(database, 'select hash from refresh_tokens union select hash from api_keys');
      expect(leaks.secrets).to.include.members(stored.map(({ hash }) => hash));
      if (database.kind !== 'memory') {
        expect(stored).to.have.lengthOf.at.least(2);
        expect(await keptAsItIs(database, leaks)).to.deep.equal([]);
        await breakStore(visitor, database, key);
      }

      started.child.kill('SIGTERM');
      expect(await started.exit).to.equal(0);
      const log = started.output();
      leaks.hear('the log', log);
      expect(log).to.include('"path":"/auth/success"').and.include('"operation":"login"');
      if (database.kind !== 'memory') expect(log).to.include('"msg":"a request failed"');
      expect(leaks.find()).to.deep.equal([]);
      await until('nothing else is written', () => started?.output() === log);
    });
  });
});
