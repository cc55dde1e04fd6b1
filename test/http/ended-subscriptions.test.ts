/** Subscriptions of many users, some of whose tokens are wrong or become so: each ends by itself, and its client learns why. */
import { expect } from 'chai';
import { operator } from '../../src/core/services/rights/caller.js';
import { openPolicy, protectedPolicy } from '../../src/core/services/rights/policy.js';
import { forge, HS256 } from '../support/forged-tokens.js';
import { RawSocket } from '../support/raw-socket.js';
import { type TestService, useService } from '../support/service.js';
import { secrets, signInSettings } from '../support/sign-in.js';
import { until } from '../support/until.js';

const postAdded = 'subscription { postAdded { id } }';
const USERS = 40;
const POSTS = 4;

/** What a client has received: how many posts, and why the subscription ended. */
interface Received {
  posts: number;
  /** Undefined as long as it is open. */
  end: string | undefined;
}

type Subscribe = (service: TestService, token: string) => Promise<Received>;

/** The same words for the ends of both transports. */
const transports: Readonly<Record<string, Subscribe>> = {
  'server-sent events': async (service, token) => {
    const url = `${service.url}/graphql?query=${encodeURIComponent(postAdded)}`;
    const headers = { accept: 'text/event-stream', authorization: token };
    const response = await fetch(url, { headers });
    const received: Received = { posts: 0, end: undefined };
    const read = async (): Promise<void> => {
      let text = '';
      for await (const chunk of response.body ?? []) {
        text += Buffer.from(chunk).toString();
        received.posts = text.split('"postAdded"').length - 1;
      }
      received.end = /"message":"([^"]*)","extensions":\{"code":"UNAUTHENTICATED"/.exec(text)?.[1] ?? text;
    };
    read().catch((error: unknown) => (received.end = String(error)));
    return received;
  },
  WebSocket: async (service, token) => {
    const socket = await RawSocket.connect(service.url, { authorization: token });
    const received: Received = { posts: 0, end: undefined };
    socket.subscribe('posts', postAdded);
    socket.subscribe('probe', '{ __typename }');
    for (let isSubscribed = false; !isSubscribed;) {
      const { type, id } = await socket.hear();
      isSubscribed = type === 'complete' && id === 'probe';
    }
    const read = async (): Promise<never> => {
      for (;;) if ((await socket.hear()).type === 'next') received.posts += 1;
    };
    read().catch(() => undefined);
    void socket.closed.then(([code, reason]) => (received.end = code === 4403 ? reason : String(code)));
    return received;
  },
};

for (const [name, policy] of Object.entries({ open: openPolicy, protected: protectedPolicy })) {
  for (const [transport, subscribe] of Object.entries(transports)) {
    describe(`subscriptions over ${transport}, under the ${name} policy`, () => {
      const service = useService({ ...signInSettings, policy });
      const exp = Math.floor(Date.now() / 1000) + 3600;
      const tokenOf = (userId: string) =>
        forge(HS256, { userId, exp, iat: Date.now() / 1000 }, secrets.accessSecret);
      const users: { readonly id: string; readonly email: string }[] = [];

      before(async () => {
        for (let index = 0; index < USERS; index += 1) {
          const email = `${transport.slice(0, 3)}${String(index)}@example.com`;
          users.push(await service.services.users.create(operator, { name: 'Ada', email }));
        }
      });

      const setStatus = async (index: number, status: 'active' | 'inactive'): Promise<void> => {
        const { id = '', email = '' } = users[index] ?? {};
        await service.services.users.replace(operator, id, { name: 'Ada', email, status });
      };
      const post = () =>
        service.services.posts.create(operator, { title: 'x', content: 'x', authorId: users[39]?.id });

      it('end one by one, each with the reason, and those with a wrong token are anonymous', async () => {
        for (let index = 0; index < 5; index += 1) await setStatus(index, 'inactive');
        const open = (token: string) => subscribe(service, token);
        const ofUsers = await Promise.all(users.map(({ id }) => open(tokenOf(id))));
        const wrong = await Promise.all(['nonsense', tokenOf('999999'), `${tokenOf('1')}x`].map(open));
        for (let index = 5; index < 10; index += 1) await setStatus(index, 'inactive');
        for (let count = 0; count < POSTS; count += 1) await post();
        const ended = ofUsers.slice(5, 10);
        // As many were inactive as posts are missing for each of them, and nobody else misses one.
        const others = [...ofUsers.slice(0, 5), ...ofUsers.slice(10), ...wrong];
        await until('all is delivered', () => others.every(({ posts }) => posts === POSTS));
        await until('the others have ended', () => ended.every(({ end }) => end !== undefined));
        for (const received of others) expect(received).to.deep.equal({ posts: POSTS, end: undefined });
        for (const received of ended) expect(received).to.deep.equal({ posts: 0, end: 'Invalid token' });
      });
    });
  }
}
