/** API keys over HTTP: creating, using and deactivating them. */
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { TestService } from '../support/service.js';
import { onEveryStore } from '../support/stores.js';
import { bearer, signIn, signInAsAdmin, signInSettings, signUp } from '../support/sign-in.js';
import { expectError, expectErrorAbout } from './user-requests.js';

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

    it('live on when the admin who created them is demoted or deactivated', async () => {
      const maker = await signUp(service);
      const changeMaker = async (rights: object): Promise<void> => {
        const body = { name: 'Maker', email: maker.email, ...rights };
        expect((await service.put(`/api/users/${maker.id}`, body, asAdmin)).status).to.equal(200);
      };
      await changeMaker({ role: 'admin' });
      const { accessToken } = await signIn(service, maker);
      const { key } = await makeKey(service, bearer(accessToken));
      for (const rights of [{ role: 'user' }, { status: 'inactive' }]) {
        await changeMaker(rights);
        expect((await current(service, key)).status).to.equal(200);
      }
    });

    it('are refused once deactivated, and stay in the list', async () => {
      const { id, key } = await makeKey(service, asAdmin);
      expect((await current(service, key)).status).to.equal(200);
      for (let times = 1; times <= 2; times++) {
        expect((await service.delete(`/api/keys/${id}`, asAdmin)).status).to.equal(204);
      }
      expectError(await current(service, key), 401, 'Invalid API key');
      expectError(await service.get('/api/users', { 'x-api-key': key }), 401, 'Invalid API key');
      const { data } = (await service.get('/api/keys?limit=100', asAdmin)).body as { data: KeyRecord[] };
      expect(data.find((each) => each.id === id)).to.include({ active: false });
      for (const odd of ['0', '999999', 'x', '%00']) {
        expectError(await service.delete(`/api/keys/${odd}`, asAdmin), 404, 'API key not found');
      }
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

    it('are listed in pages, like users', async () => {
      await makeKey(service, asAdmin);
      await makeKey(service, asAdmin);
      const all = (await service.get('/api/keys', asAdmin)).body as { data: KeyRecord[]; total: number };
      expect(all.data).to.have.length(all.total);
      const page = (await service.get('/api/keys?page=2&limit=1', asAdmin)).body as { data: KeyRecord[] };
      expect(page.data).to.deep.equal([all.data[1]]);
      const bare = await service.get('/api/keys?envelope=false&limit=2', asAdmin);
      expect(bare.body).to.deep.equal(all.data.slice(0, 2));
      expect(bare.headers['x-total-count']).to.equal(String(all.total));
      const xml = await service.get('/api/keys?envelope=false', { ...asAdmin, accept: 'application/xml' });
      expect(xml.text).to.match(/<apiKeys><item><id>1<\/id>/);
    });

    it('require a name', async () => {
      for (const name of ['', 'x'.repeat(101), 1, 'a\u0000b']) {
        expectErrorAbout(await service.post('/api/keys', { name }, asAdmin), 400, 'body/name');
      }
      expectErrorAbout(
        await service.post('/api/keys', { name: 'A', key: 'mine' }, asAdmin),
        400,
        'body',
        'key',
      );
    });

    it('cannot be managed by users or by keys', async () => {
      const { id, key } = await makeKey(service, asAdmin);
      const asUser = bearer((await signIn(service, await signUp(service))).accessToken);
      for (const [headers, status, sentence] of [
        [asUser, 403, 'Insufficient permissions'],
        [{ 'x-api-key': key }, 401, 'No token provided'],
        [{}, 401, 'No token provided'],
      ] as const) {
        expectError(await service.get('/api/keys', headers), status, sentence);
        expectError(await service.post('/api/keys', { name: 'A' }, headers), status, sentence);
        expectError(await service.delete(`/api/keys/${id}`, headers), status, sentence);
      }
      expect((await current(service, key)).status).to.equal(200);
    });

    it('are deleted with the admin who created them', async () => {
      const account = await signUp(service);
      const input = { name: 'Ada', email: account.email, role: 'admin' };
      expect((await service.put(`/api/users/${account.id}`, input, asAdmin)).status).to.equal(200);
      const { key } = await makeKey(service, bearer((await signIn(service, account)).accessToken));
      expect((await current(service, key)).status).to.equal(200);
      expect((await service.delete(`/api/users/${account.id}`, asAdmin)).status).to.equal(204);
      expectError(await current(service, key), 401, 'Invalid API key');
    });
  },
  () => signInSettings,
);
