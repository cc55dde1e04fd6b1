/** Secrets in the settings: several values of one, private keys, and values in files. */

import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Setting } from '../../src/service/settings/setting.js';
import { readSettings, settingsTable } from '../../src/service/settings/settings.js';
import { ROOT } from '../architecture/source-tree.js';

const [A, B, C] = ['a', 'b', 'c'].map((letter) => letter.repeat(32)) as [string, string, string];
const pem = generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey.export({
  type: 'pkcs8',
  format: 'pem',
}) as string;
const read = (ACCESS_TOKEN_SECRET: string, REFRESH_TOKEN_SECRET = C) =>
  readSettings({ ACCESS_TOKEN_SECRET, REFRESH_TOKEN_SECRET });

describe('several secrets in one setting', () => {
  it('are separated by commas, with spaces around them or not', () => {
    expect(read(`${A},${B}`).accessTokenSecret).to.deep.equal([A, B]);
    expect(read(` ${A} , ${B}\n`).accessTokenSecret).to.deep.equal([A, B]);
    expect(read(A, `${B},${C}`).refreshTokenSecret).to.deep.equal([B, C]);
  });

  it('must all be long enough, and an empty one is not', () => {
    for (const wrong of [`${A},short`, `short,${A}`, `${A},`, `,${A}`, `${A},,${B}`, 'x'.repeat(31)]) {
      expect(() => read(wrong), wrong)
        .to.throw(
          /^ACCESS_TOKEN_SECRET must have at least 32 bytes( in each of its comma-separated values)?$/,
        )
        .with.property('message')
        .that.does.not.include('short');
    }
  });

  it('must not be in both variables, wherever they are in the lists', () => {
    for (const [access, refresh] of [
      [A, A],
      [`${A},${B}`, B],
      [A, `${B}, ${A}`],
      [`${B},${A}`, `${C},${A}`],
    ] as const) {
      expect(() => read(access, refresh)).to.throw(
        /^REFRESH_TOKEN_SECRET must differ from ACCESS_TOKEN_SECRET$/,
      );
    }
  });
});

describe('ACCESS_TOKEN_KEY', () => {
  it('takes the place of the secret, also in production', () => {
    const production = { NODE_ENV: 'production', REFRESH_TOKEN_SECRET: C };
    const settings = readSettings({ ...production, ACCESS_TOKEN_KEY: pem });
    expect(settings).to.include({ accessTokenKey: pem, accessTokenSecret: undefined });
    expect(() => readSettings(production)).to.throw('ACCESS_TOKEN_SECRET must be given');
    expect(() => readSettings({ NODE_ENV: 'production', ACCESS_TOKEN_KEY: pem })).to.throw(
      /^REFRESH_TOKEN_SECRET must be given when NODE_ENV=production$/,
    );
  });

  it('is refused in one sentence that does not repeat it', () => {
    expect(() => readSettings({ ACCESS_TOKEN_KEY: pem.replace('PRIVATE', 'PUBLIC') }))
      .to.throw(/^ACCESS_TOKEN_KEY must be one or more private keys for ES256/)
      .with.property('message')
      .that.does.not.include(pem.slice(40, 60));
  });
});

