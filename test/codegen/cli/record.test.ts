/** Tests the command `record` in this process, with a server behind it. */

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
import { freePort } from '../../support/free-port.js';
import { type Run, Sink } from '../../support/run-program.js';

const SEVENS = `openapi: 3.1.0
info: { title: Sevens, version: 1.0.0 }
servers: [{ url: /v1 }]
paths:
  /users/{id}:
    get:
      operationId: getUser
      parameters:
        - { name: id, in: path, required: true, schema: { type: string } }
        - { name: all, in: query, schema: { type: boolean } }
      responses:
        '200':
          description: A user
          content:
            application/json:
              schema: { type: object, properties: { id: { type: integer }, name: { type: string } } }
`;

describe('concordat record', () => {
  let directory: string;
  let file: string;
  let server: Server;
  let target: string;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'concordat-record-'));
    server = createServer((request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ path: request.url, id: 7 }));
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

  /** Runs the command. @param traffic - is sent to the proxy before it is stopped */
  async function run(
    parameters: readonly string[],
    traffic: (url: string) => Promise<void> = () => Promise.resolve(),
  ): Promise<Run> {
    const [stdout, stderr] = [new Sink(), new Sink()];
    const exitCode = await runProgram(['record', ...parameters], {
      stdin: Readable.from([]),
      ...{ stdout, stderr, env: {} },
      async untilStopped() {
        const [, url = ''] = /Traffic to (\S+) goes/.exec(stdout.text + stderr.text) ?? [];
        await traffic(url);
      },
    });
    return { exitCode, stdout: stdout.text, stderr: stderr.text };
  }

  const get =
    (...paths: string[]) =>
    async (url: string): Promise<void> => {
      for (const path of paths) await (await fetch(url + path)).text();
    };

  it('prints no password of the address', async () => {
    const { stdout } = await run(
      [target.replace('//', '//ada:hunter@'), '--port', '0', '--out', file],
      get('/a'),
    );
    expect(stdout).to.include('goes to http://***@127.0.0.1');
    expect(stdout).not.to.include('hunter');
    const { stderr } = await run(['htps://ada:hunter@localhost', '--out', file]);
    expect(stderr).to.include('htps://***@localhost is not an address');
  });

  it('writes a document, and then adds to it', async () => {
    const options = [target, '--port', '0', '--out', file, '--title', 'Sevens'];
    const first = await run(options, get('/users/7', '/users/8?all=true'));
    expect(first.exitCode, first.stderr).to.equal(0);
    expect(first.stdout).to.match(/\n2 requests: 1 operation on 1 path\.\n\S+openapi\.yaml is written\.\n$/);
    const document = parse(await readFile(file, 'utf8')) as { info: unknown; paths: object };
    expect(document.info).to.deep.equal({ title: 'Sevens', version: '0.1.0' });
    expect(Object.keys(document.paths)).to.deep.equal(['/users/{userId}']);
    const second = await run(options, get('/users/9?some=1', '/rooms'));
    expect(second.stdout).to.contain(
      `Added to ${file}:
  paths /rooms get
  paths /users/{userId} get parameters some
`,
    );
    const third = await run(options, get('/rooms'));
    expect(third.stdout).to.match(/lacks none of it\.\n$/);
  });

  it('follows the path of the address, and the names of --path', async () => {
    const options = [`${target}/v1/`, '--port', '0', '--out', file, '--path', '/people/{name}'];
    const { stdout } = await run(options, get('/v1/people/ann', '/metrics'));
    expect(stdout).to.contain('1 request had no path of the API.');
    const { servers, paths } = parse(await readFile(file, 'utf8')) as { servers: unknown; paths: object };
    expect(servers).to.deep.equal([{ url: '/v1' }]);
    expect(Object.keys(paths)).to.deep.equal(['/people/{name}']);
  });

  it('writes JSON into a file of that name, and reports JSON', async () => {
    const json = join(directory, 'openapi.json');
    const { stdout } = await run([target, '--port', '0', '--out', json, '--json']);
    expect(JSON.parse(stdout)).to.deep.equal({
      exchanges: 0,
      ignored: 0,
      operations: 0,
      paths: 0,
      unread: 0,
    });
    expect(JSON.parse(await readFile(json, 'utf8'))).to.have.property('openapi', '3.1.0');
  });

  it('counts what the traffic uses of the document with --usage, and leaves the document as it is', async () => {
    await writeFile(file, SEVENS);
    const folder = join(directory, 'usage');
    const options = [target, '--port', '0', '--out', file, '--usage', folder];
    const { stdout, stderr } = await run(options, get('/v1/users/7?all=true', '/v1/rooms', '/users/7'));
    const [, written = ''] = /^(\S+\.json) is written\.$/m.exec(stdout) ?? [];
    expect(written, stdout + stderr).to.include(folder);
    expect(await readFile(file, 'utf8')).to.equal(SEVENS);
    const { parts } = JSON.parse(await readFile(written, 'utf8')) as { parts: object };
    expect(Object.keys(parts)).to.deep.equal([
      'GET /users/{id}',
      'GET /users/{id} 200',
      'GET /users/{id} 200 application/json',
      'GET /users/{id} 200 application/json /id',
      'GET /users/{id} path id',
      'GET /users/{id} query all',
    ]);
    const report = JSON.parse((await run([...options, '--json'])).stdout) as object;
    expect(report).to.deep.include({ exchanges: 0, unread: 0, deviations: [] });
  });

  it('reports with --usage how the traffic differs from the document, in every format', async () => {
    await writeFile(file, SEVENS.replace('id: { type: integer }', 'id: { type: boolean }'));
    const options = [target, '--port', '0', '--out', file, '--usage', join(directory, 'usage')];
    const traffic = get('/v1/users/7', '/v1/users/8');
    const sentence = 'body/id must be boolean';
    const port = String(await freePort());
    const { stdout } = await run(options, traffic);
    expect(stdout).to.include(
      `1 deviation from ${file}:\n  getUser response 200 body/id type (2 times): ${sentence}\n`,
    );
    const json = JSON.parse(
      (await run([...options, '--json', '--port', port], () => traffic(`http://127.0.0.1:${port}`))).stdout,
    ) as { deviations: object[] };
    expect(json.deviations[0]).to.include({ operation: 'getUser', kind: 'type', count: 2, detail: sentence });
    const inFormat = async (format: string) => (await run([...options, '--format', format], traffic)).stdout;
    expect(await inFormat('junit'))
      .to.include('<testsuites tests="1" failures="1" errors="0">')
      .and.include(sentence);
    expect(await inFormat('github')).to.match(
      /^::error file=[^,]+,line=6,title=type::getUser: response 200: body\/id must be boolean \(2 times\)%0A\S+\n$/,
    );
    expect(await inFormat('markdown'))
      .to.include('1 case, 1 finding.')
      .and.include(`| getUser | response 200: ${sentence}`);
    expect(JSON.parse(await inFormat('sarif'))).to.have.nested.property('runs[0].results[0].ruleId', 'type');
  });

  const refusals: readonly (readonly [message: string, parameters: readonly string[], text?: string])[] = [
    ['nowhere is not an address such as http://localhost:3000.', ['nowhere']],
    ['The path users/{name} does not start with /.', ['http://localhost', '--path', 'users/{name}']],
    ['It must be a whole number.', ['http://localhost', '--body-limit', 'many']],
    ['the file does not exist', ['http://localhost', '--usage', 'usage']],
    [
      '--format junit reports how traffic differs from a document: it needs --usage.',
      ['http://localhost', '--format', 'junit'],
    ],
    ["argument 'pdf' is invalid", ['http://localhost', '--usage', 'usage', '--format', 'pdf']],
    [
      'stays as it is: --enums, --examples and --path change it.',
      ['http://localhost', '--usage', 'usage', '--enums'],
    ],
    ['package.json is no folder', ['http://localhost', '--usage', 'package.json'], 'openapi: 3.1.0\n'],
    ['is not a document of OpenAPI 3.1 or 3.2', ['http://localhost'], 'openapi: 3.0.3\n'],
  ];
  for (const [message, parameters, text] of refusals) {
    it(`exits with 2: ${message}`, async () => {
      if (text !== undefined) await writeFile(file, text);
      const { exitCode, stdout, stderr } = await run([...parameters, '--out', file, '--port', '0']);
      expect(stderr)
        .to.contain(message)
        .and.not.match(/^ +at /m);
      expect([exitCode, stdout]).to.deep.equal([2, '']);
    });
  }

  it('exits with 2 before it listens when the document cannot be written, so that no traffic is lost', async () => {
    const nowhere = join(directory, 'none', 'openapi.yaml');
    for (const [out, reason] of [
      [nowhere, `there is no folder ${join(directory, 'none')}`],
      [directory, 'it is a folder'],
    ] as const) {
      expect(await run([target, '--out', out, '--port', '0'])).to.deep.equal({
        exitCode: 2,
        stdout: '',
        stderr: `${out} cannot be written: ${reason}.\n`,
      });
    }
  });

  it('exits with 2 when the port is taken, and writes nothing', async () => {
    const { port } = new URL(target);
    const { exitCode, stderr } = await run([target, '--port', port, '--out', file]);
    expect(exitCode).to.equal(2);
    expect(stderr).to.contain('EADDRINUSE');
    expect(await readFile(file).catch(() => 'none')).to.equal('none');
  });
});
