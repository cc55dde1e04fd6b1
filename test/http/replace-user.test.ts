/** PUT /api/users/{id}: replacing a user, with and without If-Match. */
import { expect } from 'chai';
import { onEveryStore } from '../support/stores.js';
import { createUser, expectError, expectErrorAbout, userInput, type UserRecord } from './user-requests.js';

onEveryStore('PUT /api/users/{id}', (service) => {
  let user: UserRecord;
  let path: string;
  let etag: string;

  beforeEach(async () => {
    user = await createUser(service, { phone: '+1 555 0100', city: 'London' });
    path = `/api/users/${user.id}`;
    etag = (await service.get(path)).headers.etag ?? '';
  });

  it('replaces the record: an omitted phone or city is cleared, role and status are kept', async () => {
    const input = userInput({ name: 'Grace Hopper', city: 'New York' });
    const answer = await service.put(path, input);
    expect(answer.status).to.equal(200);
    const { updatedAt, ...record } = answer.body as UserRecord;
    const { id, role, status, createdAt, links } = user;
    expect(record).to.deep.equal({ ...input, id, role, status, createdAt, links });
    expect(updatedAt >= createdAt).to.equal(true);
    expect((await service.get(path)).body).to.deep.equal(answer.body);
  });

  it('answers with a new tag, which a read has too', async () => {
    const answer = await service.put(path, userInput());
    expect(answer.headers.etag).not.to.equal(etag);
    expect(answer.headers.etag).to.equal((await service.get(path)).headers.etag);
  });

  it('answers in XML', async () => {
    const answer = await service.put(path, userInput({ name: 'Grace' }), { accept: 'application/xml' });
    expect(answer.status).to.equal(200);
    expect(answer.text).to.include('<name>Grace</name>');
  });

  it('refuses the email of another user, but not its own in another case', async () => {
    const other = await createUser(service);
    const taken = await service.put(path, { name: 'Ada', email: other.email.toUpperCase() });
    expectError(taken, 409, 'Email already in use');
    expect((await service.get(path)).body).to.deep.equal(user);
    const own = await service.put(path, { name: 'Ada', email: user.email.toUpperCase() });
    expect(own.status).to.equal(200);
  });

  it('frees the old email', async () => {
    await service.put(path, userInput());
    expect((await service.post('/api/users', { name: 'Ada', email: user.email })).status).to.equal(201);
  });

  it('does not create users', async () => {
    expectError(await service.put('/api/users/999', userInput()), 404, 'User not found');
    expectError(await service.put('/api/users/x', userInput()), 404, 'User not found');
  });

  it('refuses the same input as sign-up', async () => {
    expectErrorAbout(await service.put(path, { name: 'Ada' }), 400, 'body', 'email');
    expectErrorAbout(await service.put(path, userInput({ name: '' })), 400, 'body/name');
    expectErrorAbout(await service.put(path, { ...user, shoe: 42 }), 400, 'body');
    expect((await service.get(path)).body).to.deep.equal(user);
  });

  it('does not let an anonymous caller set a role, a status or a password', async () => {
    for (const field of [{ role: 'admin' }, { status: 'inactive' }, { password: 'correct horse' }]) {
      expectError(await service.put(path, userInput(field)), 401, 'Not authenticated');
    }
    expect((await service.get(path)).body).to.deep.equal(user);
  });

  it('refuses a bearer token that is not valid', async () => {
    const answer = await service.put(path, userInput(), { authorization: 'Bearer nonsense' });
    expectError(answer, 401, 'Invalid token');
    expect(answer.headers['www-authenticate']).to.equal('Bearer');
  });

  describe('If-Match', () => {
    it('writes with the current tag, with a list that contains it, and with *', async () => {
      for (const value of ['*', (tag: string) => tag, (tag: string) => `"other", ${tag}`]) {
        const { headers } = await service.get(path);
        const ifMatch = typeof value === 'string' ? value : value(headers.etag ?? '');
        const answer = await service.put(path, userInput(), { 'if-match': ifMatch });
        expect(answer.status, ifMatch).to.equal(200);
      }
    });

    it('accepts the tags of the XML form and of embedded orders, which belong to the same record', async () => {
      const reads = [
        () => service.get(path, { accept: 'application/xml' }),
        () => service.get(`${path}?embed=orders`),
      ];
      for (const read of reads) {
        const { headers } = await read();
        const answer = await service.put(path, userInput(), { 'if-match': headers.etag ?? '' });
        expect(answer.status).to.equal(200);
      }
    });

    it('answers 412 to a stale tag and does not change the record', async () => {
      const changed = await service.put(path, userInput());
      const answer = await service.put(path, userInput(), { 'if-match': etag });
      expectErrorAbout(answer, 412, 'changed');
      expect((await service.get(path)).body).to.deep.equal(changed.body);
    });

    it('answers 412 to other tags, weak tags and values that are no tags', async () => {
      for (const value of ['"other"', `W/${etag}`, 'other', '']) {
        expect((await service.put(path, userInput(), { 'if-match': value })).status, value).to.equal(412);
      }
    });

    it('lets one of many writers with one tag succeed', async () => {
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => service.put(path, userInput(), { 'if-match': etag })),
      );
      const statuses = answers.map(({ status }) => status).toSorted();
      expect(statuses).to.deep.equal([200, ...Array<number>(9).fill(412)]);
    });
  });

  describe('If-None-Match', () => {
    it('answers 412 to * and to the current tag, also if it is weak or in a list, and changes nothing', async () => {
      for (const value of ['*', etag, `W/${etag}`, `"other", ${etag}`]) {
        const answer = await service.put(path, userInput(), { 'if-none-match': value });
        expectErrorAbout(answer, 412, 'excludes');
      }
      expect((await service.get(path)).body).to.deep.equal(user);
    });

    it('writes if no tag is the current one', async () => {
      for (const value of ['"other"', 'other', '']) {
        expect((await service.put(path, userInput(), { 'if-none-match': value })).status, value).to.equal(
          200,
        );
      }
      expect((await service.put(path, userInput(), { 'if-none-match': etag })).status).to.equal(200);
    });

    it('comes after If-Match and after all other refusals', async () => {
      const any = { 'if-none-match': '*' };
      expectErrorAbout(
        await service.put(path, userInput(), { ...any, 'if-match': '"other"' }),
        412,
        'changed',
      );
      expect((await service.put(path, userInput(), { ...any, 'if-match': etag })).status).to.equal(412);
      expectError(await service.put('/api/users/99', userInput(), any), 404, 'User not found');
      expectErrorAbout(await service.put(path, { name: '' }, any), 400, 'body');
    });
  });
});