describe('a secret in a file', () => {
  let directory = '';
  before(() => (directory = mkdtempSync(join(tmpdir(), 'concordat-secrets-'))));
  after(() => {
    rmSync(directory, { recursive: true });
  });
  function file(name: string, content: string | Uint8Array): string {
    writeFileSync(join(directory, name), content);
    return join(directory, name);
  }

  const fileable = Object.values<Setting<unknown>>(settingsTable)
    .filter(({ mayBeFile }) => mayBeFile)
    .map(({ name }) => name);

  it('may be each setting that is a secret or a URL, as the guide lists them', () => {
    expect(fileable).to.have.members([
      'DATABASE_URL',
      'DATABASE_DIRECT_URL',
      'EVENTS_URL',
      'ACCESS_TOKEN_SECRET',
      'ACCESS_TOKEN_KEY',
      'REFRESH_TOKEN_SECRET',
      'IDP_CLIENT_SECRET',
      'PUBLIC_URL',
      'ADMIN_PASSWORD',
    ]);
    const guide = readFileSync(`${ROOT}src/service/guides/access.md`, 'utf8');
    const [, list = ''] = /^## In files\n\n([^]*?)\n\n/m.exec(guide) ?? [];
    expect([...list.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name)).to.have.members(fileable);
  });

  it('is named by NAME_FILE, without the end of its last line', () => {
    const settings = readSettings({
      ACCESS_TOKEN_SECRET_FILE: file('access', `${A},${B}\n`),
      REFRESH_TOKEN_SECRET_FILE: file('refresh', `${C}\r\n`),
      ACCESS_TOKEN_KEY_FILE: file('key', pem),
      DATABASE_URL_FILE: file('database', 'postgres://u:p@h/d'),
      ADMIN_EMAIL: 'root@example.com',
      ADMIN_PASSWORD_FILE: file('password', ' with spaces \n'),
    });
    expect(settings).to.deep.include({
      accessTokenSecret: [A, B],
      refreshTokenSecret: [C],
      accessTokenKey: pem.trimEnd(),
      database: { kind: 'postgres', url: 'postgres://u:p@h/d' },
      // The default follows the store, wherever its URL is given.
      events: { kind: 'postgres', url: 'postgres://u:p@h/d' },
      adminPassword: ' with spaces ',
      warnings: [],
    });
  });

  it('is found among the credentials of systemd, and a variable comes before it', () => {
    const CREDENTIALS_DIRECTORY = join(directory, 'credentials');
    mkdirSync(CREDENTIALS_DIRECTORY);
    file('credentials/ACCESS_TOKEN_SECRET', A);
    file('credentials/PORT', '1');
    expect(readSettings({ CREDENTIALS_DIRECTORY })).to.deep.include({ accessTokenSecret: [A], port: 3000 });
    const given = { CREDENTIALS_DIRECTORY, ACCESS_TOKEN_SECRET: B };
    expect(readSettings(given).accessTokenSecret).to.deep.equal([B]);
  });

  it('is refused when it cannot be read, is empty or no text, or is given twice; all faults are in one message', () => {
    const missing = join(directory, 'missing');
    const [empty, bytes] = [file('empty', '\n'), file('bytes', Uint8Array.of(0xff, 0xfe, 0x80))];
    expect(() =>
      readSettings({
        DATABASE_URL_FILE: missing,
        EVENTS_URL_FILE: directory,
        ACCESS_TOKEN_SECRET_FILE: empty,
        ACCESS_TOKEN_KEY_FILE: bytes,
        REFRESH_TOKEN_SECRET: B,
        REFRESH_TOKEN_SECRET_FILE: missing,
        PORT: '-1',
      }),
    ).to.throw(
      [
        'PORT must be a number from 0 to 65535, not -1',
        `DATABASE_URL is in a file that cannot be read: ${missing} (ENOENT)`,
        `EVENTS_URL is in a file that cannot be read: ${directory} (EISDIR)`,
        `ACCESS_TOKEN_SECRET is in a file that is empty: ${empty}`,
        `ACCESS_TOKEN_KEY is in a file that is not text in UTF-8: ${bytes}`,
        'REFRESH_TOKEN_SECRET and REFRESH_TOKEN_SECRET_FILE are both given: give one of them',
      ].join('\n'),
    );
  });

  it('has a warning when the name of its variable is one slip away', () => {
    expect(readSettings({ DATABASE_URL_FIEL: '/x' }).warnings).to.deep.equal([
      'DATABASE_URL_FIEL is ignored: the setting is DATABASE_URL_FILE',
    ]);
  });
});
