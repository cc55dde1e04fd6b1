/** Tests `proxy --record`, and the exchanges of files that `proxy` and `record` read, in this process. */

import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { parse } from 'yaml';
import { runProgram } from '../../../src/codegen/cli/program.js';
import { type Run, Sink } from '../../support/run-program.js';

const NOTES = `openapi: 3.1.0
info: { title: Notes, version: 1.0.0 }
paths:
  /notes:
    post:
      operationId: addNote
      requestBody:
        required: true
        content: { application/json: { schema: { type: object, properties: { text: { type: string } } } } }
      responses:
        '201':
          description: A
          content: { application/json: { schema: { type: object, properties: { id: { type: string } } } } }
`;

/** An entry of an archive. */
function entry(
  call: string,
  status: number,
  answer: object,
  more: object = {},
  url = 'http://api.test',
): object {
  const [method = '', target = ''] = call.split(' ');
  const headers = [{ name: ':authority', value: 'api.test' }, { name: 'Authorization', value: 'Bearer abcdef' }]; // prettier-ignore
  return {
    request: { method, url: url + target, headers, ...more },
    response: { status, headers: [{ name: 'content-encoding', value: 'br' }], content: answer },
  };
}

const json = (value: unknown): object => ({ mimeType: 'application/json', text: JSON.stringify(value) });

const ENTRIES = [
  entry('GET /users/7?all=true', 200, json({ id: 7 })),
  entry('POST /users', 201, json({ id: 8 }), { postData: json({ name: 'Ada' }) }),
  entry('POST /forms', 204, {}, {
    postData: { mimeType: 'application/x-www-form-urlencoded', params: [{ name: 'a', value: '1' }] },
  }), // prettier-ignore
  entry('GET /coded', 200, { mimeType: 'application/json', encoding: 'base64', text: 'eyJpZCI6Nn0=' }),
  // The archive does not have this body.
  entry('GET /lost', 200, { mimeType: 'application/json', size: 9 }),
  entry('GET /app.js', 200, json({}), {}, 'http://cdn.test'),
  entry('GET /failed', 0, {}),
];

