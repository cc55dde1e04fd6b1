/** Names are resolved as the system does, and one whose server is silent holds nothing up. */
import { expect } from 'chai';
import type { LookupAddress } from 'node:dns';
import { pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { nameLookup } from '../../../src/core/servers/names.js';
import { askAt, askTheSystem } from '../../support/asked-name-server.mjs';
import { type NameServer, startNameServer } from '../../support/name-server.js';

const hash = promisify(pbkdf2);

describe('the look-up of names', () => {
  let server: NameServer;
  let waiting: AbortController;
  before(async () => {
    server = await startNameServer({ 'hooks.example.com': '192.0.2.7' });
    askAt(server.port);
  });
  after(() => {
    askTheSystem();
    server.stop();
  });
  beforeEach(() => {
    server.asked.length = 0;
    waiting = new AbortController();
  });
  afterEach(() => waiting.abort());

  const resolve = (name: string, options: object = { all: true }): Promise<string> =>
    new Promise((done) => {
      nameLookup(waiting.signal)(name, options, (error, found, family) => {
        if (error !== null) done(`${String(error.code)} ${error.message}`);
        else if (typeof found === 'string') done(`${found} ${String(family)}`);
        else done(found.map(({ address }: LookupAddress) => address).join(' '));
      });
    });

  it('asks the name servers', async () => {
    expect(await resolve('hooks.example.com')).to.equal('192.0.2.7');
    expect(await resolve('Hooks.Example.com.')).to.equal('192.0.2.7');
    expect(await resolve('hooks.example.com', {})).to.equal('192.0.2.7 4');
    expect(await resolve('hooks.example.com', { family: 6 })).to.match(/^ENOTFOUND /);
    expect(await resolve('nowhere.example.com')).to.equal(
      'ENOTFOUND the name is unknown nowhere.example.com',
    );
    for (const name of ['400', '__proto__', 'constructor', `${'x'.repeat(70)}.example`, 'a..b'])
      expect(await resolve(name), name).to.match(/^ENOTFOUND /);
  });

  it('knows localhost without asking them', async () => {
    expect(await resolve('localhost')).to.include('127.0.0.1');
    expect(await resolve('service.localhost')).to.equal('127.0.0.1 ::1');
    expect(server.asked).to.deep.equal([]);
  });

  it('asks once for a name that many need', async () => {
    const all = Array.from({ length: 50 }, () => resolve('hooks.example.com'));
    expect(new Set(await Promise.all(all))).to.deep.equal(new Set(['192.0.2.7']));
    expect(server.asked).to.deep.equal(['hooks.example.com']);
  });

  it('holds up neither other names nor the threads of the process, and ends when nobody waits', async () => {
    const silent = Array.from({ length: 20 }, (_, at) => resolve(`silent${String(at)}.example.com`));
    await hash('password', 'salt', 1, 32, 'sha256');
    expect(await resolve('hooks.example.com')).to.equal('192.0.2.7');
    waiting.abort();
    for (const each of await Promise.all(silent)) expect(each).to.match(/^ECANCELED /);
    waiting = new AbortController();
    expect(await resolve('hooks.example.com')).to.equal('192.0.2.7');
  });
});
