/** Unexpected GraphQL errors over every transport: clients see no details, and the log has the error with the request's id. */

import { expect } from 'chai';
import { createClient as createSseClient } from 'graphql-sse';
import { anonymous } from '../../src/core/services/rights/caller.js';
import { post } from '../http/graphql-requests.js';
import { RawSocket } from '../support/raw-socket.js';
import { until } from '../support/until.js';
import { type LogLine, useWatched } from './server/watched-service.js';

const query = 'query Writers { posts { author { name } } }';
const subscription = 'subscription Writers { postAdded { author { name } } }';
const error = { message: 'Internal server error', extensions: { code: 'INTERNAL_SERVER_ERROR' } };

describe('a masked GraphQL error', () => {
  const service = useWatched({ LOG_LEVEL: 'error' });
  const writePost = () =>
    service().services.posts.create(anonymous, { title: 'T', content: 'C', authorId: '1' });

  before(async () => {
    await service().services.users.create(anonymous, {
      name: 'Ada',
      email: 'ada@example.com',
    });
    await writePost();
    service().services.posts.getAuthors = () => Promise.reject(new Error('the disk is on fire'));
  });

  /** The log's only line for a request. */
  async function lineOf(requestId: string): Promise<LogLine> {
    const lines = (): readonly LogLine[] => service().lines.filter((line) => line['requestId'] === requestId);
    await until(`${requestId} is logged`, () => lines().length > 0);
    expect(lines()).to.have.length(1);
    return lines()[0] ?? {};
  }

  function expectMasked(result: unknown, field: string): void {
    const { errors } = result as { readonly errors: readonly unknown[] };
    expect(errors).to.have.length(1);
    expect(errors[0]).to.deep.include({
      ...error,
      path: field.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key)),
    });
    expect(JSON.stringify(result)).not.to.include('fire');
  }

  async function expectLogged(requestId: string, field: string): Promise<void> {
    const line = await lineOf(requestId);
    expect(line).to.include({ level: 50, operation: 'Writers', field });
    expect(line['err']).to.include({ message: 'the disk is on fire', type: 'Error' });
  }

  it('is logged over POST and GET', async () => {
    const posted = await post({ url: service().url }, { query }, { 'x-request-id': 'post' });
    expect(posted.status).to.equal(200);
    expectMasked(posted.result, 'posts.0.author');
    await expectLogged('post', 'posts.0.author');
    const got = await fetch(`${service().url}/graphql?query=${encodeURIComponent(query)}`, {
      headers: { 'x-request-id': 'get' },
    });
    expectMasked(await got.json(), 'posts.0.author');
    await expectLogged('get', 'posts.0.author');
  });

  it('is logged over WebSocket with the id of the upgrade', async () => {
    const socket = await RawSocket.connect(service().url, undefined, { headers: { 'x-request-id': 'ws' } });
    socket.subscribe('1', query);
    expectMasked((await socket.hear()).payload, 'posts.0.author');
    await expectLogged('ws', 'posts.0.author');
    await socket.close();
  });

  it('is logged over WebSocket for each event of a subscription, which continues', async () => {
    const socket = await RawSocket.connect(service().url, undefined, {
      headers: { 'x-request-id': 'events' },
    });
    socket.subscribe('1', subscription);
    socket.subscribe('2', '{ users { id } }');
    while ((await socket.hear()).type !== 'complete');
    for (let event = 1; event <= 2; event += 1) {
      await writePost();
      const { type, payload } = await socket.hear();
      expect(type).to.equal('next');
      expectMasked(payload, 'postAdded.author');
      await until(
        'it is logged',
        () => service().lines.filter((line) => line['requestId'] === 'events').length === event,
      );
    }
    await socket.close();
  });

  it('is logged over server-sent events, for a query and for an event', async () => {
    const client = (requestId: string) =>
      createSseClient({
        url: `${service().url}/graphql`,
        headers: { 'x-request-id': requestId },
        retryAttempts: 0,
      });
    for await (const result of client('sse').iterate({ query })) expectMasked(result, 'posts.0.author');
    await expectLogged('sse', 'posts.0.author');
    const events = client('sse-events').iterate({ query: subscription });
    const heard: unknown[] = [];
    const first = events.next().then(({ value }) => heard.push(value));
    // Wait until the subscription is active.
    await until('a post arrives', async () => {
      await writePost();
      return heard.length > 0;
    });
    await first;
    expectMasked(heard[0], 'postAdded.author');
    await events.return?.();
    await until('it is logged', () => service().lines.some((line) => line['requestId'] === 'sse-events'));
  });

  it('is logged when the caller cannot be determined', async () => {
    const { authentication } = service().services;
    authentication.callerOfToken = () => Promise.reject(new Error('the disk is on fire'));
    const headers = { 'content-type': 'application/json', authorization: 'Bearer x' };
    const body = JSON.stringify({ query });
    for (const accept of ['application/json', 'text/event-stream']) {
      const requestId = `caller-${accept}`;
      const answer = await fetch(`${service().url}/graphql`, {
        method: 'POST',
        headers: { ...headers, accept, 'x-request-id': requestId },
        body,
      });
      const text = await answer.text();
      expect(text).to.include(JSON.stringify({ errors: [error] }));
      expect((await lineOf(requestId))['err']).to.include({ message: 'the disk is on fire' });
    }
  });
});
