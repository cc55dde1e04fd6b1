/** The shipped deployment: two processes started as the unit starts them, with its environment, behind its proxy. */

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseEnv, promisify } from 'node:util';
import { expect } from 'chai';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { readSettings, settingsTable } from '../../src/service/settings/settings.js';
import type { Setting } from '../../src/service/settings/setting.js';
import { ROOT } from '../architecture/source-tree.js';
import { deployFile } from '../support/deploy-file.js';
import { freePort } from '../support/free-port.js';
import { NginxServer, deployment, nginxAbsence } from '../support/nginx-server.js';
import { sharedPostgres } from '../support/postgres-server.js';
import { redisAbsence, sharedRedis } from '../support/redis-server.js';
import { until } from '../support/until.js';
import { block } from './readme-blocks.js';

const names: readonly string[] = Object.values<Setting<unknown>>(settingsTable).map(({ name }) => name);

const run = promisify(execFile);

/** The unit's lines by their key. */
const unit = new Map(
  deployFile('concordat@.service')
    .split('\n')
    .flatMap((line) => [...line.matchAll(/^(\w+)=(.*)$/g)])
    .map(([, key = '', value = '']) => [key, value]),
);

const environment = parseEnv(deployFile('concordat.env'));
const admin = { email: 'admin@example.com', password: 'correct horse battery' };

/** The values for the ellipses of the environment. */
const given: Readonly<Record<string, string>> = {
  ACCESS_TOKEN_SECRET: 'a'.repeat(48),
  REFRESH_TOKEN_SECRET: 'r'.repeat(48),
  ADMIN_EMAIL: admin.email,
  ADMIN_PASSWORD: admin.password,
};

describe('the deployment', () => {
  it('has settings that there are, and secrets that are not written down', () => {
    const variables = [...(unit.get('Environment') ?? '').split(' ').map((each) => each.split('=')[0] ?? '')];
    for (const name of [...variables, ...Object.keys(environment)]) expect(names).to.include(name);
    const open = Object.keys(environment).filter((name) => environment[name] === '…');
    expect(open.sort()).to.deep.equal(Object.keys(given).sort());
  });

  it('waits for a stop as long as the service may take', () => {
    const { stopDelaySeconds, stopTimeoutSeconds } = readSettings({});
    expect(Number(unit.get('TimeoutStopSec'))).to.be.above(stopDelaySeconds + stopTimeoutSeconds);
  });

  it('starts and restarts the processes that the proxy knows', () => {
    const ports = [...deployFile('nginx.conf').matchAll(/server 127\.0\.0\.1:(\d+)/g)].map(
      ([, port]) => port,
    );
    const [start = '', restart = ''] = block('systemctl').split('\n');
    for (const line of [start, restart]) {
      expect([...line.matchAll(/concordat@(\d+)(?!\d|\.socket)/g)].map(([, port]) => port)).to.deep.equal(
        ports,
      );
    }
    expect([...start.matchAll(/concordat@(\d+)\.socket/g)].map(([, port]) => port)).to.deep.equal(ports);
  });
});

