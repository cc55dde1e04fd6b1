/** POST /api/users: sign-up. */
import { expect } from 'chai';
import { onEveryStore } from '../support/stores.js';
import { createUser, expectError, expectErrorAbout, userInput, type UserRecord } from './user-requests.js';

onEveryStore('POST /api/users', (service) => {
  it('answers 201 with the record, its path and its ETag', async () => {
    const answer = await service.post('/api/users', { name: 'Ada', email: 'Ada@Example.com' });
    expect(answer.status).to.equal(201);
    const { createdAt, updatedAt, ...record } = answer.body as UserRecord;
    expect(record).to.deep.equal({
      id: '1',
      name: 'Ada',
      email: 'Ada@Example.com',
      role: 'user',
      status: 'active',
      links: { orders: '/api/users/1/orders' },
    });
    expect(updatedAt).to.equal(createdAt);
    expect(createdAt).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
    expect(Math.abs(Date.parse(createdAt) - Date.now())).to.be.below(60_000);
    expect(answer.headers.location).to.equal('/api/users/1');
    expect(answer.headers.etag).to.be.a('string');
    const read = await service.get(answer.headers.location ?? '');
    expect(read.body).to.deep.equal(answer.body);
    expect(read.headers.etag).to.equal(answer.headers.etag);
  });

  it('assigns ascending ids', async () => {
    const first = await createUser(service);
    const second = await createUser(service);
    expect(Number(second.id)).to.equal(Number(first.id) + 1);
  });

  it('keeps phone and city, and text beyond ASCII', async () => {
    const fields = { name: 'Zoë 𝔏ovelace', phone: '+1 555 0100', city: 'São Paulo' };
    const created = await createUser(service, fields);
    expect((await service.get(`/api/users/${created.id}`)).body)
      .to.deep.equal(created)
      .and.include(fields);
  });

  it('refuses an email that is in use, in upper or lower case', async () => {
    await createUser(service, { email: 'Grace@Example.com' });
    for (const email of ['Grace@Example.com', 'grace@example.com', 'GRACE@EXAMPLE.COM']) {
      expectError(await service.post('/api/users', userInput({ email })), 409, 'Email already in use');
    }
  });

  it('lets one of many concurrent sign-ups with one email succeed', async () => {
    const emails = ['race@example.com', 'Race@example.com', 'RACE@EXAMPLE.COM'];
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        service.post('/api/users', userInput({ email: emails[index % emails.length] })),
      ),
    );
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).to.deep.equal([201, ...Array<number>(23).fill(409)]);
  });

  describe('the body', () => {
    const accepted: readonly (readonly [what: string, fields: object])[] = [
      ['a name of 1 character', { name: 'x' }],
      ['a name of 200', { name: 'x'.repeat(200) }],
      ['a name of 200 characters that take two units of UTF-16 each', { name: '𝔏'.repeat(200) }],
      ['a name with line breaks and tabs', { name: 'two\nlines\tand tabs' }],
    ];
    for (const [what, fields] of accepted) {
      it(`accepts ${what}`, async () => {
        const created = await createUser(service, fields as Record<string, unknown>);
        expect(created).to.include(fields);
      });
    }

    for (const length of [8, 128]) {
      it(`accepts a password of ${String(length)} characters, and does not return it`, async () => {
        const password = '𝔭'.repeat(length);
        const answer = await service.post('/api/users', userInput({ password }));
        expect(answer.status).to.equal(201);
        expect(answer.text)
          .to.not.include('𝔭')
          .and.not.match(/password|hash/i);
        const { text } = await service.get(answer.headers.location ?? '');
        expect(text).to.not.match(/password|hash/i);
      });
    }

    it('explains the required form of an email', async () => {
      const answer = await service.post('/api/users', { name: 'Ada', email: 'ada' });
      expectError(answer, 400, 'body/email must match format "email"');
    });

    const refused: readonly (readonly [what: string, body: unknown, ...words: string[]])[] = [
      ['no name', { email: 'a@example.com' }, 'body', 'name'],
      ['no email', { name: 'Ada' }, 'body', 'email'],
      ['an empty name', { name: '', email: 'a@example.com' }, 'body/name'],
      ['a name of 201 characters', { name: 'x'.repeat(201), email: 'a@example.com' }, 'body/name'],
      ['a name that is a number', { name: 1, email: 'a@example.com' }, 'body/name'],
      ['a name that is null', { name: null, email: 'a@example.com' }, 'body/name'],
      ['a name with a control character', { name: 'a\u0000b', email: 'a@example.com' }, 'body/name'],
      ['an email that is a list', { name: 'Ada', email: ['a@example.com'] }, 'body/email'],
      ['a password of 7 characters', { name: 'Ada', email: 'a@example.com', password: '1234567' }, 'body/password'],
      ['a password of 129', { name: 'Ada', email: 'a@example.com', password: 'x'.repeat(129) }, 'body/password'],
      ['a role that there is not', { name: 'Ada', email: 'a@example.com', role: 'root' }, 'body/role'],
      ['a status that there is not', { name: 'Ada', email: 'a@example.com', status: 'new' }, 'body/status'],
      ['a field that it does not know', { name: 'Ada', email: 'a@example.com', id: '9' }, 'body', 'id'],
      ['the field createdAt', { name: 'Ada', email: 'a@example.com', createdAt: 'now' }, 'body', 'createdAt'],
      ['an array', [{ name: 'Ada', email: 'a@example.com' }], 'body'],
      ['a text', 'Ada', 'body'],
      ['null', null, 'body'],
    ]; // prettier-ignore
    for (const [what, body, ...words] of refused) {
      it(`refuses ${what}`, async () => {
        expectErrorAbout(await service.post('/api/users', body), 400, ...words);
      });
    }

    it('refuses __proto__ and the like as unknown fields', async () => {
      const body = '{"name":"Ada","email":"proto@example.com","__proto__":{"role":"admin"}}';
      const headers = { 'content-type': 'application/json' };
      const answer = await service.send({ method: 'POST', path: '/api/users', headers, body });
      expectErrorAbout(answer, 400, 'body', '__proto__');
    });
  });

  describe('rights', () => {
    for (const field of [{ role: 'admin' }, { role: 'user' }, { status: 'inactive' }]) {
      it(`does not let an anonymous caller set ${JSON.stringify(field)}`, async () => {
        const answer = await service.post('/api/users', userInput(field));
        expectError(answer, 401, 'Not authenticated');
        expect(answer.headers['www-authenticate']).to.equal('Bearer');
      });
    }

    it('ignores a bearer token that is not valid', async () => {
      const headers = { authorization: 'Bearer nonsense' };
      expect((await service.post('/api/users', userInput(), headers)).status).to.equal(201);
      const asAdmin = await service.post('/api/users', userInput({ role: 'admin' }), headers);
      expectError(asAdmin, 401, 'Not authenticated');
    });

    it('ignores an API key', async () => {
      const answer = await service.post('/api/users', userInput(), { 'x-api-key': 'nonsense' });
      expect(answer.status).to.equal(201);
    });
  });
});
