/** Tests the settings: defaults, choices, and one message that lists all faults. */

import { generateKeyPairSync } from 'node:crypto';
import { format, inspect } from 'node:util';
import { expect } from 'chai';
import { readSettings } from '../../src/service/settings/settings.js';
import { openPolicy, protectedPolicy } from '../../src/core/services/rights/policy.js';

const SECRETS = {
  ACCESS_TOKEN_SECRET: 'a secret of 32 bytes for access..',
  REFRESH_TOKEN_SECRET: 'another one of 32 bytes; refresh',
};

describe('readSettings', () => {
  it('defaults to loopback, SQLite, the open policy and demo data', () => {
    expect(readSettings({})).to.include({
      host: '127.0.0.1',
      port: 3000,
      demoData: true,
      policy: openPolicy,
      reportVersions: true,
      checkResponses: false,
    });
    expect(readSettings({}).database).to.deep.equal({ kind: 'sqlite', path: './data/service.db' });
  });

  it('is protected and without demo data in production', () => {
    const settings = readSettings({ NODE_ENV: 'production', ...SECRETS });
    expect(settings.policy).to.equal(protectedPolicy);
    expect(settings.demoData).to.equal(false);
  });

  it('treats an empty setting as unset', () => {
    expect(
      readSettings({ PORT: '', HOST: '', AUTH_POLICY: '', DEMO_DATA: '', ADMIN_EMAIL: '' }).port,
    ).to.equal(3000);
  });

  it('reads each kind of store', () => {
    const databaseOf = (url: string) => readSettings({ DATABASE_URL: url }).database;
    expect(databaseOf('memory:')).to.deep.equal({ kind: 'memory' });
    expect(databaseOf('sqlite:/var/lib/x.db')).to.deep.equal({ kind: 'sqlite', path: '/var/lib/x.db' });
    expect(databaseOf('postgres://u:p@h/d')).to.deep.equal({ kind: 'postgres', url: 'postgres://u:p@h/d' });
    expect(databaseOf('postgresql://h/d')).to.deep.equal({ kind: 'postgres', url: 'postgresql://h/d' });
  });

  it('refuses a file that would not be where its URL seems to say', () => {
    for (const url of ['sqlite://data.db', 'sqlite://./data.db', 'sqlite:///./data.db']) {
      expect(() => readSettings({ DATABASE_URL: url }), url).to.throw(
        'DATABASE_URL must have a path after sqlite:, such as sqlite:./data/service.db',
      );
    }
    const { database } = readSettings({ DATABASE_URL: 'sqlite:///var/x.db' });
    expect(database).to.deep.equal({ kind: 'sqlite', path: '///var/x.db' });
  });

  it('reads URLs of several hosts, a pooler and its direct URL', () => {
    const url = 'postgres://u:p@one:5432,two/d?target_session_attrs=primary';
    const DATABASE_DIRECT_URL = 'postgres://u:p@db/d';
    const settings = readSettings({ DATABASE_URL: url, DATABASE_POOLER: 'transaction', DATABASE_DIRECT_URL });
    expect(settings).to.deep.include({
      database: { kind: 'postgres', url },
      databasePooler: 'transaction',
      databaseDirectUrl: DATABASE_DIRECT_URL,
      databasePoolSize: 10,
      events: { kind: 'postgres', url: DATABASE_DIRECT_URL },
    });
    const faultOf = (variables: Readonly<Record<string, string>>) => () => readSettings(variables);
    expect(faultOf({ DATABASE_POOLER: 'transaction' })).to.throw(
      /^DATABASE_POOLER is transaction, which needs DATABASE_DIRECT_URL, the URL of the server itself$/,
    );
    expect(faultOf({ DATABASE_DIRECT_URL: 'redis://h' })).to.throw(/^DATABASE_DIRECT_URL must be postgres:/);
    expect(faultOf({ DATABASE_URL: 'postgres://h,:x/d' })).to.throw(/^DATABASE_URL must be memory:/);
    expect(faultOf({ DATABASE_URL: 'postgres://h/d?target_session_attrs=standby' })).to.throw(
      'DATABASE_URL must have one of these as target_session_attrs: any, read-write, primary',
    );
    expect(faultOf({ DATABASE_POOL_SIZE: '0' })).to.throw(
      /^DATABASE_POOL_SIZE must be a number from 1 to 1000/,
    );
    expect(faultOf({ DATABASE_POOL_SIZE: '1001' })).to.throw(/^DATABASE_POOL_SIZE must be a number/);
    expect(faultOf({ DATABASE_URL: 'postgres://h/d', DATABASE_POOL_SIZE: '1000' })).not.to.throw();
  });

  it('derives the events from the store by default', () => {
    const eventsOf = (DATABASE_URL: string, EVENTS_URL = '') =>
      readSettings({ DATABASE_URL, EVENTS_URL }).events;
    expect(eventsOf('memory:')).to.deep.equal({ kind: 'memory' });
    expect(eventsOf('')).to.deep.equal({ kind: 'memory' });
    expect(eventsOf('postgres://h/d')).to.deep.equal({ kind: 'postgres', url: 'postgres://h/d' });
    expect(eventsOf('postgres://h/d', 'memory:')).to.deep.equal({ kind: 'memory' });
    expect(eventsOf('postgres://h/d', 'redis://r')).to.deep.equal({ kind: 'redis', url: 'redis://r' });
    expect(eventsOf('memory:', 'rediss://r:1')).to.deep.equal({ kind: 'redis', url: 'rediss://r:1' });
    for (const wrong of ['redis:', 'http://r', 'redis://:x@', 'constructor:']) {
      expect(() => eventsOf('', wrong), wrong).to.throw(/^EVENTS_URL must be memory:, postgres:/);
    }
  });

  it('lists all faults, one per line, and shows no secret', () => {
    const read = () =>
      readSettings({
        PORT: '70000',
        DATABASE_URL: 'mysql://root:hunter2@h/d',
        DEMO_DATA: 'maybe',
        AUTH_POLICY: 'constructor',
        ADMIN_EMAIL: 'a@example.com',
        ADMIN_PASSWORD: 'short',
      });
    expect(read)
      .to.throw()
      .with.property('message')
      .that.satisfies((message: string) => {
        expect(message.split('\n')).to.have.length(5);
        expect(message)
          .to.match(/^PORT must be/m)
          .and.match(/^DATABASE_URL must be/m);
        expect(message)
          .to.match(/^DEMO_DATA must be on or off/m)
          .and.match(/^AUTH_POLICY must be open or protected/m);
        expect(message).to.match(/^ADMIN_PASSWORD must have/m);
        expect(message).not.to.contain('hunter2').and.not.to.contain('short\n');
        return true;
      });
  });

  it('reports an address that is none together with the other faults, and asks for no policy because of it', () => {
    for (const HOST of [
      'not a host',
      'http://localhost',
      '[::1]',
      'a..b',
      'local host',
      '-a',
      `${'a'.repeat(64)}.example`,
    ]) {
      expect(() => readSettings({ HOST, PORT: '-1', CORS_ORIGINS: 'example.com' }), HOST)
        .to.throw()
        .with.property('message')
        .that.satisfies((message: string) => {
          const [first = '', ...others] = message.split('\n');
          expect(first).to.equal(`HOST must be an IP address or the name of a host, not ${HOST}`);
          return others.length === 2;
        });
    }
    for (const HOST of ['::', 'fe80::1%eth0', '10.0.0.1', 'api.example.com', 'my_host', 'LOCALHOST', '0']) {
      expect(readSettings({ HOST, AUTH_POLICY: 'open' }).host).to.equal(HOST);
    }
  });

  it('names tools that the contract does not have, and an email that no user may have', () => {
    expect(() =>
      readSettings({ MCP_TOOLS: 'getUser, nope', ADMIN_EMAIL: 'a@b.c<d', ADMIN_PASSWORD: '12345678' }),
    ).to.throw(
      'ADMIN_EMAIL must be an email address, not a@b.c<d\n' +
        'MCP_TOOLS must be read or a comma-separated list of operationIds and of selectors such as tag:Orders, and nope is none',
    );
    expect(readSettings({ MCP_TOOLS: 'getUser, listUsers' }).mcpTools).to.deep.equal([
      'getUser',
      'listUsers',
    ]);
  });

  it('warns of variables that are one slip away from a setting', () => {
    const slips = {
      RATE_LIMTI: 'RATE_LIMIT', // two letters swapped
      RATE_LIMT: 'RATE_LIMIT', // one missing
      RATE_LIMITS: 'RATE_LIMIT', // one too many
      RATE_LIMID: 'RATE_LIMIT', // one wrong
      ATABASE_URL: 'DATABASE_URL',
      DDATABASE_URL: 'DATABASE_URL',
      DATABASE_ULR: 'DATABASE_URL',
      NODE_EVN: 'NODE_ENV',
      PROT: 'PORT',
    };
    for (const [variable, name] of Object.entries(slips)) {
      expect(readSettings({ [variable]: '4' }).warnings).to.deep.equal([
        `${variable} is ignored: the setting is ${name}`,
      ]);
      expect(readSettings({ [variable]: '' }).warnings).to.deep.equal([]);
    }
    const others = {
      RATE_LIMIT: '4',
      RATE: '4',
      LIMIT_RATE: '4',
      RATE_IMLTI: '4',
      TORP: '1',
      PATH: '/bin',
      HOME: '/',
      SHELL: 'sh',
      XPORTX: '1',
    };
    expect(readSettings(others).warnings).to.deep.equal([]);
  });

  it('warns of a NODE_ENV that it does not know', () => {
    for (const NODE_ENV of ['prod', 'Production', 'staging']) {
      expect(readSettings({ NODE_ENV }).warnings).to.deep.equal([
        `NODE_ENV=${NODE_ENV} counts as development: only production makes the service strict`,
      ]);
    }
    for (const NODE_ENV of ['', 'development', 'test'])
      expect(readSettings({ NODE_ENV }).warnings).to.deep.equal([]);
    expect(readSettings({ NODE_ENV: 'production', ...SECRETS }).warnings).to.deep.equal([]);
  });

  it('warns of settings in lower case', () => {
    for (const [variable, name] of Object.entries({
      database_url: 'DATABASE_URL',
      Rate_Limit: 'RATE_LIMIT',
    })) {
      expect(readSettings({ [variable]: '4' }).warnings).to.deep.equal([
        `${variable} is ignored: the setting is ${name}`,
      ]);
    }
  });

  it('refuses a secret or a key that is given twice', () => {
    const secret = 's'.repeat(32);
    const twice = 'must not have the same value twice';
    for (const name of ['ACCESS_TOKEN_SECRET', 'REFRESH_TOKEN_SECRET']) {
      expect(() => readSettings({ [name]: `${secret}, ${secret}` })).to.throw(`${name} ${twice}`);
    }
    const pem = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const sec1 = pem.export({ type: 'sec1', format: 'pem' }).toString();
    const pkcs8 = pem.export({ type: 'pkcs8', format: 'pem' }).toString();
    expect(() => readSettings({ ACCESS_TOKEN_KEY: sec1 + pkcs8 })).to.throw(`ACCESS_TOKEN_KEY ${twice}`);
    expect(readSettings({ ACCESS_TOKEN_KEY: sec1 }).accessTokenKey).to.equal(sec1);
  });

  it('requires the issuer with the client of external sign-in', () => {
    for (const name of ['IDP_CLIENT_ID', 'IDP_CLIENT_SECRET']) {
      expect(() => readSettings({ [name]: 'x' })).to.throw(`IDP_ISSUER must be given if ${name} is`);
    }
  });

  it('requires the email and password of the admin together', () => {
    const admin = { ADMIN_EMAIL: 'a@example.com', ADMIN_PASSWORD: 'long enough' };
    expect(readSettings(admin)).to.include({ adminEmail: 'a@example.com', adminPassword: 'long enough' });
    expect(() => readSettings({ ADMIN_EMAIL: 'a@example.com' })).to.throw('go together');
    expect(() => readSettings({ ADMIN_PASSWORD: 'long enough' })).to.throw('go together');
  });

  it('accepts two token secrets of at least 32 bytes, and requires them in production', () => {
    expect(readSettings(SECRETS)).to.deep.include({
      accessTokenSecret: [SECRETS.ACCESS_TOKEN_SECRET],
      refreshTokenSecret: [SECRETS.REFRESH_TOKEN_SECRET],
    });
    expect(readSettings({}).accessTokenSecret).to.equal(undefined);
    expect(() => readSettings({ NODE_ENV: 'production' })).to.throw(
      'ACCESS_TOKEN_SECRET must be given when NODE_ENV=production\nREFRESH_TOKEN_SECRET must be given',
    );
    const { ACCESS_TOKEN_SECRET } = SECRETS;
    expect(() => readSettings({ ACCESS_TOKEN_SECRET, REFRESH_TOKEN_SECRET: ACCESS_TOKEN_SECRET })).to.throw(
      /^REFRESH_TOKEN_SECRET must differ from ACCESS_TOKEN_SECRET$/,
    );
    const weak = 'é'.repeat(16); // 16 characters, 32 bytes
    expect(readSettings({ ...SECRETS, ACCESS_TOKEN_SECRET: weak }).accessTokenSecret).to.deep.equal([weak]);
    const weaker = weak.slice(1);
    expect(() => readSettings({ ...SECRETS, ACCESS_TOKEN_SECRET: weaker }))
      .to.throw('ACCESS_TOKEN_SECRET must have at least 32 bytes')
      .with.property('message')
      .that.does.not.contain(weaker);
  });

  it('refuses the open policy on a public address unless it is set explicitly', () => {
    expect(() => readSettings({ HOST: '0.0.0.0' })).to.throw('AUTH_POLICY must be given');
    expect(readSettings({ HOST: '0.0.0.0', AUTH_POLICY: 'open' }).policy).to.equal(openPolicy);
    expect(readSettings({ HOST: '0.0.0.0', NODE_ENV: 'production', ...SECRETS }).policy).to.equal(
      protectedPolicy,
    );
    for (const host of ['localhost', '127.0.0.2', '::1'])
      expect(readSettings({ HOST: host }).host).to.equal(host);
  });

  it('gives settings that are printed without a secret, and copies of them too', () => {
    const secret = 'a secret of more than thirty-two bytes';
    const settings = readSettings({
      ACCESS_TOKEN_SECRET: secret,
      DATABASE_URL: 'postgres://user:password-of-the-store@localhost/db',
      ADMIN_EMAIL: 'root@example.com',
      ADMIN_PASSWORD: 'password-of-the-admin',
      PORT: '4000',
    });
    expect(settings.accessTokenSecret).to.deep.equal([secret]);
    for (const given of [settings, { ...settings, port: 5000 }]) {
      const texts = [
        inspect(given, { depth: Infinity, showHidden: true }),
        format('%o %O %j', given, given, given),
        JSON.stringify({ settings: given }),
      ];
      for (const text of texts) {
        expect(text)
          .to.match(/accessTokenSecret\W+\(given\)/)
          .and.match(/port\W+[45]000/);
        expect(text).not.to.match(/thirty-two|password-of/);
      }
    }
  });
});
