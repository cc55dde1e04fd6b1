/** `concordat verify --har`: an HTTP Archive of the traffic, without secrets. */

import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runProgram } from '../../../src/codegen/cli/program.js';
import type { VerifyReport } from '../../../src/tools/verify/run/verify-report.js';
import { runInProcess } from '../../support/run-program.js';
import { libraryServer } from '../../tools/verify/graphql/library-server.js';

const CONTRACT = `openapi: 3.1.0
info: { title: Accounts, version: '1' }
paths:
  /sessions:
    post:
      operationId: signIn
      requestBody:
        required: true
        content:
          application/x-www-form-urlencoded: { schema: { $ref: '#/components/schemas/Login' } }
          application/json: { schema: { $ref: '#/components/schemas/Login' } }
      responses:
        '200': { description: Signed in., content: { application/json: { schema: { type: object } } } }
  /account:
    get:
      operationId: getAccount
      security: [{ bearer: [], key: [], basic: [] }]
      responses:
        '200': { description: The account., content: { application/xml: { schema: { type: object } } } }
components:
  securitySchemes:
    bearer: { type: http, scheme: bearer }
    key: { type: apiKey, in: query, name: api_key }
    basic: { type: apiKey, in: header, name: X-Client }
  schemas:
    Login:
      type: object
      required: [name, password]
      properties: { name: { type: string, const: ada }, password: { type: string, const: hunter-2-hunter } }
`;

/** What the server issues, and what it is sent. */
const SECRETS = [
  'issued-secret-1',
  'issued-cookie-2',
  'hunter-2-hunter',
  'bearer-secret-3',
  'key&secret/4',
  'client-secret-5',
];

interface Har {
  readonly log: {
    readonly version: string;
    readonly creator: object;
    readonly entries: readonly {
      readonly startedDateTime: string;
      readonly time: number;
      readonly request: {
        readonly method: string;
        readonly url: string;
        readonly queryString: readonly object[];
        readonly postData?: { readonly mimeType: string; readonly text: string };
      };
      readonly response: {
        readonly status: number;
        readonly headers: readonly object[];
        readonly content: { readonly mimeType: string; readonly text: string };
      };
    }[];
  };
}

