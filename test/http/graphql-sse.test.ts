/** GraphQL over server-sent events, as it is on the wire. */
import { once } from 'node:events';
import { expect } from 'chai';
import { useService } from '../support/service.js';
import { ask as send, post } from './graphql-requests.js';
import { until } from '../support/until.js';
import { anonymous } from '../../src/core/services/rights/caller.js';

const postAdded = 'subscription { postAdded { title } }';

describe('GraphQL over server-sent events', () => {
  const service = useService();
  let authorId = '';
  before(async () => {
    const author = await service.post('/api/users', { name: 'Ada', email: 'ada@example.com' });
    authorId = (author.body as { id: string }).id;
  });

  const ask = (query: string, method: 'GET' | 'POST' = 'POST') => {
    const headers = { accept: 'text/event-stream', 'content-type': 'application/json' };
    return method === 'POST'
      ? fetch(`${service.url}/graphql`, { method, headers, body: JSON.stringify({ query }) })
      : fetch(`${service.url}/graphql?query=${encodeURIComponent(query)}`, { headers });
  };

  for (const method of ['GET', 'POST'] as const) {
    it(`sends its head before the first event, then each post as it comes, for ${method}`, async () => {
      const response = await ask(postAdded, method);
      expect(response.status).to.equal(200);
      expect(response.headers.get('content-type')).to.equal('text/event-stream; charset=utf-8');
      let expected = '';
      for (const title of ['One', 'Two', 'Three']) {
        const { id } = await service.services.posts.create(anonymous, { title, content: 'x', authorId });
        if (expected === '') expected = `id: ${String(Number(id) - 1)}\n\n`;
        expected += `event: next\nid: ${id}\ndata: {"data":{"postAdded":{"title":"${title}"}}}\n\n`;
      }
      let text = '';
      for await (const chunk of response.body ?? []) {
        text += Buffer.from(chunk).toString();
        if (text.length >= expected.length) break;
      }
      expect(text).to.equal(expected);
    });
  }

  it('sends a post that was missed as it is now, not as others got it', async () => {
    const query = 'subscription { postAdded { id author { name } } }';
    const first = await ask(query);
    const missed = { title: 'Missed', content: 'x', authorId };
    const { id } = await service.services.posts.create(anonymous, missed);
    const next = async (response: Response): Promise<string> => {
      let text = '';
      for await (const chunk of response.body ?? []) {
        text += Buffer.from(chunk).toString();
        if (text.includes(`"id":"${id}"`)) break;
      }
      return text;
    };
    expect(await next(first)).to.include('"name":"Ada"');
    await service.put(`/api/users/${authorId}`, { name: 'New', email: 'ada@example.com' });
    const headers = {
      accept: 'text/event-stream',
      'content-type': 'application/json',
      'last-event-id': String(Number(id) - 1),
    };
    const body = JSON.stringify({ query });
    expect(await next(await fetch(`${service.url}/graphql`, { method: 'POST', headers, body }))).to.include(
      '"name":"New"',
    );
    await service.put(`/api/users/${authorId}`, { name: 'Ada', email: 'ada@example.com' });
  });

  it('sends a query as one event, and completes', async () => {
    const text = await (await ask('{ users { name } }')).text();
    expect(text).to.equal(
      ':\n\nevent: next\ndata: {"data":{"users":[{"name":"Ada"}]}}\n\nevent: complete\ndata: \n\n',
    );
  });

  it('names the fault of an operation in the stream, and that me needs a caller', async () => {
    expect(await (await ask('{')).text())
      .to.include('"GRAPHQL_PARSE_FAILED"')
      .and.include('event: complete');
    expect(await (await ask('subscription { nothing }')).text()).to.include('"GRAPHQL_VALIDATION_FAILED"');
    expect(await (await ask('{ me { id } }')).text())
      .to.include('"message":"Not authenticated"')
      .and.include('"code":"UNAUTHENTICATED"');
  });

  const result = 'application/graphql-response+json';
  const negotiated: readonly (readonly [accept: string, type: string])[] = [
    ['text/event-stream', 'text/event-stream'],
    ['Text/Event-Stream', 'text/event-stream'],
    ['text/event-stream, application/json', 'text/event-stream'],
    ['application/json;q=0.5, text/event-stream', 'text/event-stream'],
    [`${result};q=0.5, application/json;q=0.4, text/event-stream;q=0.6`, 'text/event-stream'],
    ['application/json, text/event-stream', 'application/json'],
    ['text/event-stream;q=0.9, application/json', 'application/json'],
    [`${result}, text/event-stream;q=0.9`, result],
    [`${result}, application/json, text/event-stream, multipart/mixed`, result],
    ['text/event-stream;q=0, application/json', 'application/json'],
    ['*/*', 'application/json'],
  ];
  for (const [accept, type] of negotiated) {
    it(`answers a query that accepts ${accept} with ${type}`, async () => {
      const answer = await post(service, { query: '{ users { name } }' }, { accept });
      expect(answer.status).to.equal(200);
      expect(answer.headers['content-type']).to.equal(`${type}; charset=utf-8`);
      expect(answer.text).to.include('{"data":{"users":[{"name":"Ada"}]}}');
    });
  }

  it('says where subscriptions are served to a client that asks for one as JSON', async () => {
    for (const accept of ['application/json', result, '*/*', 'application/json, text/event-stream']) {
      for (const ask of [
        () => post(service, { query: postAdded }, { accept }),
        () =>
          send(service, {
            query: `query=${encodeURIComponent(postAdded)}`,
            method: 'GET',
            headers: { accept },
          }),
      ]) {
        const answer = await ask();
        expect(answer.status).to.equal(400);
        expect(answer.result?.errors?.map(({ message }) => message)).to.deep.equal([
          'Subscriptions are served over WebSocket and as text/event-stream',
        ]);
      }
    }
  });

  it('refuses a request that is not GraphQL with a status, and a mutation over GET', async () => {
    const headers = { accept: 'text/event-stream', 'content-type': 'text/plain' };
    const text = await fetch(`${service.url}/graphql`, { method: 'POST', headers, body: '{}' });
    expect(text.status).to.equal(415);
    const mutation = await ask('mutation { deleteUser(id: "1") }', 'GET');
    expect([mutation.status, mutation.headers.get('allow')]).to.deep.equal([405, 'POST']);
  });
});

