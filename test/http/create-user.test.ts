/** POST /api/users: sign-up. */
import { expect } from 'chai';
import { onEveryStore } from '../support/stores.js';
import { expectError, expectErrorAbout, userInput } from './user-requests.js';

onEveryStore('POST /api/users', (service) => {
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

    it('refuses __proto__ and the like as unknown fields', async () => {
      const body = '{"name":"Ada","email":"proto@example.com","__proto__":{"role":"admin"}}';
      const headers = { 'content-type': 'application/json' };
      const answer = await service.send({ method: 'POST', path: '/api/users', headers, body });
      expectErrorAbout(answer, 400, 'body', '__proto__');
    });
  });
});