describe('concordat proxy --record, and --from', () => {
  let directory: string;
  let file: string;
  let server: Server;
  let target: string;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'concordat-proxy-record-'));
    server = createServer((request, response) => {
      request.resume().once('end', () => {
        response.writeHead(request.method === 'POST' ? 201 : 200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ id: 7 }));
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    target = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  });
  beforeEach(async () => {
    file = join(directory, 'openapi.yaml');
    await rm(file, { force: true });
  });
  after(async () => {
    server.close();
    server.closeAllConnections();
    await rm(directory, { recursive: true, force: true });
  });

  async function run(
    parameters: readonly string[],
    traffic?: (url: string) => Promise<unknown>,
  ): Promise<Run> {
    const [stdout, stderr] = [new Sink(), new Sink()];
    const exitCode = await runProgram(parameters, {
      stdin: Readable.from([]),
      ...{ stdout, stderr, env: {} },
      async untilStopped() {
        await traffic?.(/Traffic to (\S+) goes/.exec(stdout.text)?.[1] ?? '');
      },
    });
    return { exitCode, stdout: stdout.text, stderr: stderr.text };
  }

  const pathsIn = async (name: string): Promise<Record<string, Record<string, object>>> =>
    (parse(await readFile(name, 'utf8')) as { paths: Record<string, Record<string, object>> }).paths;

  const post = (url: string, body: string): Promise<Response> =>
    fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });

  it('records without a document, and then compares with it and adds to it', async () => {
    const options = ['proxy', target, '--port', '0', '--openapi', file, '--record', file];
    const first = await run(options, (url) => fetch(`${url}/rooms/7`));
    expect(first.stdout).to.match(
      /Ctrl\+C to write \S+\.\n1 request: 1 operation on 1 path\.\n\S+ is written\.\n$/,
    );
    const second = await run(options, async (url) => {
      await fetch(`${url}/rooms/8`);
      await fetch(`${url}/halls`);
    });
    expect(second.stdout).to.include(`Ctrl+C for the deviations from ${file}, and to write ${file}.`);
    expect(second.stdout).to.include('  GET /halls response 200 status undeclared-route (1 time)');
    expect(second.stdout).to.include(`Added to ${file}:\n  paths /halls get\n`);
    expect([first.exitCode, second.exitCode]).to.deep.equal([0, 1]);
    expect(Object.keys(await pathsIn(file))).to.deep.equal(['/rooms/{roomId}', '/halls']);
  });

  it('records the bodies that --enforce has checked, and no request that it rejects', async () => {
    await writeFile(file, NOTES);
    const made = join(directory, 'made.yaml');
    const options = ['--openapi', file, '--record', made, '--enforce', 'requests'];
    const { stdout } = await run(['proxy', target, '--port', '0', ...options], async (url) => {
      await post(`${url}/notes`, '{"text":5}');
      await post(`${url}/notes`, '{"text":"a","more":1}');
    });
    expect(stdout).to.include('2 requests, 1 compared with').and.include('1 rejected.');
    expect(stdout).to.include('addNote response 201 body/id type (1 time)');
    expect(stdout).to.include('\n1 request: 1 operation on 1 path.\n');
    const { post: operation } = (await pathsIn(made))['/notes'] ?? {};
    expect(operation).to.have.nested.property('requestBody.content.application/json.schema.properties.more');
  });

  it('record and proxy read the exchanges of archives, and of their entries as lines', async () => {
    const archive = join(directory, 'day.har');
    await writeFile(archive, `\uFEFF${JSON.stringify({ log: { version: '1.2', entries: ENTRIES } })}`);
    const lines = join(directory, 'day.jsonl');
    await writeFile(lines, ENTRIES.map((each) => `${JSON.stringify(each)}\r\n`).join('\n'));
    const written = [];
    for (const from of [archive, lines]) {
      await rm(file, { force: true });
      const { stdout } = await run(['record', 'http://api.test', '--from', from, '--out', file]);
      expect(stdout).to.equal(
        `5 requests: 5 operations on 5 paths.\n1 body could not be read, or had over 262144 bytes.\n${file} is written.\n`,
      );
      written.push(await readFile(file, 'utf8'));
    }
    expect(written[0]).to.equal(written[1]).and.not.contain('abcdef');
    const paths = await pathsIn(file);
    expect(Object.keys(paths)).to.deep.equal(['/coded', '/forms', '/lost', '/users', '/users/{userId}']);
    const schema = (path: string, of: string): string => `${path}.${of}.application/json.schema`;
    expect(paths['/coded']).to.have.nested.property(
      `${schema('get.responses.200', 'content')}.properties.id`,
    );
    expect(paths['/users']).to.have.nested.property(
      `${schema('post.requestBody', 'content')}.properties.name`,
    );
    expect(paths['/lost']).to.deep.nested.include({
      'get.responses.200.content': { 'application/json': {} },
    });
    expect(paths['/users']?.['post']).to.deep.include({ security: [{ bearerAuth: [] }] });
    const usage = join(directory, 'usage');
    const compared = await run([
      'proxy',
      'http://api.test',
      '--from',
      lines,
      '--openapi',
      file,
      '--usage',
      usage,
    ]);
    expect(compared.stdout).to.match(/^5 requests, 5 compared with \S+\.\n1 body could not be read, /);
    expect([compared.exitCode, compared.stderr]).to.deep.equal([0, '']);
  });

  const refusals: readonly (readonly [message: string, parameters: readonly string[], text?: string])[] = [
    ['has no exchange with http://api.test, but with http://cdn.test', [], JSON.stringify({ log: { entries: ENTRIES.slice(5) } })], // prettier-ignore
    ['has no exchange with http://api.test\n', [], '{"log":{"entries":[]}}'],
    ['is no HTTP Archive (HAR)', [], '{"log":5}'],
    ['is neither an HTTP Archive (HAR) nor lines of JSON (.jsonl)', [], '["secret"'],
    ['and a response, in entry 1', [], '{"log":{"entries":[5]}}'],
    ['no such file', ['--from', 'none.jsonl']],
    ['EISDIR', ['--from', 'src']],
    ['--enforce and --metrics are for traffic, which --from has not.', ['--metrics', '0']],
    ['stays as it is: --enums, --examples and --path change it.', ['--enums']],
  ];
  for (const [message, parameters, text = '{}'] of refusals) {
    it(`exits with 2: ${message.trim()}`, async () => {
      await writeFile(file, NOTES);
      const from = join(directory, 'refused.har');
      await writeFile(from, text);
      const options = ['proxy', 'http://api.test', '--from', from, '--openapi', file, ...parameters];
      const { exitCode, stdout, stderr } = await run(options);
      expect(stderr)
        .to.contain(message)
        .and.not.match(/^ +at |secret/m);
      expect([exitCode, stdout]).to.deep.equal([2, '']);
    });
  }

  it('needs a document for a report of deviations', async () => {
    const options = ['proxy', target, '--openapi', file, '--record', file, '--format', 'junit'];
    expect((await run(options)).stderr).to.contain('--format junit reports how traffic differs from a document: it needs one.'); // prettier-ignore
  });
});