describe('GraphQL over server-sent events, when it has to end', () => {
  const service = useService();

  it('ends with an error when the user behind the token is gone', async () => {
    const admin = { kind: 'user', id: '0', role: 'admin' } as const;
    const input = { name: 'Eve', email: 'eve@example.com', password: 'correct horse' };
    const user = await service.services.users.create(admin, { ...input });
    const author = await service.services.users.create(admin, {
      name: 'Ada',
      email: 'ada@example.com',
    });
    const login = await service.post('/api/auth/login', { email: user.email, password: input.password });
    const { accessToken } = login.body as { accessToken: string };
    const response = await fetch(`${service.url}/graphql?query=${encodeURIComponent(postAdded)}`, {
      headers: { accept: 'text/event-stream', authorization: accessToken },
    });
    await service.services.users.delete(admin, user.id);
    await service.services.posts.create(admin, { title: 'x', content: 'x', authorId: author.id });
    expect((await response.text()).replace(/^id: [0-9]+\n\n/, '')).to.equal(
      'event: next\ndata: {"errors":[{"message":"Invalid token","extensions":{"code":"UNAUTHENTICATED"}}]}\n\n' +
        'event: complete\ndata: \n\n',
    );
  });

  it('leaves the source when the client has disconnected before the subscription is established', async () => {
    const { posts } = service.services;
    const subscribeAdded = posts.subscribeAdded.bind(posts);
    const client = new AbortController();
    let [isAsked, hasLeft] = [false, false];
    posts.subscribeAdded = async (caller) => {
      isAsked = true;
      await once(client.signal, 'abort');
      // The server sees the end of the connection a moment after the client has ended it.
      await until('no request but this one is under way', async () => {
        const metrics = await (await fetch(`${service.url}/metrics`)).text();
        return metrics.includes('http_requests_in_flight 1');
      });
      const feed = await subscribeAdded(caller);
      const leave = feed.return?.bind(feed);
      feed.return = () => {
        hasLeft = true;
        return leave?.() ?? Promise.resolve({ done: true, value: undefined });
      };
      return feed;
    };
    const headers = { accept: 'text/event-stream' };
    const url = `${service.url}/graphql?query=${encodeURIComponent(postAdded)}`;
    const answer = fetch(url, { headers, signal: client.signal }).catch(() => undefined);
    await until('the subscription is being made', () => isAsked);
    client.abort();
    await answer;
    await until('the source is left', () => hasLeft);
    posts.subscribeAdded = subscribeAdded;
  });

  it('ends without a complete when the service stops', async () => {
    const response = await fetch(`${service.url}/graphql?query=${encodeURIComponent(postAdded)}`, {
      headers: { accept: 'text/event-stream' },
    });
    await service.stop();
    expect(await response.text()).to.match(/^id: [0-9]+\n\n$/);
  });
});
