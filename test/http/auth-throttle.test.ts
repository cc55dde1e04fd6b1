/** Limits on guessing passwords over HTTP: ten failures per minute for an email and for an address. */
import { expect } from 'chai';
import { useService, type TestService } from '../support/service.js';
import { onEveryStore } from '../support/stores.js';
import { admin, signInSettings, signUp } from '../support/sign-in.js';

const attempt = (service: TestService, email: string, password: string, address: string) =>
  service.post('/api/auth/login', { email, password }, { 'x-forwarded-for': address });

const attempts = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

onEveryStore(
  'throttling of sign-ins',
  (service) => {
    it('refuses an email after ten failures from any address, also with the right password', async () => {
      const { email, password } = await signUp(service);
      for (const index of attempts(10)) {
        const answer = await attempt(
          service,
          index % 2 ? email : email.toUpperCase(),
          'wrong',
          `192.0.2.${index}`,
        );
        expect(answer.status).to.equal(401);
      }
      const answer = await attempt(service, email, password, '192.0.2.99');
      expect(answer.status).to.equal(429);
      expect(Number(answer.headers['retry-after'])).to.be.within(1, 60);
      expect((answer.body as { error: string }).error).to.match(
        /^Too many failed sign-ins: try again in \d+ second/,
      );
      expect((await attempt(service, admin.email, admin.password, '192.0.2.99')).status).to.equal(200);
    });

    it('refuses an unknown email in the same way', async () => {
      for (const index of attempts(10))
        await attempt(service, 'nobody@example.com', 'x', `198.51.100.${index}`);
      expect((await attempt(service, 'nobody@example.com', 'x', '198.51.100.99')).status).to.equal(429);
    });

    it('refuses an address after ten failures for any emails, and no other address', async () => {
      for (const index of attempts(10))
        await attempt(service, `nobody${index}@example.com`, 'x', '203.0.113.1');
      expect((await attempt(service, admin.email, admin.password, '203.0.113.1')).status).to.equal(429);
      expect((await attempt(service, admin.email, admin.password, '203.0.113.2')).status).to.equal(200);
    });

    it('counts the addresses of one IPv6 network together', async () => {
      for (const index of attempts(10))
        await attempt(service, `six${index}@example.com`, 'x', `2001:db8::${index}`);
      expect((await attempt(service, admin.email, admin.password, '2001:db8::ffff')).status).to.equal(429);
      expect((await attempt(service, admin.email, admin.password, '2001:db8:0:1::1')).status).to.equal(200);
    });

    for (const [prefix, places, most] of [
      ['/56', (index: number) => `2001:db8:56:${(0x1000 + index).toString(16)}::1`, 40],
      ['/48', (index: number) => `2001:db8:48:${(index * 0x100).toString(16)}::1`, 160],
    ] as const) {
      it(`refuses a ${prefix} network of IPv6 after ${most} failures, one from each of its parts`, async () => {
        const signIn = (index: number) => attempt(service, admin.email, admin.password, places(index));
        const fail = (index: number) =>
          attempt(service, `part${prefix}${index}@example.com`, 'x', places(index));
        const failed = await Promise.all(attempts(most - 1).map(fail));
        expect(failed.every(({ status }) => status === 401)).to.equal(true);
        // A sign-in that succeeds does not count.
        expect((await signIn(0)).status).to.equal(200);
        expect((await fail(most)).status).to.equal(401);
        expect((await signIn(0)).status).to.equal(429);
        expect((await attempt(service, admin.email, admin.password, '2001:db8:99::1')).status).to.equal(200);
      });
    }

    it('lets at most ten concurrent guesses through', async () => {
      const { email } = await signUp(service);
      const answers = await Promise.all(
        attempts(30).map((index) => attempt(service, email, `guess ${index}`, `192.0.2.${100 + index}`)),
      );
      expect(answers.filter(({ status }) => status === 401)).to.have.length(10);
      expect(answers.filter(({ status }) => status === 429)).to.have.length(20);
    });

    it('does not count successful sign-ins, even many at once', async () => {
      const answers = await Promise.all(
        attempts(30).map(() => attempt(service, admin.email, admin.password, '203.0.113.7')),
      );
      expect(answers.map(({ status }) => status)).to.deep.equal(attempts(30).map(() => 200));
    });
  },
  () => signInSettings,
);

describe('throttling of sign-ins, without a trusted proxy', () => {
  const service = useService({ ...signInSettings, trustProxy: 0 });

  it("ignores a client's claims about its address", async () => {
    for (const index of attempts(10))
      await attempt(service, `nobody${index}@example.com`, 'x', `192.0.2.${index}`);
    expect((await attempt(service, admin.email, admin.password, '192.0.2.99')).status).to.equal(429);
  });
});
