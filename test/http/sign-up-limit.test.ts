/** SIGN_UP_LIMIT over HTTP: sign-ups per minute and address, over REST and GraphQL together. */
import { expect } from 'chai';
import { RawSocket } from '../support/raw-socket.js';
import { send } from '../support/send.js';
import { type ServiceAnswer, useService } from '../support/service.js';
import { signInSettings } from '../support/sign-in.js';

let count = 0;
const nextUser = (): { readonly name: string; readonly email: string } => {
  count += 1;
  return { name: 'Ada', email: `ada${String(count)}@example.com` };
};
const mutation =
  'mutation ($name: String!, $email: String!) { createUser(name: $name, email: $email) { id } }';

describe('a limit of sign-ups', () => {
  const service = useService({ ...signInSettings, signUpLimit: 3 });

  const overRest = (address: string, user: unknown = nextUser()): Promise<ServiceAnswer> =>
    service.post('/api/users', user, { 'x-forwarded-for': address });
  const overGraphql = async (address: string): Promise<unknown> => {
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': address };
    const body = JSON.stringify({ query: mutation, variables: nextUser() });
    const answer = await send(service.url, { method: 'POST', path: '/graphql', headers, body });
    return JSON.parse(answer.text);
  };
  const codeOf = (body: unknown): unknown =>
    (body as { errors?: readonly { extensions: { code: string } }[] }).errors?.[0]?.extensions.code;

  it('refuses one too many with 429 and Retry-After, however they are sent, and other addresses not', async () => {
    expect((await overRest('192.0.2.1')).status).to.equal(201);
    expect(codeOf(await overGraphql('192.0.2.1'))).to.equal(undefined);
    const socket = await RawSocket.connect(service.url, undefined, {
      headers: { 'X-Forwarded-For': '192.0.2.1' },
    });
    socket.subscribe('1', mutation, nextUser());
    expect(await socket.hear()).to.have.nested.property('payload.data.createUser.id');
    expect((await socket.hear()).type).to.equal('complete');

    const { status, headers, body } = await overRest('192.0.2.1');
    expect(status).to.equal(429);
    expect(Number(headers['retry-after'])).to.be.within(1, 60);
    expect((body as { error: string }).error).to.match(/^Too many sign-ups: try again in \d+ seconds?$/);
    expect(codeOf(await overGraphql('192.0.2.1'))).to.equal('LIMIT_EXCEEDED');
    socket.subscribe('2', mutation, nextUser());
    expect(codeOf((await socket.hear()).payload)).to.equal('LIMIT_EXCEEDED');
    await socket.close();

    expect((await overRest('192.0.2.2')).status).to.equal(201);
  });

  it('counts the addresses of one IPv6 network together', async () => {
    for (const end of ['1', '2', '3']) expect((await overRest(`2001:db8::${end}`)).status).to.equal(201);
    expect((await overRest('2001:db8::4')).status).to.equal(429);
    expect((await overRest('2001:db8:0:1::1')).status).to.equal(201);
  });

  it('counts the parts of a /56 network together, with four times the number', async () => {
    const part = (index: number): string => `2001:db8:1:${index.toString(16)}::1`;
    for (let index = 0; index < 12; index += 1) expect((await overRest(part(index))).status).to.equal(201);
    expect((await overRest(part(12))).status).to.equal(429);
    expect((await overRest(part(0x100))).status).to.equal(201);
  });

  it('counts an email that is in use, and not a body that is refused', async () => {
    const user = nextUser();
    for (let index = 0; index < 5; index += 1) {
      expect((await overRest('192.0.2.3', { name: '', email: user.email })).status).to.equal(400);
    }
    expect((await overRest('192.0.2.3', user)).status).to.equal(201);
    for (const status of [409, 409, 429]) {
      expect((await overRest('192.0.2.3', user)).status).to.equal(status);
    }
  });

  it('is for nothing else', async () => {
    for (let index = 0; index < 4; index += 1) {
      expect((await service.get('/api/users', { 'x-forwarded-for': '192.0.2.1' })).status).to.equal(200);
    }
  });
});

describe('without a limit of sign-ups', () => {
  const service = useService();

  it('an address may create any number of users', async () => {
    for (let index = 0; index < 30; index += 1) {
      expect((await service.post('/api/users', nextUser())).status).to.equal(201);
    }
  });
});