describe('concordat verify --har', () => {
  let directory: string;
  let server: Server;
  let url: string;
  let requests = 0;

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'concordat-har-'));
    writeFileSync(join(directory, 'openapi.yaml'), CONTRACT);
    server = createServer((request, response) => {
      requests += 1;
      request.resume().once('end', () => {
        if (request.method === 'POST') {
          response.setHeader('set-cookie', 'sid=issued-cookie-2; HttpOnly');
          response.setHeader('location', '/reset/issued-secret-1?token=issued-secret-1');
          response.setHeader('content-type', 'application/json');
          // A body that ends too early is hidden as well.
          const text = '{ "user": { "accessToken": ["issued-secret-1"] }, "key": "issued-secret-1" }';
          response.end(requests % 3 === 0 ? text.slice(0, -1) : text);
          return;
        }
        response.setHeader('content-type', 'application/xml');
        const { authorization = '', 'x-client': client } = request.headers;
        const echo = `${authorization} ${request.url ?? ''} ${String(client)}`;
        response.end(`<account><token>issued-secret-1</token><echo>${echo}</echo><name>Ada</name></account>`);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  });
  beforeEach(() => (requests = 0));
  after(() => {
    server.close();
    server.closeAllConnections();
    rmSync(directory, { recursive: true });
  });

  const run = (har: string) =>
    runInProcess(runProgram, [
      ...['verify', url, '--openapi', join(directory, 'openapi.yaml'), '--json', '--requests', '80'],
      ...['--seed', '5', '--seconds', '600'],
      ...['--credential', 'bearer=bearer-secret-3', '--credential', 'key=key&secret/4'],
      ...['--credential', 'basic=client-secret-5', '--har', har],
    ]);

  it('records each request with its answer, as HAR 1.2', async () => {
    const file = join(directory, 'traffic.har');
    const { exitCode, stdout } = await run(file);
    expect(exitCode).to.be.oneOf([0, 1]);
    const { log } = JSON.parse(readFileSync(file, 'utf8')) as Har;
    expect(log.version).to.equal('1.2');
    expect(log.creator).to.have.keys('name', 'version');
    expect(log.entries).to.have.length((JSON.parse(stdout) as VerifyReport).requests);
    for (const each of log.entries) {
      expect(each).to.have.keys('startedDateTime', 'time', 'request', 'response', 'cache', 'timings');
      expect(new Date(each.startedDateTime).toISOString()).to.equal(each.startedDateTime);
      expect(each.request).to.include.keys(
        'httpVersion',
        'cookies',
        'headers',
        'queryString',
        'headersSize',
        'bodySize',
      );
      expect(each.response).to.include.keys(
        'statusText',
        'httpVersion',
        'cookies',
        'redirectURL',
        'headersSize',
        'bodySize',
      );
    }
    const account = log.entries.find(({ request }) => request.url.startsWith(`${url}/account?`));
    expect(account?.request.queryString).to.deep.equal([{ name: 'api_key', value: '…' }]);
    expect(account?.response).to.deep.include({ status: 200 });
    expect(account?.response.content.text).to.include('<name>Ada</name>');
  });

  it('has no credential of either side', async () => {
    const file = join(directory, 'secret.har');
    await run(file);
    const written = readFileSync(file, 'utf8');
    for (const secret of SECRETS.flatMap((each) => [each, encodeURIComponent(each)]))
      expect(written.includes(secret), secret).to.equal(false);
    const { entries } = (JSON.parse(written) as Har).log;
    const forms = entries.flatMap(({ request }) => request.postData ?? []);
    expect(
      forms.some(({ mimeType, text: form }) => mimeType.includes('form') && form.includes('name=ada')),
    ).to.equal(true);
    const login = entries.find(
      ({ request, response }) => request.method === 'POST' && response.status === 200,
    );
    expect(login?.response.headers).to.deep.include.members([
      { name: 'set-cookie', value: '…' },
      { name: 'location', value: '/reset/…?token=%E2%80%A6' },
    ]);
    expect(JSON.parse(login?.response.content.text ?? '')).to.have.nested.property(
      'user.accessToken[0]',
      'xxxxxx-xxxxxx-1',
    );
  });

  it('records GraphQL too, over HTTP and over WebSocket', async () => {
    const library = await libraryServer();
    const file = join(directory, 'library.har');
    try {
      const schema = 'test/tools/verify/graphql/library.graphql';
      const { stdout } = await runInProcess(runProgram, [
        ...['verify', library.url, '--schema', schema, '--json', '--requests', '200', '--seed', '5'],
        ...['--header', 'x-tenant=secret lodger', '--har', file],
      ]);
      const { log } = JSON.parse(readFileSync(file, 'utf8')) as Har;
      expect(log.entries).to.have.length((JSON.parse(stdout) as VerifyReport).requests);
      expect(readFileSync(file, 'utf8')).not.to.include('lodger');
      const sockets = log.entries.filter(({ request }) => request.url.startsWith('ws:'));
      expect(sockets.some(({ response }) => response.status === 101)).to.equal(true);
    } finally {
      library.stop();
    }
  });

  for (const [what, place] of [
    ['in a folder that does not exist', 'none/traffic.har'],
    ['that is a folder', 'folder'],
    ['below a file', 'openapi.yaml/traffic.har'],
  ] as const) {
    it(`sends nothing for a file ${what}`, async () => {
      mkdirSync(join(directory, 'folder'), { recursive: true });
      const before = readdirSync(directory);
      const { exitCode, stdout, stderr } = await run(join(directory, place));
      expect([exitCode, stdout, requests]).to.deep.equal([2, '', 0]);
      expect(JSON.parse(stderr))
        .to.have.property('error')
        .that.matches(/^--har: \S+ cannot be written: .+\.$/);
      expect(readdirSync(directory)).to.deep.equal(before);
    });
  }

  it('writes nothing when no server answers', async () => {
    const file = join(directory, 'unanswered.har');
    const { exitCode } = await runInProcess(runProgram, [
      ...['verify', 'http://127.0.0.1:9', '--openapi', join(directory, 'openapi.yaml'), '--har', file],
    ]);
    expect([exitCode, existsSync(file)]).to.deep.equal([2, false]);
  });
});