const title = 'the deployment: two processes on PostgreSQL, behind nginx';
(nginxAbsence === undefined ? describe : describe.skip)(
  nginxAbsence === undefined ? title : `${title} (skipped: ${nginxAbsence})`,
  () => {
    const services: ChildProcess[] = [];
    let nginx: NginxServer | undefined;
    let url = '';
    let authorization = '';

    before(async () => {
      const ports = [await freePort(), await freePort()] as const;
      const stores = {
        DATABASE_URL: await (await sharedPostgres()).createDatabase(),
        // Without Redis, the processes tell each other over PostgreSQL.
        EVENTS_URL: redisAbsence === undefined ? (await sharedRedis()).url : '',
      };
      // Both at once: the first start of two processes on an empty database.
      await Promise.all(ports.map((port) => start(port, { ...environment, ...given, ...stores })));
      nginx = await NginxServer.start(deployment(ports));
      url = nginx.url;
      const login = await post('/api/auth/login', admin);
      const { accessToken } = (await login.json()) as { readonly accessToken: string };
      authorization = `Bearer ${accessToken}`;
    });
    after(async () => {
      await nginx?.stop();
      for (const service of services) {
        const exit = once(service, 'exit');
        service.kill('SIGTERM');
        expect(await exit).to.deep.equal([0, null]);
      }
    });

    /** As systemd does it: a command without a shell, `%i` for the port, and nothing in the environment but what is given. */
    async function start(port: number, variables: NodeJS.Dict<string>): Promise<void> {
      const lineOf = (key: string): string => (unit.get(key) ?? '').replaceAll('%i', String(port));
      const [node, ...parameters] = lineOf('ExecStart').split(' ');
      expect(node).to.equal('/usr/bin/node');
      const service = spawn(process.execPath, parameters, {
        cwd: ROOT,
        env: { ...variables, ...parseEnv(lineOf('Environment').replaceAll(' ', '\n')) },
        stdio: 'ignore',
      });
      services.push(service);
      const [curl, ...flags] = lineOf('ExecStartPost').split(' ');
      expect(curl).to.equal('/usr/bin/curl');
      await run('curl', flags);
      // Callers that wait for systemd wait for this.
      expect((await fetch(`http://127.0.0.1:${String(port)}/readyz`)).status).to.equal(200);
    }

    function post(path: string, value: unknown): Promise<Response> {
      const headers = { 'Content-Type': 'application/json', ...(authorization && { authorization }) };
      return fetch(url + path, { method: 'POST', headers, body: JSON.stringify(value) });
    }

    it('keep the token of an external sign-in out of the log of the proxy', async () => {
      expect((await fetch(`${url}/auth/success?token=secret`)).status).to.equal(200);
      const isLogged = (log: string | undefined) => log?.includes('"GET /auth/success" 200') === true;
      await until('the request is logged', async () => isLogged(await nginx?.log()));
      expect(await nginx?.log()).to.not.include('secret');
    });

    it('take posts from any process to every subscriber, over WebSocket and server-sent events', async () => {
      const query = 'subscription { postAdded { title } }';
      const received: string[] = [];
      const clients = [1, 2].map((number) => {
        const client = createClient({
          url: `${url.replace('http', 'ws')}/graphql`,
          webSocketImpl: WebSocket,
        });
        const next = (result: unknown) =>
          void received.push(`WebSocket ${String(number)} ${JSON.stringify(result)}`);
        const isSubscribed = new Promise<void>((resolve) => {
          // A query on the same socket is answered after the subscription was taken.
          client.on('connected', () => {
            client.subscribe(
              { query: '{ __typename }' },
              { next: () => undefined, error: () => undefined, complete: resolve },
            );
          });
        });
        client.subscribe(
          { query },
          { next, error: (error) => void received.push(String(error)), complete: () => undefined },
        );
        return { client, isSubscribed };
      });
      await Promise.all(clients.map(({ isSubscribed }) => isSubscribed));
      const streams = new AbortController();
      for (const number of [1, 2]) {
        const stream = await fetch(`${url}/graphql?query=${encodeURIComponent(query)}`, {
          headers: { accept: 'text/event-stream' },
          signal: streams.signal,
        });
        const next = (text: string) => void received.push(`SSE ${String(number)} ${text}`);
        void readEvents(stream, next).catch(() => undefined);
      }

      // Two, because the requests are shared out among the processes.
      for (const title of ['One', 'Two']) {
        const made = await post('/graphql', {
          query: `mutation { createPost(title: "${title}", content: "x") { title } }`,
        });
        expect(await made.json()).to.deep.equal({ data: { createPost: { title } } });
      }
      await until('everybody has both', () => received.length >= 8);
      expect(received.sort()).to.deep.equal(
        ['SSE 1', 'SSE 2', 'WebSocket 1', 'WebSocket 2'].flatMap((who) =>
          ['One', 'Two'].map((title) => `${who} {"data":{"postAdded":{"title":"${title}"}}}`),
        ),
      );
      streams.abort();
      for (const { client } of clients) await client.dispose();
    });

    it('refuse a body over 1 MiB in the words of the service, and keep the metrics to themselves', async () => {
      const large = await post('/api/users', { name: 'x'.repeat(1_500_000) });
      expect(large.status).to.equal(413);
      expect(await large.json()).to.have.keys('error');
      expect((await fetch(`${url}/metrics`)).status).to.equal(403);
    });
  },
);

/** Tells of the data of each event as it comes. */
async function readEvents({ body }: Response, next: (data: string) => void): Promise<void> {
  let text = '';
  for await (const chunk of body ?? []) {
    text += Buffer.from(chunk).toString();
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const [, data] = /^data: (.*)$/m.exec(event) ?? [];
      if (data !== undefined) next(data);
    }
  }
}
