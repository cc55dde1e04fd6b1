/** The audit log over HTTP: an admin reads it in pages and by filters, and others do not. */
import { expect } from 'chai';
import { bearer, signIn, signInAsAdmin, signInSettings, signUp } from '../support/sign-in.js';
import { onEveryStore } from '../support/stores.js';
import { expectError, expectErrorAbout } from './user-requests.js';

interface Entry {
  readonly id: string;
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly target?: string;
  readonly outcome: string;
}

interface Page {
  readonly data: readonly Entry[];
  readonly hasMore: boolean;
  readonly lastId: string | null;
}

onEveryStore(
  'the audit log',
  (service) => {
    let asAdmin: Readonly<Record<string, string>> = {};
    before(async () => (asAdmin = await signInAsAdmin(service)));
    const read = async (query = '') => (await service.get(`/api/audit${query}`, asAdmin)).body as Page;

    it('is read newest first, in pages that miss nothing', async () => {
      for (const name of ['One', 'Two', 'Three']) await service.post('/api/keys', { name }, asAdmin);
      const all = (await read('?limit=100')).data;
      expect(all.slice(0, 3).map(({ action }) => action)).to.deep.equal(Array(3).fill('keys.create'));
      const ids: string[] = [];
      for (let last: string | null = null, hasMore = true; hasMore;) {
        const page: Page = await read(`?limit=2${last === null ? '' : `&lastId=${last}`}`);
        ids.push(...page.data.map(({ id }) => id));
        ({ lastId: last, hasMore } = page);
      }
      expect(ids).to.deep.equal(all.map(({ id }) => id));
    });

    it('is filtered by actor, action, record and time, all at once', async () => {
      const { id } = await signUp(service);
      await service.delete(`/api/users/${id}/sessions`, asAdmin);
      const [entry] = (await read(`?target=user:${id}`)).data;
      expect(entry).to.deep.include({ action: 'users.endSessions', outcome: 'done' });
      const { actor, at } = entry ?? expect.fail('no entry');
      const query = (action: string) =>
        `?actor=${actor}&action=${action}&target=user:${id}&since=${encodeURIComponent(at)}`;
      expect((await read(query('users.endSessions'))).data).to.deep.equal([entry]);
      expect((await read(query('users.delete'))).data).to.deep.equal([]);
      expect((await read('?actor=%00')).data).to.deep.equal([]);
      expect((await read('?since=2999-01-01T00:00:00Z')).data).to.deep.equal([]);
    });

    it('is refused to others, which it records, and for what is no time and no id', async () => {
      const account = await signUp(service);
      const as = bearer((await signIn(service, account)).accessToken);
      expectError(await service.get('/api/audit', as), 403, 'Insufficient permissions');
      expectError(await service.get('/api/audit'), 401, 'No token provided');
      const [entry] = (await read(`?actor=user:${account.id}&action=audit.read`)).data;
      expect(entry?.outcome).to.equal('refused');
      expectErrorAbout(await service.get('/api/audit?since=yesterday', asAdmin), 400, 'query/since');
      expectErrorAbout(await service.get('/api/audit?lastId=x', asAdmin), 400, 'query/lastId');
    });
  },
  () => signInSettings,
);
