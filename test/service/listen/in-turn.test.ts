/** Pipelining: the requests of a connection are answered in turn, and none before the client has read what came before. */

import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { openPolicy } from '../../../src/core/services/rights/policy.js';
import { useService } from '../../support/service.js';
import { until } from '../../support/until.js';
import { openSocket, requestText } from '../../support/wire.js';

const LIST = 20;
const CONTENT = 'x'.repeat(100_000);

describe('pipelined requests', () => {
  let lists = 0;
  const service = useService({
    policy: {
      ...openPolicy,
      // Asked about every post of a list.
      'posts.read': (_, { id }) => {
        if (id === '1') lists += 1;
        return true;
      },
    },
  });

  before(async () => {
    const { id: authorId } = (await service.post('/api/users', { name: 'Ada', email: 'ada@example.com' }))
      .body as { id: string };
    for (let index = 0; index < LIST; index += 1) {
      await service.services.posts.create(
        { kind: 'anonymous' },
        { title: `Post ${String(index)}`, content: CONTENT, authorId },
      );
    }
  });
  beforeEach(() => (lists = 0));

  it('are not worked on for a client that does not read', async () => {
    const socket = await openSocket(service.url);
    socket.write(requestText(`/api/posts?limit=${String(LIST)}`).repeat(300));
    await until('the first is answered', () => lists > 0);
    // An answer takes a few milliseconds, so that all would be made.
    await sleep(200);
    // The kernel's buffers take two or three answers of 2 MB.
    expect(lists).to.be.within(1, 10);
    socket.destroy();
  });

  it('are all answered, in order, to a client that reads', async () => {
    const socket = await openSocket(service.url);
    let received = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
    const targets = Array.from({ length: 300 }, (_, index) => `/nowhere/${String(index)}`);
    const ids = targets.map((target) =>
      requestText(target, { headers: [`X-Request-Id: of${target.slice(8)}`] }),
    );
    socket.write(ids.join('') + requestText('/api/users/1', { headers: ['Connection: close'] }));
    await once(socket, 'close');
    const answered = [...received.matchAll(/^X-Request-Id: of(\/\d+)\r$/gm)].map(
      ([, index]) => `/nowhere${index ?? ''}`,
    );
    expect(answered).to.deep.equal(targets);
    expect(received).to.match(/"email":"ada@example\.com"[^]*$/);
  });

  it('may have bodies, which are read while requests wait behind them', async () => {
    const socket = await openSocket(service.url);
    let received = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
    const post = (index: number): string => {
      // Larger than what is read at once, so that the rest arrives while the request before it is answered.
      const body = JSON.stringify({
        name: 'x',
        email: `e${String(index)}@example.com`,
        city: 'y'.repeat(100_000),
      });
      const headers = ['Content-Type: application/json', `Content-Length: ${String(body.length)}`];
      return requestText('/api/users', { method: 'POST', headers }) + body;
    };
    socket.write(
      [1, 2, 3, 4].map(post).join('') + requestText('/healthz', { headers: ['Connection: close'] }),
    );
    await once(socket, 'close');
    const statuses = [...received.matchAll(/HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status);
    expect(statuses).to.deep.equal(['400', '400', '400', '400', '200']);
  });

  it('leave nothing behind when the client disconnects', async () => {
    const socket = await openSocket(service.url);
    socket.write(requestText(`/api/posts?limit=${String(LIST)}`).repeat(50));
    await until('the first is answered', () => lists > 0);
    socket.destroy();
    await until('only the request that asks is in flight', async () => {
      const text = await (await fetch(`${service.url}/metrics`)).text();
      return text.includes('\nhttp_requests_in_flight 1\n');
    });
  });
});
