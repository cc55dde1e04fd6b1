/** A process whose webhooks lead to receivers that never answer, and to names whose servers are silent, serves all others and stops at once. */
import { expect } from 'chai';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { compileService } from '../support/compiled-service.js';
import { hostileBehaviours, hostileReceiver, type HostileReceiver } from '../support/hostile-receivers.js';
import { askedNameServer, type NameServer, startNameServer } from '../support/name-server.js';
import { admin, outboxVariables } from '../support/sign-in.js';
import { type StartedProcess, startProcess } from '../support/started-process.js';
import { until } from '../support/until.js';
import { patientNow } from '../support/durations.js';

const names = Array.from({ length: 8 }, (_, at) => `receiver${String(at)}.example.com`);
const events = 40;

describe('a process with receivers that are gone', () => {
  let directory = '';
  let server: NameServer;
  let healthy: Server;
  let hostile: readonly HostileReceiver[];
  let service: StartedProcess;
  let received = 0;
  before(async () => {
    directory = await compileService();
    server = await startNameServer(Object.fromEntries(names.map((name) => [name, '127.0.0.1'])));
    hostile = await Promise.all(hostileBehaviours.map(hostileReceiver));
    healthy = createServer((request, response) => {
      request.resume().once('end', () => {
        received += 1;
        response.writeHead(204).end();
      });
    }).listen(0, '127.0.0.1');
    await once(healthy, 'listening');
    service = await startProcess(directory, {
      ...outboxVariables,
      NODE_OPTIONS: `--import=${askedNameServer}`,
      NAME_SERVER: server.port,
    });
  });
  after(() => {
    service.child.kill('SIGKILL');
    server.stop();
    healthy.close();
    for (const each of hostile) each.stop();
    rmSync(directory, { recursive: true });
  });

  async function post(path: string, body: object, token = ''): Promise<Record<string, unknown>> {
    const headers = {
      'Content-Type': 'application/json',
      ...(token && { Authorization: `Bearer ${token}` }),
    };
    const answer = await fetch(service.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    expect(answer.status, path).to.be.below(300);
    return (await answer.json()) as Record<string, unknown>;
  }

  it('delivers to others, answers a test, and ends at a signal', async () => {
    const token = String((await post('/api/auth/login?tokens=pair', admin))['accessToken']);
    const webhook = (url: string) => post('/api/webhooks', { url, types: ['user.created'] }, token);
    for (const name of names) await webhook(`http://${name}:9/`);
    for (const { url } of hostile) await webhook(url);
    const { port } = healthy.address() as AddressInfo;
    await webhook(`http://127.0.0.1:${String(port)}/`);
    for (const name of names) server.silenced.add(name);
    for (let user = 0; user < events; user += 1)
      await post('/api/users', { name: 'Ada', email: `ada${String(user)}@example.com` });
    await until('the healthy receiver has all events', () => received >= events);
    const test = await post(`/api/webhooks/${String(names.length + 1)}/test`, {}, token);
    expect(test).to.deep.equal({ delivered: false, answer: 'status 101' });
    await until('silent names are looked up', () => server.asked.length > names.length);
    const began = patientNow();
    service.child.kill('SIGTERM');
    expect(await service.exit, service.output()).to.equal(0);
    // Two seconds are the grace of attempts that have been sent; the rest is room for busy cores.
    expect(patientNow() - began).to.be.lessThan(5_000);
  });
});
