/** The check before a comparison: servers that do not do the same work are not compared. */

import { type RequestListener, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { type Probe, requireSameAnswers } from './same-answers.js';

const time = '2026-03-01T08:00:00.000000Z';
const probe: Probe = { path: '/', status: 200 };

describe('bench: same answers', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  /** @returns what is wrong with the second server beside the first */
  async function problemOf(
    listeners: readonly [RequestListener, RequestListener],
    probes: readonly Probe[] = [probe],
    { checks = true, compareHeaders = true } = {},
  ): Promise<string | undefined> {
    const probed = await Promise.all(
      listeners.map(async (listener, index) => {
        const server = createServer(listener);
        servers.push(server);
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
        const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
        return { name: index === 0 ? 'ours' : 'theirs', url, checks: index === 0 || checks };
      }),
    );
    try {
      await requireSameAnswers(probed, probes, compareHeaders);
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  }

  const answer =
    (body: unknown, headers: Record<string, string> = {}, status = 200): RequestListener =>
    (_, response) => {
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
      response.end(JSON.stringify(body));
    };

  it('lets the order of keys differ, times, request ids, and the parameters of a media type', async () => {
    const ours = answer({ id: '1', at: time }, { 'X-Request-Id': 'a' });
    const theirs = answer(
      { at: time.replace('08', '09'), id: '1' },
      { 'X-Request-Id': 'b', 'Content-Type': 'application/json; charset=utf-8' },
    );
    expect(await problemOf([ours, theirs])).to.equal(undefined);
  });

  it('finds another body, even one that differs by spaces or by the precision of a time', async () => {
    const ours = answer({ id: '1', at: time });
    expect(await problemOf([ours, answer({ id: '2', at: time })])).to.match(/^theirs.*another body/);
    expect(await problemOf([ours, answer({ id: '1', at: time.replace('000Z', 'Z') })])).to.match(
      /another body/,
    );
    const spaced: RequestListener = (_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ id: '1', at: time }, undefined, 1));
    };
    expect(await problemOf([ours, spaced])).to.match(/another body/);
  });

  it('finds another status, and a header that is missing, unless headers are not compared', async () => {
    const ours = answer({}, { ETag: '"1"' });
    expect(await problemOf([ours, answer({}, { ETag: '"1"' }, 201)])).to.match(/^theirs.*status 201/);
    expect(await problemOf([ours, answer({})])).to.match(/^theirs.*other headers/);
    expect(await problemOf([ours, answer({})], [probe], { compareHeaders: false })).to.equal(undefined);
  });

  it('finds a server that does not refuse what the first refuses, unless it is known to check nothing', async () => {
    const refused: Probe = { path: '/', status: 400 };
    const listeners = [answer({}, {}, 400), answer({})] as const;
    expect(await problemOf(listeners, [refused])).to.match(/^theirs.*status 200/);
    expect(await problemOf(listeners, [refused], { checks: false })).to.equal(undefined);
  });

  it('finds an answer of GraphQL that has no errors where it should', async () => {
    const failing: Probe = { path: '/', status: 200, hasErrors: true };
    const errors = answer({ errors: [{ message: 'no' }] }, {}, 400);
    expect(await problemOf([errors, answer({ errors: [{ message: 'never' }] })], [failing])).to.equal(
      undefined,
    );
    expect(await problemOf([errors, answer({ data: {} })], [failing])).to.match(/^theirs.*no errors/);
  });
});
