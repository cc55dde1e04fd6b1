/** Documents on the web are fetched from the origins that the user allows, and from nowhere else. */

import { once } from 'node:events';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { type RequestListener, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ContractError, codegenConfig, generate } from 'concordat';
import { mockHandler } from '@concordat/tools/mock';
import { runProgram } from '../../src/codegen/cli/program.js';
import { FetchedDocuments } from '../../src/codegen/contract/load/fetched-documents.js';
import { runInProcess } from '../support/run-program.js';
import { removeDirectory } from './generated-contract.js';
import { bodyOf, textOf } from './written-contract.js';

const note = { type: 'object', properties: { note: { type: 'string' } } };
const taking = (schema: object, others: object = {}) =>
  textOf(bodyOf('application/json', { schema }, others));

describe('a document on the web', () => {
  let directory = '';
  /** A server per origin, with the requests that it got. */
  const servers: { readonly server: Server; readonly origin: string; readonly requests: string[] }[] = [];
  let origin = '';
  let other = '';
  let requests: string[] = [];

  async function serve(listener: RequestListener): Promise<string> {
    const got: string[] = [];
    const server = createServer((request, response) => {
      got.push(request.url ?? '');
      listener(request, response);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const address = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    servers.push({ server, origin: address, requests: got });
    return address;
  }

  const pages: Record<string, string | { readonly location: string; readonly status?: number } | undefined> =
    {};
  const answer: RequestListener = ({ url = '' }, response) => {
    const page = pages[url];
    if (typeof page === 'object') response.writeHead(page.status ?? 302, { location: page.location }).end();
    else response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'application/json' }).end(page);
  };

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'concordat-origins-'));
    other = await serve(answer);
    origin = await serve(answer);
    requests = servers[1]?.requests ?? [];
    await writeFile(join(directory, 'secret.json'), textOf({ A: { enum: ['secret'] } }));
    pages['/note.json'] = textOf(note);
    pages['/moved.json'] = { location: '/note.json' };
    pages['/left.json'] = { location: `${other}/note.json` };
    pages['/gone.json'] = { location: '/note.json', status: 410 };
    pages['/circle.json'] = { location: '/circle.json' };
    pages['/file.json'] = textOf({ $ref: `file://${directory}/secret.json#/A` });
    pages['/beside.json'] = textOf({ $ref: 'note.json' });
    pages['/elsewhere.json'] = textOf({ $ref: `${other}/note.json` });
    pages['/openapi.json'] = taking({ $ref: 'note.json' });
  });
  beforeEach(() => {
    for (const each of servers) each.requests.length = 0;
  });
  after(async () => {
    for (const { server } of servers) {
      server.closeAllConnections();
      server.close();
    }
    await removeDirectory(directory);
  });

  async function contract(text: string): Promise<string> {
    const file = join(directory, 'openapi.json');
    await writeFile(file, text);
    return file;
  }

  /** The checks of a contract whose body is the schema at an address. */
  async function checksOf(address: string, allowOrigins?: readonly string[]): Promise<string | undefined> {
    const openapi = await contract(taking({ $ref: address }));
    return (await generate({ openapi, ...(allowOrigins && { allowOrigins }) }))['validators.ts'];
  }

  async function refusalOf(
    address: string,
    allowOrigins?: readonly string[],
  ): Promise<ContractError['problems'][0]> {
    const error: unknown = await checksOf(address, allowOrigins).catch((reason: unknown) => reason);
    if (!(error instanceof ContractError)) throw new Error('it is read', { cause: error });
    const [problem] = error.problems;
    if (problem === undefined) throw error;
    return problem;
  }

  it('is not asked for without permission, and the reference and the option are named', async () => {
    const problem = await refusalOf(`${origin}/note.json`);
    const lines = (await readFile(join(directory, 'openapi.json'), 'utf8')).split('\n');
    // The object that is the reference begins a line before it.
    const line = lines.findIndex((each) => each.includes(origin));
    expect(problem).to.include({ fault: 'unresolved-reference', line });
    expect(problem.pointer).to.match(/schema\/\$ref$|schema$/);
    expect(problem.message).to.equal(
      `Can't resolve $ref ${origin}/note.json: ${origin}/note.json is not read: nothing is fetched from ${origin} unless --allow-origin ${origin}, or allowOrigins in codegen.ts, allows it`,
    );
    expect(requests).to.deep.equal([]);
  });

  it('is fetched from an origin that is allowed', async () => {
    expect(await checksOf(`${origin}/note.json`, [origin])).to.include('note');
    expect(requests).to.deep.equal(['/note.json']);
  });

  it('is not fetched from another origin than the one that is allowed', async () => {
    expect((await refusalOf(`${origin}/note.json`, [other])).message).to.include('nothing is fetched from');
    expect((await refusalOf(`${origin}/elsewhere.json`, [origin])).message).to.include(
      `--allow-origin ${other},`,
    );
    expect(servers[0]?.requests).to.deep.equal([]);
  });

  it('may redirect within its origin, and to no other, even if that is allowed', async () => {
    expect(await checksOf(`${origin}/moved.json`, [origin])).to.include('note');
    const { message } = await refusalOf(`${origin}/left.json`, [origin, other]);
    expect(message).to.include(`it redirects to another origin, ${other}`);
    expect(servers[0]?.requests).to.deep.equal([]);
    expect((await refusalOf(`${origin}/circle.json`, [origin])).message).to.include(
      'redirects more than 5 times',
    );
  });

  it('cannot refer to a file', async () => {
    const { message } = await refusalOf(`${origin}/file.json`, [origin]);
    expect(message).to.include('file: addresses are not read');
  });

  it('may refer to documents beside it', async () => {
    expect(await checksOf(`${origin}/beside.json`, [origin])).to.include('note');
  });

  it('that is not there is named with the status', async () => {
    const { message } = await refusalOf(`${origin}/none.json`, [origin]);
    expect(message).to.include(`${origin}/none.json is not read: the server answers 404`);
    const gone = await refusalOf(`${origin}/gone.json`, [origin]);
    expect(gone.message).to.include(`${origin}/gone.json is not read: the server answers 410`);
    expect(requests).to.deep.equal(['/none.json', '/gone.json']);
  });

  it('that no server answers for is named with the reason', async () => {
    const { message } = await refusalOf('http://127.0.0.1:9/a.json', ['http://127.0.0.1:9']);
    expect(message).to.include('http://127.0.0.1:9/a.json cannot be fetched: ');
  });

  it('that a discriminator or an example names is not asked for', async () => {
    const schema = {
      oneOf: [{ $ref: '#/components/schemas/A' }],
      discriminator: { propertyName: 'kind', mapping: { a: `${origin}/note.json` } },
    };
    const examples = { one: { externalValue: `${origin}/example.json` } };
    const A = { type: 'object', required: ['kind'], properties: { kind: { type: 'string' } } };
    const openapi = await contract(
      textOf(bodyOf('application/json', { schema, examples }, { components: { schemas: { A } } })),
    );
    await generate({ openapi }).catch((error: unknown) => {
      expect(error).to.be.instanceOf(ContractError);
    });
    expect(requests).to.deep.equal([]);
  });

  it('that the contract is named by allows its own origin, and no other', async () => {
    const files = await generate({ openapi: `${origin}/openapi.json` });
    expect(files['validators.ts']).to.include('note');
    pages['/far.json'] = taking({ $ref: `${other}/note.json` });
    const error: unknown = await generate({ openapi: `${origin}/far.json` }).catch(
      (reason: unknown) => reason,
    );
    expect(String(error)).to.include(`--allow-origin ${other},`);
    expect(servers[0]?.requests).to.deep.equal([]);
  });

  it('is fetched where codegen.ts allows it', async () => {
    const openapi = await contract(taking({ $ref: `${origin}/note.json` }));
    const { generates } = codegenConfig({ openapi, allowOrigins: [origin], out: 'generated' });
    expect(Object.values(generates)[0])
      .to.have.nested.property('presetConfig.allowOrigins')
      .that.deep.equals([origin]);
  });

  it('is not waited for without end', async () => {
    const slow = await serve((_request, response) => response.write('{'));
    const documents = new FetchedDocuments('openapi.yaml', [slow], { bytes: 1000, milliseconds: 50 });
    const error: unknown = await documents.read(`${slow}/a.json`).catch((reason: unknown) => reason);
    expect(String(error)).to.include(`${slow}/a.json is not read: fetching takes over 0.05 seconds`);
  });

  it('is not read without end, and neither are several together', async () => {
    const long = await serve((_request, response) => response.end('x'.repeat(600)));
    const documents = new FetchedDocuments('openapi.yaml', [long], { bytes: 1000, milliseconds: 10_000 });
    expect((await documents.read(`${long}/a.json`)).body).to.have.length(600);
    const error: unknown = await documents.read(`${long}/b.json`).catch((reason: unknown) => reason);
    expect(String(error)).to.include(
      `${long}/b.json is not read: the fetched documents have over 1000 bytes`,
    );
  });

  for (const text of ['example.com', 'https://example.com/a', 'https://a:b@example.com', 'file:///', '*']) {
    it(`is not allowed by ${text}`, async () => {
      const openapi = await contract(taking(note));
      const error: unknown = await generate({ openapi, allowOrigins: [text] }).catch(
        (reason: unknown) => reason,
      );
      expect(String(error)).to.equal(`Error: ${text} is not an origin such as https://example.com`);
      const { exitCode, stderr } = await runInProcess(runProgram, [
        'check',
        '--openapi',
        openapi,
        '--allow-origin',
        text,
      ]);
      expect(stderr).to.include(
        'It must be an origin such as https://example.com, or a folder such as ../shared.',
      );
      expect(exitCode).to.equal(2);
    });
  }

  describe('of a command', () => {
    const start = process.cwd();
    beforeEach(async () => {
      await contract(taking({ $ref: `${origin}/note.json` }));
      process.chdir(directory);
    });
    afterEach(() => {
      process.chdir(start);
    });
    const commands: readonly (readonly string[])[] = [
      ['generate', '--openapi', 'openapi.json'],
      ['check', '--openapi', 'openapi.json'],
      ['diff', 'openapi.json', 'openapi.json'],
      ['mock', 'openapi.json', '--port', '0'],
      ['verify', 'http://127.0.0.1:9', '--openapi', 'openapi.json'],
      ['init', 'openapi.json'],
    ];
    for (const command of commands) {
      it(`${command.join(' ')} needs --allow-origin`, async () => {
        const refused = await runInProcess(runProgram, command);
        expect(refused.stderr).to.include(`--allow-origin ${origin},`);
        expect(refused.exitCode).to.be.above(0);
        expect(requests).to.deep.equal([]);
        const allowed = await runInProcess(runProgram, [
          ...command,
          '--allow-origin',
          other,
          '--allow-origin',
          origin,
        ]);
        expect(allowed.stderr).to.not.include('allow-origin');
        expect(requests).to.not.deep.equal([]);
      });
    }

    it('init writes what is allowed into codegen.ts, where generate reads it', async () => {
      expect(await readFile('codegen.ts', 'utf8')).to.include(`allowOrigins: ['${other}', '${origin}']`);
      expect((await runInProcess(runProgram, ['generate'])).exitCode).to.equal(0);
      expect(requests).to.deep.equal(['/note.json']);
    });

    it('is also allowed beside a codegen.ts', async () => {
      const config = await readFile('codegen.ts', 'utf8');
      await writeFile('codegen.ts', config.replace(/, *'[^']*'\]/, ']'));
      expect((await runInProcess(runProgram, ['check'])).stderr).to.include(`--allow-origin ${origin},`);
      expect((await runInProcess(runProgram, ['check', '--allow-origin', origin])).exitCode).to.equal(0);
    });
  });

  it('is fetched for mocks', async () => {
    const openapi = await contract(taking({ $ref: `${origin}/note.json` }));
    await mockHandler(openapi, { allowOrigins: [origin] });
    expect(requests).to.deep.equal(['/note.json']);
  });
});
