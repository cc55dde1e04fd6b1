/** The service as a separate process: its signals, and its messages when it cannot start. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { expect } from 'chai';
import { compileService, serviceProgram } from '../support/compiled-service.js';
import { startProcess, type StartedProcess } from '../support/started-process.js';
import { RawSocket } from '../support/raw-socket.js';
import { until } from '../support/until.js';
import { patientNow } from '../support/durations.js';

describe('a service process', () => {
  let directory = '';
  const children: ChildProcess[] = [];

  before(async () => {
    directory = await compileService();
  });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });
  after(() => rm(directory, { recursive: true }));

  async function start(variables: Readonly<Record<string, string>> = {}): Promise<StartedProcess> {
    const started = await startProcess(directory, variables);
    children.push(started.child);
    return started;
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`exits with 0 on ${signal} after writing its whole log`, async () => {
      const { child, output, url, exit } = await start();
      await fetch(`${url}/api/users`, { headers: { 'X-Request-Id': 'the-last' } });
      child.kill(signal);
      expect(await exit).to.equal(0);
      expect(output())
        .to.include('"requestId":"the-last"')
        .and.match(/"msg":"stopped"\}\n$/);
    });
  }

  it('exits with 0 on SIGTERM even when the reader of its output has gone, as with `head`', async () => {
    const script = '{ "$NODE" "$MAIN" 2>&1 & echo "pid $!" >&2; wait $!; echo "code $?" >&2; } | head -n 1';
    const main = serviceProgram(directory);
    const shell = spawn('/bin/sh', ['-c', script], {
      env: { ...process.env, NODE: process.execPath, MAIN: main, DATABASE_URL: 'memory:', PORT: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(shell);
    let said = '';
    shell.stderr.setEncoding('utf8').on('data', (chunk: string) => (said += chunk));
    await once(shell.stdout, 'data'); // `head` reads no more than this
    const pid = Number(/pid (\d+)/.exec(said)?.[1]);
    try {
      process.kill(pid, 'SIGTERM');
      await until('the service has ended', () => said.includes('code '));
      expect(said).to.include('code 0');
    } finally {
      if (!said.includes('code ')) process.kill(pid, 'SIGKILL');
    }
  });

  it('closes subscriptions cleanly, and exits with 0 within STOP_TIMEOUT even when one is never read', async () => {
    const { child, url, exit } = await start({ STOP_TIMEOUT: '1' });
    const query = 'subscription { postAdded { content } }';
    const reading = await subscribed(url, query);
    const stalled = await subscribed(url, query);
    stalled.socket.pause();
    const stream = await fetch(`${url}/graphql?query=${encodeURIComponent(query)}`, {
      headers: { accept: 'text/event-stream' },
    });
    await fillBuffers(url, reading);
    child.kill('SIGTERM');
    const [signalled, patientSignalled] = [performance.now(), patientNow()];
    expect(await reading.closed).to.deep.equal([1001, 'Going away']);
    const text = await stream.text();
    expect(text.endsWith('\n\n') && !text.includes('event: complete')).to.equal(true);
    expect(await exit).to.equal(0);
    expect(performance.now() - signalled).to.be.at.least(900);
    expect(patientNow() - patientSignalled).to.be.below(4500);
    stalled.socket.terminate();
  });

  it('exits at once on a second signal', async () => {
    const { child, output, exit } = await start({ STOP_DELAY: '300' });
    child.kill('SIGTERM');
    await until('it is stopping', () => output().includes('"msg":"stopping"'));
    child.kill('SIGTERM');
    expect(await exit).to.equal(143);
  });

  it('prints all faults of its settings, and exits with 1', async () => {
    const { output, exit } = await start({ PORT: 'x', LOG_LEVEL: 'loud' });
    expect(await exit).to.equal(1);
    expect(output())
      .to.match(/^PORT must be/m)
      .and.match(/^LOG_LEVEL must be/m);
    expect(output()).not.to.match(/^\s+at /m);
  });
});

/** A WebSocket with an active subscription. */
async function subscribed(url: string, query: string): Promise<RawSocket> {
  const client = await RawSocket.connect(url);
  client.subscribe('1', query);
  client.subscribe('2', '{ __typename }');
  while ((await client.hear()).type !== 'complete');
  return client;
}

/** Writes more than the system buffers for a loopback connection. */
async function fillBuffers(url: string, reader: RawSocket): Promise<void> {
  const ask = (query: string, variables = {}): Promise<Response> =>
    fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
  await ask('mutation { createUser(name: "Ada", email: "ada@example.com") { id } }');
  const mutation =
    'mutation ($content: String!) { createPost(title: "x", content: $content, authorId: 1) { id } }';
  for (let post = 0; post < 120; post += 1) {
    await ask(mutation, { content: 'x'.repeat(100_000) });
    expect((await reader.hear()).type).to.equal('next');
  }
}
