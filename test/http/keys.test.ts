/** API keys over HTTP: creating, using and deactivating them. */
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { TestService } from '../support/service.js';
import { onEveryStore } from '../support/stores.js';
import { signInAsAdmin, signInSettings } from '../support/sign-in.js';
import { expectError } from './user-requests.js';

interface KeyRecord {
  readonly id: string;
  readonly name: string;
  readonly active: boolean;
  readonly createdAt: string;
  readonly lastUsedAt?: string;
  readonly key: string;
}

type Headers = Readonly<Record<string, string>>;

async function makeKey(service: TestService, as: Headers, name = 'Warehouse'): Promise<KeyRecord> {
  const answer = await service.post('/api/keys', { name }, as);
  expect(answer.status, answer.text).to.equal(201);
  return answer.body as KeyRecord;
}

const current = (service: TestService, key: string, headers: Headers = {}) =>
  service.get('/api/keys/current', { 'x-api-key': key, ...headers });

onEveryStore(
  'API keys',
  (service) => {
    let asAdmin: Headers = {};
    before(async () => (asAdmin = await signInAsAdmin(service)));

    it('are created by an admin and shown only then', async () => {
      const answer = await service.post('/api/keys', { name: 'Ångström 💡' }, asAdmin);
      expect(answer.status).to.equal(201);
      expect(answer.headers['cache-control']).to.equal('no-store');
      expect(answer.body).to.have.all.keys('id', 'name', 'active', 'createdAt', 'key');
      const { key, ...record } = answer.body as KeyRecord;
      expect(answer.headers.location).to.equal(`/api/keys/${record.id}`);
      expect(record).to.include({ name: 'Ångström 💡', active: true });
      expect(key.length).to.be.at.least(43);

      const list = await service.get('/api/keys', asAdmin);
      const { data } = list.body as { data: KeyRecord[] };
      expect(data.find(({ id }) => id === record.id)).to.deep.equal(record);
      const secret = key.split('_').slice(2).join('_');
      for (const text of [secret, createHash('sha256').update(secret).digest('base64url')]) {
        expect(list.text).not.to.include(text);
      }
      expect((await makeKey(service, asAdmin)).key).not.to.equal(key);
    });

    it('are required to read their own record', async () => {
      const { key, ...record } = await makeKey(service, asAdmin);
      const answer = await current(service, key);
      expect(answer.status).to.equal(200);
      expect(answer.body).to.deep.include({ ...record });
      const tag = String(answer.headers.etag);
      expect((await current(service, key, { 'if-none-match': tag })).status).to.equal(304);
      expectError(await service.get('/api/keys/current', asAdmin), 401, 'API key required');
      const xml = await current(service, key, { accept: 'application/xml' });
      expect(xml.text).to.include(`<apiKey><id>${record.id}</id>`);
    });

    it('have the time of their last use, to the minute', async () => {
      const { id, key } = await makeKey(service, asAdmin);
      const read = async () => {
        const { data } = (await service.get('/api/keys?limit=100', asAdmin)).body as { data: KeyRecord[] };
        return data.find((each) => each.id === id);
      };
      expect(await read()).not.to.have.property('lastUsedAt');
      const before = Date.now();
      await current(service, key);
      const first = (await read())?.lastUsedAt;
      expect(Date.parse(String(first))).to.be.within(before - 1, Date.now());
      await current(service, key);
      expect((await read())?.lastUsedAt, 'no write for each request').to.equal(first);
    });

    it('are accepted exactly as issued', async () => {
      const [one, two] = [await makeKey(service, asAdmin), await makeKey(service, asAdmin)];
      const [, , secret = ''] = one.key.split('_', 3);
      const last = one.key.at(-1) === 'A' ? 'B' : 'A';
      for (const odd of [
        `${one.key}A`,
        one.key.slice(0, -1),
        one.key.slice(0, -1) + last,
        one.key.toUpperCase(),
        `ck_${two.id}_${one.key.slice(`ck_${one.id}_`.length)}`,
        `ck_0${one.id}_${secret}`,
        `ck_999999_${secret}`,
        `ck_${'9'.repeat(400)}_${secret}`,
        one.id,
        'undefined',
        `${one.key}, ${two.key}`,
      ]) {
        expectError(await current(service, odd), 401, 'Invalid API key');
      }
    });
  },
  () => signInSettings,
);
