/** Tests the command `proxy` in this process, in front of a server in another one. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { runProgram } from '../../../src/codegen/cli/program.js';
import type { ProxyReport } from '../../../src/tools/traffic/proxy.js';
import { collectGarbage } from '../../support/collect-garbage.js';
import { freePort } from '../../support/free-port.js';
import { type Run, Sink } from '../../support/run-program.js';
import { until } from '../../support/until.js';

/** In bytes. */
const MOST_HELD = 40_000_000;

const THINGS = `openapi: 3.1.0
info: { title: Things, version: 1.0.0 }
paths:
  /things/{id}:
    get:
      operationId: getThing
      parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
      responses:
        '200': { description: A, content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } } }
  /things:
    post:
      operationId: addThing
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } }
      responses:
        '201': { description: A, content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } } }
components:
  schemas:
    Thing: { type: object, required: [name], properties: { id: { type: integer }, name: { type: string } } }
`;

/** What the server says that it received. */
interface Echo {
  readonly method: string;
  readonly url: string;
  readonly rawHeaders: readonly string[];
  readonly trailers: object;
  readonly size: number;
  readonly hash: string;
}

describe('concordat proxy', () => {
  let directory: string;
  let file: string;
  let server: ChildProcess;
  let seen = '';
  let target: string;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'concordat-proxy-'));
    file = join(directory, 'openapi.yaml');
    await writeFile(file, THINGS);
    server = spawn(process.execPath, [fileURLToPath(new URL('other-server.mjs', import.meta.url))], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    server.stdout?.setEncoding('utf8').on('data', (text: string) => (seen += text));
    await until('the server listens', () => /^\d+\n/.test(seen));
    target = `http://127.0.0.1:${/^\d+/.exec(seen)?.[0] ?? ''}`;
  });
  beforeEach(() => (seen = ''));
  after(async () => {
    server.kill();
    await rm(directory, { recursive: true, force: true });
  });

  /** Runs the command. @param traffic - is sent to the proxy before it is stopped */
  async function run(
    parameters: readonly string[],
    traffic: (url: string, metrics: string) => Promise<unknown> = () => Promise.resolve(),
  ): Promise<Run> {
    const [stdout, stderr] = [new Sink(), new Sink()];
    let failure: unknown;
    const exitCode = await runProgram(['proxy', '--openapi', file, ...parameters], {
      stdin: Readable.from([]),
      ...{ stdout, stderr, env: {} },
      async untilStopped() {
        const [, url = ''] = /Traffic to (\S+) goes/.exec(stdout.text + stderr.text) ?? [];
        const [, metrics = ''] = /Metrics are at (\S+)\. /.exec(stdout.text) ?? [];
        // The command would only print it.
        await traffic(url, metrics).catch((error: unknown) => (failure = error));
      },
    });
    if (failure instanceof Error) throw failure;
    return { exitCode, stdout: stdout.text, stderr: stderr.text };
  }

  const proxied = (...options: string[]): readonly string[] => [target, '--port', '0', ...options];
  const get = async (url: string): Promise<string> => (await fetch(url)).text();
  const post = (url: string, body: string, headers = {}): Promise<Response> =>
    fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });
  const json = async (
    options: readonly string[],
    traffic: (url: string) => Promise<unknown>,
  ): Promise<ProxyReport> => {
    const port = String(await freePort());
    const parameters = [target, '--port', port, '--json', ...options];
    const { stdout } = await run(parameters, () => traffic(`http://127.0.0.1:${port}`));
    return JSON.parse(stdout) as ProxyReport;
  };

  it('reports how the traffic differs from the document, and fails if it does', async () => {
    const good = await run(proxied(), (url) => get(`${url}/things/1`));
    expect(good.exitCode, good.stderr).to.equal(0);
    expect(good.stdout).to.match(
      /^Traffic to http:\/\/127\.0\.0\.1:\d+ goes to http:\/\/127\.0\.0\.1:\d+\. Stop/,
    );
    expect(good.stdout).to.include(`\n1 request, 1 compared with ${file}.\n`);
    const bad = await run(proxied(), async (url) => {
      for (const path of ['things/2', 'things/2', 'things/3', 'things/4', 'old/7'])
        await get(`${url}/${path}`);
      await post(`${url}/things`, '{}');
    });
    expect(bad.stdout.split('\n').slice(1)).to.deep.equal([
      `6 requests, 6 compared with ${file}.`,
      `5 deviations from ${file}:`,
      '  GET /old/{} response 200 status undeclared-route (1 time): the contract does not have GET /old/{}',
      "  addThing request body/name required (1 time): body must have required property 'name'",
      '  getThing response 200 body/id type (2 times): body/id must be integer',
      '  getThing response 200 body/name type (1 time): body/name must be string',
      '  getThing response 404 status undeclared-status (1 time): the status 404 is not declared',
      `1 route that was asked for, and that ${file} does not have:`,
      '  GET /old/{}: 200 (1 time)',
      '',
    ]);
    expect([bad.exitCode, bad.stderr]).to.deep.equal([1, '5 deviations.\n']);
  });

  it('lists the paths that the document does not have, also outside its prefix, and successes without a credential', async () => {
    const secured = join(directory, 'secured.yaml');
    const text = THINGS.replace(
      'operationId: addThing',
      'operationId: addThing\n      security: [{ token: [] }]',
    );
    const schemes = '  securitySchemes: { token: { type: http, scheme: bearer } }\n';
    await writeFile(secured, text.replace('components:\n', `components:\n${schemes}`));
    const { exitCode, stdout } = await run(
      [`${target}/v1`, '--port', '0', '--openapi', secured],
      async (url) => {
        for (const path of ['/health', '/health', '/v1/nothing', '/v1x']) await get(url + path);
        await post(`${url}/v1/things`, '{"name":"a"}');
        await post(`${url}/v1/things`, '{"name":"a"}', { authorization: 'Bearer x' });
      },
    );
    expect(stdout.split('\n').slice(1)).to.deep.equal([
      `6 requests, 6 compared with ${secured}.`,
      `2 deviations from ${secured}:`,
      '  GET /nothing response 200 status undeclared-route (1 time): the contract does not have GET /nothing',
      '  addThing response 201 status missing-credential (1 time): it succeeds without a credential of token',
      `3 routes that were asked for, and that ${secured} does not have:`,
      '  GET /health: 200 (2 times)',
      '  GET /nothing: 200 (1 time)',
      '  GET /{}: 200 (1 time)',
      '',
    ]);
    expect(exitCode).to.equal(1);
  });

  it('reports in the formats of the other commands, at the lines of the document', async () => {
    const inFormat = async (format: string): Promise<string> => {
      const { exitCode, stdout, stderr } = await run(proxied('--format', format), (url) =>
        get(`${url}/things/2`),
      );
      expect(exitCode).to.equal(1);
      expect(stderr).to.match(/^Traffic to .*\n1 deviation\.\n$/);
      return stdout;
    };
    expect(await inFormat('junit')).to.include('<testsuite name="concordat proxy" tests="2" failures="1"');
    expect(await inFormat('github')).to.match(
      /^::error file=[^,]+,line=5,title=type::getThing: response 200/,
    );
    expect(JSON.parse(await inFormat('sarif'))).to.have.nested.property('runs[0].results[0].ruleId', 'type');
    expect(await inFormat('markdown')).to.include('2 cases, 1 finding.');
    const report = await json([], (url) => get(`${url}/things/2`));
    expect(report).to.include({ exchanges: 1, checked: 1, unread: 0, skipped: 0, rejected: 0, dropped: 0 });
    expect(report.deviations.map(({ id }) => id)).to.deep.equal(['getThing response 200 body/id type']);
  });

  it('writes no secret of the traffic', async () => {
    const secrets = ['3f9a8b7c6d5e4f3a2b1c', 'Bearer-51fe', 'sess-77aa', 'key-90bb'];
    const usage = join(directory, 'secret-usage');
    const traffic = async (url: string): Promise<void> => {
      const headers = {
        authorization: 'Bearer Bearer-51fe',
        cookie: 'sid=sess-77aa',
        'x-api-key': 'key-90bb',
      };
      await (await fetch(`${url}/things/2?token=key-90bb`, { headers })).text();
      await post(`${url}/things`, '{"name":5,"key-90bb":"sess-77aa","password":"Bearer-51fe"}', headers);
      await get(`${url}/reset/sess-77aa`);
    };
    for (const format of ['text', 'json', 'junit', 'sarif', 'markdown', 'github']) {
      const port = String(await freePort());
      const options = [target, '--port', port, '--format', format, '--usage', usage];
      const { stdout, stderr } = await run(options, () => traffic(`http://127.0.0.1:${port}`));
      for (const secret of secrets) expect(stdout + stderr, format).not.to.include(secret);
    }
    for (const name of await readdir(usage)) {
      const text = await readFile(join(usage, name), 'utf8');
      for (const secret of secrets) expect(text).not.to.include(secret);
    }
    const { stdout } = await run([target.replace('//', '//ada:hunter@'), '--port', '0']);
    expect(stdout).to.include('goes to http://***@127.0.0.1').and.not.include('hunter');
  });

  it('passes on what it does not read: headers, bodies, trailers, codings', async () => {
    await run(proxied('--enforce', 'requests'), async (url) => {
      const headers = [
        'Host',
        'things.example',
        'X-A',
        '1',
        'x-a',
        '2',
        'Trailer',
        'T',
        'Transfer-Encoding',
        'chunked',
      ];
      const request = httpRequest(url, { path: '//a/../b%2f?x=%zz&x', method: 'PUT', headers });
      request.addTrailers({ T: 'end' });
      request.end('hello');
      const { answer, body } = await answerTo(request);
      const echo = JSON.parse(body) as Echo;
      expect(echo).to.deep.include({
        method: 'PUT',
        url: '//a/../b%2f?x=%zz&x',
        trailers: { t: 'end' },
        size: 5,
      });
      expect(echo.rawHeaders.slice(0, headers.length)).to.deep.equal(headers);
      expect(answer.headers['set-cookie']).to.deep.equal(['a=1', 'b=2']);
      expect(answer.trailers).to.deep.equal({ 'x-end': 'yes' });
      const coded = await answerTo(httpRequest(`${url}/things/3`).end());
      expect([coded.answer.headers['content-encoding'], coded.body.length > 0]).to.deep.equal(['gzip', true]);
      const head = await answerTo(httpRequest(`${url}/things/1`, { method: 'HEAD' }).end());
      expect([head.answer.statusCode, head.body]).to.deep.equal([200, '']);
    });
  });

  it('passes events when they come, and closes the stream when the client goes', async () => {
    await run(proxied(), async (url) => {
      const client = new AbortController();
      const { body } = await fetch(`${url}/events`, { signal: client.signal });
      const reader = (body as ReadableStream<Uint8Array>).getReader();
      const next = async (): Promise<string> => Buffer.from((await reader.read()).value ?? []).toString();
      expect(await next()).to.equal('data: 1\n\n');
      await get(`${url}/next`);
      expect(await next()).to.equal('data: 2\n\n');
      client.abort();
      await until('the server sees the end', () => seen.includes('closed\n'));
    });
  });

  for (const options of [[], ['--enforce', 'requests']]) {
    it(`passes upgrades and 100-continue ${options.join(' ')}`, async () => {
      await run(proxied(...options), async (url) => {
        const socket = connect(Number(new URL(url).port), '127.0.0.1');
        let text = '';
        socket.setEncoding('latin1').on('data', (piece: string) => (text += piece));
        socket.write('GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
        await until('it is upgraded', () => text.includes('101 Switching'));
        socket.write('\x81\x05GET /\xff\x00', 'latin1');
        await until('the echo comes', () => text.endsWith('\r\n\r\n\x81\x05GET /\xff\x00'));
        socket.destroy();
        const request = httpRequest(`${url}/things`, {
          method: 'POST',
          headers: { expect: '100-continue', 'content-type': 'application/json', 'content-length': '12' },
        });
        let continued = 0;
        request.on('continue', () => {
          continued += 1;
          request.end('{"name":"a"}');
        });
        request.flushHeaders();
        const { answer, body } = await answerTo(request);
        expect([answer.statusCode, continued, (JSON.parse(body) as Echo).size]).to.deep.equal([201, 1, 12]);
      });
    });

    it(`passes 50 MB with the bytes that came, and a bounded copy of them ${options.join(' ')}`, async () => {
      const piece = Buffer.alloc(1_000_000, '0123456789');
      const size = 50 * piece.length;
      const report = await json(options, async (url) => {
        const request = httpRequest(`${url}/things`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
        });
        const before = process.memoryUsage().arrayBuffers;
        const held = (): number => process.memoryUsage().arrayBuffers - before;
        let most = 0;
        for (let sent = 0; sent < size; sent += piece.length) {
          if (!request.write(piece)) await once(request, 'drain');
          // A collection of all that the other tests have made takes long.
          if (held() >= MOST_HELD) collectGarbage();
          most = Math.max(most, held());
        }
        request.end();
        const echo = JSON.parse((await answerTo(request)).body) as Echo;
        const { createHash } = await import('node:crypto');
        const hash = createHash('sha256');
        for (let sent = 0; sent < size; sent += piece.length) hash.update(piece);
        expect([echo.size, echo.hash]).to.deep.equal([size, hash.digest('hex')]);
        // The pieces on their way, and the copy.
        expect(most).to.be.below(MOST_HELD);
      });
      expect(report).to.deep.include({ exchanges: 1, checked: 1, unread: 1, rejected: 0 });
    });
  }

  describe('--enforce requests', () => {
    it('answers requests that break the contract with 400, and does not pass them on', async () => {
      const { exitCode, stdout } = await run(proxied('--enforce', 'requests'), async (url) => {
        const wrong = await post(`${url}/things`, '{"name":5}');
        expect([wrong.status, wrong.headers.get('content-type')]).to.deep.equal([
          400,
          'application/problem+json',
        ]);
        expect(await wrong.json()).to.deep.include({ status: 400, detail: 'body/name must be string' });
        expect((await fetch(`${url}/things/x`)).status).to.equal(400);
        expect((await fetch(`${url}/things`, { method: 'POST', body: 'a' })).status).to.equal(415);
        expect((await post(`${url}/things`, '{"name":"a"}')).status).to.equal(201);
        // What the contract does not have is passed on, and reported.
        expect((await fetch(`${url}/other`, { method: 'DELETE' })).status).to.equal(200);
      });
      expect(seen).to.equal('POST /things\nDELETE /other\n');
      expect(stdout).to.include(`5 requests, 2 compared with ${file}, 3 rejected.`);
      expect(exitCode).to.equal(1);
    });

    it('holds the bytes of a body, and not its framing', async () => {
      await run(proxied('--enforce', 'requests', '--body-limit', '1000'), async (url) => {
        const socket = connect(Number(new URL(url).port), '127.0.0.1');
        let text = '';
        socket.setEncoding('latin1').on('data', (piece: string) => (text += piece));
        const head =
          'POST /things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\n';
        // Of 200 KB, 50 bytes are the body, which is not JSON.
        socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n`);
        for (let index = 0; index < 50; index += 1) socket.write(`1;${'x'.repeat(4000)}\r\n \r\n`);
        socket.write('0\r\n\r\n');
        await once(socket, 'close');
        expect(text).to.match(/^HTTP\/1\.1 400 .*"pointer":"\/body"/s);
      });
    });

    it('checks a request however its bytes come, and refuses what it cannot read', async () => {
      const raw = async (url: string, pieces: readonly string[]): Promise<string> => {
        const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', noDelay: true });
        let text = '';
        socket.setEncoding('latin1').on('data', (piece: string) => (text += piece));
        for (const piece of pieces) {
          socket.write(piece);
          await new Promise((resolve) => setImmediate(resolve));
        }
        await once(socket, 'close');
        return text;
      };
      const head =
        'POST /things HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n';
      const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"nam\r\n5\r\ne":5}\r\n0\r\n\r\n`;
      await run(proxied('--enforce', 'requests'), async (url) => {
        expect(await raw(url, chunked.split(''))).to.match(/^HTTP\/1\.1 400 .*body\/name must be string/s);
        // The response to the first request comes before the refusal of the second.
        const pipelined = `GET /things/1 HTTP/1.1\r\nHost: x\r\n\r\nGET http://x/things/a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
        expect(await raw(url, [pipelined])).to.match(
          /^HTTP\/1\.1 200 .*"Lamp"\}\r\n0\r\n\r\nHTTP\/1\.1 400 .*path\/id/s,
        );
        const smuggled = `${head}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nDELETE /a HTTP/1.1\r\n\r\n`;
        expect(await raw(url, [smuggled])).to.match(/^HTTP\/1\.1 400 .*The request is not valid HTTP/s);
      });
      expect(seen).to.equal('');
    });
  });

  it('compares the share of exchanges that --sample says', async () => {
    const twenty = async (url: string): Promise<void> => {
      for (let index = 0; index < 20; index += 1) await get(`${url}/things/2`);
    };
    expect(await json(['--sample', '0'], twenty)).to.deep.include({
      exchanges: 20,
      checked: 0,
      deviations: [],
    });
    expect(await json(['--sample', '1'], twenty)).to.include({ exchanges: 20, checked: 20 });
    const usage = join(directory, 'sampled');
    const { usage: written = '', checked } = await json(['--sample', '.5', '--usage', usage], twenty);
    const { rate, parts } = JSON.parse(await readFile(written, 'utf8')) as { rate: number; parts: object };
    expect(rate).to.equal(0.5);
    expect((parts as Record<string, object>)['GET /things/{id}'] ?? { unnamed: 0 }).to.deep.equal({
      unnamed: checked * 2,
    });
  });

  it('counts the use of the document by client, for coverage', async () => {
    const usage = join(directory, 'usage');
    const { stdout } = await run(proxied('--usage', usage, '--client', 'x-client'), async (url) => {
      await fetch(`${url}/things/1`, { headers: { 'x-client': 'mobile/4' } });
    });
    const [, written = ''] = /^(\S+\.json) is written\.$/m.exec(stdout) ?? [];
    const { parts } = JSON.parse(await readFile(written, 'utf8')) as { parts: Record<string, object> };
    expect(parts['GET /things/{id} 200 application/json /name']).to.deep.equal({ 'mobile/4': 1 });
  });

  it('serves metrics on a port of their own', async () => {
    await run(proxied('--metrics', '0', '--enforce', 'requests'), async (url, metrics) => {
      await get(`${url}/things/2`);
      await get(`${url}/things/2`);
      await get(`${url}/old/${'a'.repeat(20)}`);
      await get(`${url}/things/x`);
      await until('all are compared', async () => (await get(metrics)).includes('checked_total 3\n'));
      const text = await get(metrics);
      expect(text.split('\n').filter((line) => !line.startsWith('#'))).to.deep.equal([
        'concordat_proxy_exchanges_total 4',
        'concordat_proxy_checked_total 3',
        'concordat_proxy_unread_total 0',
        'concordat_proxy_skipped_total 0',
        'concordat_proxy_rejected_total 1',
        'concordat_proxy_undeclared_total 1',
        'concordat_proxy_dropped_total 0',
        'concordat_proxy_deviations_total{operation="getThing",side="response",kind="type"} 2',
        'concordat_proxy_deviations_total{operation="none",side="response",kind="undeclared-route"} 1',
        '',
      ]);
      expect((await fetch(new URL('/other', metrics))).status).to.equal(404);
      // The path of the server is the server's.
      expect(await get(`${url}/metrics`)).to.include('"url":"/metrics"');
    });
  });

  it('answers 502 while no server answers', async () => {
    const { exitCode } = await run(
      [`http://127.0.0.1:${String(await freePort())}`, '--port', '0'],
      async (url) => {
        const response = await fetch(`${url}/things/1`);
        expect(response.status).to.equal(502);
        const { detail } = (await response.json()) as { readonly detail: string };
        expect(detail).to.match(/^No server answers at 127\.0\.0\.1:\d+: connect ECONNREFUSED/);
      },
    );
    expect(exitCode).to.equal(0);
  });

  const refusals: readonly (readonly [message: string, parameters: readonly string[]])[] = [
    ['Name the address of the server, or write it as url of proxy into codegen.ts.', []],
    ['nowhere is not an address such as http://localhost:3000.', ['nowhere']],
    ['the file does not exist', ['http://localhost', '--openapi', 'none.yaml']],
    ['It must be a number from 0 to 1.', ['http://localhost', '--sample', '2']],
    ['It must be a number from 0 to 65535.', ['http://localhost', '--metrics', 'many']],
    [
      "argument 'responses' is invalid. Allowed choices are requests.",
      ['http://localhost', '--enforce', 'responses'],
    ],
    ['--client names clients for --usage, which is not given.', ['http://localhost', '--client', 'x-client']],
    [
      'usage.client must be the name of a header without secrets',
      ['http://localhost', '--usage', 'usage', '--client', 'cookie'],
    ],
    ['package.json is no folder', ['http://localhost', '--usage', 'package.json']],
    ["Unknown option '--enforced'", ['http://localhost', '--enforced']],
  ];
  for (const [message, parameters] of refusals) {
    it(`exits with 2: ${message}`, async () => {
      const { exitCode, stdout, stderr } = await run(['--port', '0', ...parameters]);
      expect(stderr)
        .to.contain(message)
        .and.not.match(/^ +at /m);
      expect([exitCode, stdout, existsSync('usage')]).to.deep.equal([2, '', false]);
    });
  }

  it('exits with 2 when a port is taken, its own or that of the metrics', async () => {
    const { port } = new URL(target);
    for (const parameters of [
      ['--port', port],
      ['--port', port, '--metrics', '0'],
      ['--port', '0', '--metrics', port],
    ]) {
      const { exitCode, stdout, stderr } = await run([target, ...parameters]);
      expect([exitCode, stdout, stderr]).to.deep.equal([
        2,
        '',
        `listen EADDRINUSE: address already in use 127.0.0.1:${port}\n`,
      ]);
    }
  });
});

async function answerTo(
  request: ReturnType<typeof httpRequest>,
): Promise<{ readonly answer: IncomingMessage; readonly body: string }> {
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  const pieces: Buffer[] = [];
  for await (const piece of answer) pieces.push(piece as Buffer);
  return { answer, body: Buffer.concat(pieces).toString() };
}
