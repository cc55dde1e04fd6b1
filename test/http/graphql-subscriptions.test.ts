/** `postAdded` over WebSocket and server-sent events, on every store. */

import { expect } from 'chai';
import { createClient as createSseClient } from 'graphql-sse';
import { createClient as createWsClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { protectedPolicy } from '../../src/core/services/rights/policy.js';
import type { TestService } from '../support/service.js';
import { type Account, bearer, signIn, signInAsAdmin, signInSettings, signUp } from '../support/sign-in.js';
import { onEveryStore } from '../support/stores.js';
import { until } from '../support/until.js';
import { type GraphqlResult, codesOf, run } from './graphql-requests.js';

const postAdded = 'subscription { postAdded { id title content author { id name } } }';
const createPost =
  'mutation ($title: String!, $id: ID) { createPost(title: $title, content: "C", authorId: $id) { id } }';

interface PostAdded {
  readonly id: string;
  readonly title: string;
  readonly content: string;
  readonly author: { readonly id: string; readonly name: string };
}

/** One subscription, what it has brought, and how it ended. */
interface Subscription {
  readonly results: readonly GraphqlResult[];
  /** What the library said when the subscription was over: a close event, an error, or nothing. */
  readonly ended: Promise<unknown>;
  readonly leave: () => void;
}

/** A client's way to one operation. @param authorization - a token, with or without `Bearer` */
type Subscribe = (service: TestService, query: string, authorization?: string) => Subscription;

const ways: Readonly<Record<string, Subscribe>> = {
  WebSocket: ({ url }, query, authorization) => {
    const client = createWsClient({
      url: `${url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      ...(authorization !== undefined && { connectionParams: { authorization } }),
    });
    return collect((sink) => client.subscribe({ query }, sink));
  },
  'server-sent events': ({ url }, query, authorization) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const client = createSseClient({ url: `${url}/graphql`, headers, retryAttempts: 0 });
    return collect((sink) => client.subscribe({ query }, sink));
  },
};

interface Sink {
  readonly next: (result: unknown) => void;
  readonly error: (error: unknown) => void;
  readonly complete: () => void;
}

function collect(subscribe: (sink: Sink) => () => void): Subscription {
  const results: GraphqlResult[] = [];
  let leave = (): void => undefined;
  const ended = new Promise<unknown>((resolve) => {
    leave = subscribe({
      next: (result) => results.push(result as GraphqlResult),
      error: resolve,
      complete: () => {
        resolve(undefined);
      },
    });
  });
  return { results, ended, leave };
}

const postsOf = ({ results }: Subscription): readonly PostAdded[] =>
  results.map(({ data }) => data?.['postAdded'] as PostAdded);

async function write(
  service: TestService,
  {
    title,
    id,
    authorization,
  }: { readonly title: string; readonly id?: string; readonly authorization?: string },
): Promise<string> {
  const { data, errors } = await run(service, createPost, { variables: { title, id }, authorization });
  expect(errors).to.equal(undefined);
  return (data?.['createPost'] as { readonly id: string }).id;
}

/** A WebSocket does not report that a subscription is established: the first post that arrives shows it. */
async function stand(
  subscriptions: readonly Subscription[],
  writeProbe: () => Promise<unknown>,
): Promise<void> {
  await until('the subscriptions stand', async () => {
    await writeProbe();
    return subscriptions.every(({ results }) => results.length > 0);
  });
}

onEveryStore(
  'GraphQL subscriptions',
  (service) => {
    let author: Account;
    before(async () => {
      author = await signUp(service);
    });
    const probe = () => write(service, { title: 'probe', id: author.id });

    it('show each post to each subscriber once, whole, and in the order of ids, also many made at once', async () => {
      const subscriptions = Object.values(ways).flatMap((subscribe) => [
        subscribe(service, postAdded),
        subscribe(service, postAdded),
      ]);
      await stand(subscriptions, probe);
      const ids = await Promise.all(
        Array.from({ length: 40 }, (_, n) => write(service, { title: `Post ${String(n)}`, id: author.id })),
      );
      const inOrder = ids.toSorted((a, b) => Number(a) - Number(b));
      for (const subscription of subscriptions) {
        await until('the last post arrives', () =>
          postsOf(subscription).some(({ id }) => id === inOrder.at(-1)),
        );
        const heard = postsOf(subscription).filter(({ title }) => title !== 'probe');
        expect(heard.map(({ id }) => id)).to.deep.equal(inOrder);
        for (const { id, title, content, author: by } of heard) {
          expect(title).to.equal(`Post ${String(ids.indexOf(id))}`);
          expect(content).to.equal('C');
          expect(by).to.deep.equal({ id: author.id, name: 'Ada Lovelace' });
        }
        subscription.leave();
      }
    });

    for (const [way, subscribe] of Object.entries(ways)) {
      it(`show nothing from before, and nothing that was refused, over ${way}`, async () => {
        const earlier = await write(service, { title: 'Earlier', id: author.id });
        const subscription = subscribe(service, postAdded);
        await stand([subscription], probe);
        const refused = [
          { title: '', id: author.id },
          { title: 'Of nobody', id: '999999' },
          { title: 'Of nobody' },
        ];
        for (const variables of refused) {
          expect(codesOf(await run(service, createPost, { variables }))).to.deep.equal(['BAD_USER_INPUT']);
        }
        const last = await write(service, { title: 'Last', id: author.id });
        await until('the last post arrives', () => postsOf(subscription).at(-1)?.id === last);
        const heard = postsOf(subscription).filter(({ title }) => title !== 'probe');
        expect(heard.map(({ id }) => id)).to.deep.equal([last]);
        expect(Number(postsOf(subscription)[0]?.id)).to.be.above(Number(earlier));
        subscription.leave();
      });

      it(`know the caller by a token, with and without Bearer, over ${way}`, async () => {
        const { accessToken } = await signIn(service, author);
        const me = async (authorization?: string): Promise<GraphqlResult> => {
          const asked = subscribe(service, '{ me { id } }', authorization);
          await asked.ended;
          expect(asked.results).to.have.length(1);
          return asked.results[0] ?? {};
        };
        for (const authorization of [accessToken, `Bearer ${accessToken}`, `bearer  ${accessToken}`]) {
          expect(await me(authorization)).to.deep.equal({ data: { me: { id: author.id } } });
        }
        for (const authorization of [undefined, '', 'Bearer', `${accessToken}x`]) {
          const { data, errors } = await me(authorization);
          expect(data).to.deep.equal({ me: null });
          expect(errors?.map(({ message, extensions }) => [message, extensions.code])).to.deep.equal([
            ['Not authenticated', 'UNAUTHENTICATED'],
          ]);
        }
      });

      it(`end for a user who is deactivated, with no post after that, over ${way}`, async () => {
        const mortal = await signUp(service);
        const { accessToken } = await signIn(service, mortal);
        const subscription = subscribe(service, postAdded, accessToken);
        await stand([subscription], probe);
        const admin = await signInAsAdmin(service);
        const change = { name: 'Ada Lovelace', email: mortal.email, status: 'inactive' };
        expect((await service.put(`/api/users/${mortal.id}`, change, admin)).status).to.equal(200);
        const unseen = await write(service, { title: 'Unseen', id: author.id });
        const end = await subscription.ended;
        if (way === 'WebSocket') {
          expect(end).to.include({ code: 4403, reason: 'Invalid token' });
        } else {
          expect(subscription.results.at(-1)).to.deep.equal({
            errors: [{ message: 'Invalid token', extensions: { code: 'UNAUTHENTICATED' } }],
          });
        }
        const shown = subscription.results.map(({ data }) => data?.['postAdded'] as PostAdded | undefined);
        expect(shown.some((post) => post?.id === unseen)).to.equal(false);
      });
    }
  },
  () => signInSettings,
);

onEveryStore(
  'GraphQL subscriptions under the protected policy',
  (service) => {
    for (const [way, subscribe] of Object.entries(ways)) {
      it(`show strangers a post and its author's name, and no more, over ${way}`, async () => {
        const author = await signUp(service);
        const { accessToken: authorization } = await signIn(service, author);
        const writeOwn = () => write(service, { title: 'T', authorization });
        const stranger = subscribe(service, 'subscription { postAdded { author { name } } }');
        const curious = subscribe(service, 'subscription { postAdded { author { email } } }');
        const known = subscribe(
          service,
          'subscription { postAdded { author { email } } }',
          bearer(authorization).authorization,
        );
        await stand([stranger, curious, known], writeOwn);
        expect(stranger.results[0]).to.deep.equal({
          data: { postAdded: { author: { name: 'Ada Lovelace' } } },
        });
        expect(curious.results[0]?.data).to.equal(null);
        expect(codesOf(curious.results[0] ?? {})).to.deep.equal(['UNAUTHENTICATED']);
        expect(known.results[0]).to.deep.equal({ data: { postAdded: { author: { email: author.email } } } });
        // What one event may not show does not end the subscription.
        const before = curious.results.length;
        await writeOwn();
        await until('the next event arrives', () => curious.results.length > before);
        for (const { leave } of [stranger, curious, known]) leave();
      });
    }
  },
  () => ({ ...signInSettings, policy: protectedPolicy }),
);
