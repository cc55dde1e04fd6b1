/** The output and the exit codes of `concordat verify`. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runProgram } from '../../../src/codegen/cli/program.js';
import type { VerifyReport } from '../../../src/tools/verify/run/verify-report.js';
import { runInProcess } from '../../support/run-program.js';
import { freePort } from '../../support/free-port.js';
import { verifyContracts } from '../../../src/tools/verify/verify-contracts.js';
import { libraryServer } from '../../tools/verify/graphql/library-server.js';
import { type NotebookServer, TOKEN, notebookServer } from '../../tools/verify/openapi/notebook-server.js';

const CONTRACT = 'test/tools/verify/openapi/notebook.yaml';

describe('concordat verify', () => {
  let server: NotebookServer;
  before(async () => {
    server = await notebookServer();
  });
  beforeEach(() => {
    server.reset();
    server.fault = undefined;
  });
  after(() => {
    server.stop();
  });

  const run = (...parameters: readonly string[]) =>
    runInProcess(runProgram, [
      'verify',
      '--openapi',
      CONTRACT,
      '--credential',
      `token=${TOKEN}`,
      ...(parameters.includes('--seed') ? [] : ['--seed', '5']),
      // Enough for each operation.
      ...(parameters.includes('--requests') ? [] : ['--requests', '300', '--seconds', '600']),
      ...parameters,
    ]);

  it('exits with 0 where nothing is violated, and tells the seed', async () => {
    const { exitCode, stdout, stderr } = await run(server.url, '--requests', '5000', '--seconds', '600');
    expect([exitCode, stderr]).to.deep.equal([0, '']);
    expect(stdout).to.match(/^http:\S+: \d+ requests to 8 operations, seed 5: 0 violations, 0 warnings\.\n$/);
  });

  it('exits with 1 for a violation, and shows how to repeat it', async () => {
    server.fault = 'a limit is not bounded';
    const { exitCode, stdout, stderr } = await run(server.url, '--seed', '5');
    expect([exitCode, stderr]).to.deep.equal([1, '1 violation.\n']);
    const title = 'broken-accepted: GET /notes: query limit: one beyond maximum';
    const reason = 'the contract refuses it: 400 query/limit must be <= 50; it is answered by 200';
    expect(stdout).to.include(`${title}: ${reason}`);
    expect(stdout).to.include(`curl -sSig --path-as-is -X GET '${server.url}/notes?tag=work&limit=51'`);
  });

  it('tells the same for other programs, at the line of the operation in the document', async () => {
    server.fault = 'a limit is not bounded';
    const github = await run(server.url, '--seed', '5', '--format', 'github');
    expect(github.exitCode).to.equal(1);
    expect(github.stdout).to.match(
      /^::error file=test\/tools\/verify\/openapi\/notebook\.yaml,line=\d+,title=broken-accepted::GET \/notes: query limit: one beyond maximum: .*%0Acurl -sSig .*\n$/,
    );
    const line = Number(/line=(\d+)/.exec(github.stdout)?.[1]);
    expect(readFileSync(CONTRACT, 'utf8').split('\n')[line - 1]).to.match(/^ {4}get:/);
    const { stdout } = await run(server.url, '--seed', '5', '--format', 'junit');
    expect(stdout).to.include('<testsuites tests="8" failures="1" errors="0">');
    const warned = await run(server.url, '--warn', 'broken-accepted', '--format', 'github');
    expect([warned.exitCode, warned.stdout.slice(0, 10)]).to.deep.equal([0, '::warning ']);
    expect((await run(server.url, '--format', 'pdf')).exitCode).to.equal(2);
  });

  it('fails where no operation succeeds, with the likely cause, in every format', async () => {
    server.fault = 'every path is at another address';
    const { exitCode, stdout } = await run(server.url, '--requests', '60');
    expect(exitCode).to.equal(1);
    expect(stdout).to.match(/^no-success: .*the paths of the contract at another address than http/m);
    expect(stdout).to.match(/, 8 operations without a success\.$/m);
    const { stdout: github } = await run(server.url, '--requests', '60', '--format', 'github');
    expect(github).to.include('title=no-success');
    server.fault = undefined;
    const wrong = ['--credential', 'token=wrong', '--only', 'operation:listNotes', '--format', 'json'];
    const { violations } = JSON.parse((await run(server.url, ...wrong)).stdout) as VerifyReport;
    expect(violations.find(({ rule }) => rule === 'no-success')?.message).to.include('the credential');
  });

  it('adds the path of the first server of the document to an address without a path', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'concordat-served-'));
    const file = join(folder, 'notebook.yaml');
    writeFileSync(file, `${readFileSync(CONTRACT, 'utf8')}\nservers: [{ url: 'https://shop.example/v1' }]\n`);
    const urlFor = async (...parameters: readonly string[]): Promise<string> => {
      const given = ['verify', '--openapi', file, '--credential', `token=${TOKEN}`, '--requests', '4'];
      const { stdout } = await runInProcess(runProgram, [...given, ...parameters]);
      return /-X \w+ '?(http:[^' ]+)/.exec(stdout)?.[1] ?? stdout;
    };
    server.fault = 'every path is at another address';
    try {
      expect(await urlFor(server.url)).to.match(/^http:\/\/[^/]+\/v1\//);
      expect(await urlFor(`${server.url}/v2`)).to.match(/^http:\/\/[^/]+\/v2\//);
      expect(await urlFor(server.url, '--openapi-path', '/')).not.to.include('/v1');
      expect(await urlFor(server.url, '--openapi-path', '/v3')).to.include('/v3/');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('exits with 0 where the rule only warns', async () => {
    server.fault = 'a limit is not bounded';
    const { exitCode, stdout } = await run(server.url, '--warn', 'broken-accepted');
    expect(exitCode).to.equal(0);
    expect(stdout).to.include('warning broken-accepted: GET /notes').and.include('0 violations, 1 warning.');
  });

  describe('without a credential that operations need', () => {
    const anonymous = (...parameters: readonly string[]) =>
      runInProcess(runProgram, [
        ...['verify', '--openapi', CONTRACT, '--seed', '5', '--seconds', '600', server.url],
        ...parameters,
      ]);

    it('exits with 3, and names the operations and what is missing', async () => {
      const { exitCode, stdout, stderr } = await anonymous();
      expect([exitCode, stderr]).to.deep.equal([
        3,
        '7 operations were not verified: a credential is missing.\n',
      ]);
      expect(stdout).to.match(
        /^Not verified: .*GET \/notes.*\. A credential is missing: --credential token=…\.$/m,
      );
      expect(stdout).not.to.include('Never answered by a success');
    });

    it('lists them in JSON', async () => {
      const { exitCode, stdout } = await anonymous('--json');
      const { unverified } = JSON.parse(stdout) as VerifyReport;
      expect(exitCode).to.equal(3);
      expect(unverified).to.have.length(7);
      expect(unverified).to.deep.include({
        kind: 'missing-credential',
        id: 'listNotes',
        name: 'GET /notes',
        missing: [['token']],
      });
    });

    it('exits with 1 for a violation of the others, and with 0 where they are skipped', async () => {
      const { stdout } = await anonymous('--json');
      const { unverified } = JSON.parse(stdout) as VerifyReport;
      const skips = unverified.flatMap(({ id }) => ['--skip', id]);
      expect((await anonymous(...skips)).exitCode).to.equal(0);
      server.fault = 'a 405 has no Allow';
      expect((await anonymous()).exitCode).to.equal(1);
    });
  });

  it('tells the same as JSON', async () => {
    const { stdout } = await run(server.url, '--json', '--requests', '30', '--seed', '5');
    const report = JSON.parse(stdout) as VerifyReport;
    expect(report).to.include({ seed: 5, requests: 30, isComplete: false });
    expect(report.operations).to.have.length(8);
  });

  describe('of a GraphQL schema', () => {
    const SCHEMA = 'test/tools/verify/graphql/library.graphql';
    let library: Awaited<ReturnType<typeof libraryServer>>;
    before(async () => {
      library = await libraryServer();
    });
    after(() => {
      library.stop();
    });

    it('tells the same kind of report, without the document', async () => {
      const { exitCode, stdout } = await runInProcess(runProgram, [
        'verify',
        library.url,
        ...['--schema', SCHEMA, '--header', 'x-key=secret', '--seed', '5', '--requests', '60'],
      ]);
      expect(exitCode).to.equal(0);
      expect(stdout).to.match(
        /60 requests to 11 operations, seed 5: 0 violations, 0 warnings(?:, \d+ operations? without a success)?\.$/m,
      );
    });

    it('is one report with that of the document, within one budget', async () => {
      const earlier = library.seen.length;
      const report = await verifyContracts({
        url: library.url,
        openapi: CONTRACT,
        schema: SCHEMA,
        graphqlPath: '/graphql',
        credentials: { token: TOKEN },
        headers: {},
        seed: 5,
        requests: 101,
        seconds: 600,
        warn: ['undeclared-status'],
        except: ['operation:listNotes', 'operation:Query.works'],
        protect: ['/notes', '1'],
      });
      expect(report.requests).to.equal(101);
      const counts = new Map(report.operations.map(({ id, requests }) => [id, requests]));
      expect(counts.size).to.equal(7 + 10);
      expect(counts.get('Query.book')).to.be.greaterThan(1);
      expect(counts.get('getHealth')).to.be.greaterThan(1);
      expect(library.seen.slice(earlier).filter((each) => each.includes('works'))).to.deep.equal([]);
    });

    it('exits with 2 where the server has no GraphQL', async () => {
      const parameters = ['verify', server.url, '--schema', SCHEMA];
      const { exitCode, stderr } = await runInProcess(runProgram, parameters);
      expect([exitCode, stderr]).to.deep.equal([2, `${server.url} has no GraphQL at /graphql\n`]);
    });
  });

  const misuses: readonly (readonly [string, (address: string) => readonly string[]])[] = [
    ['an address that is none', () => ['localhost:3000']],
    ['a rule that is none', (url) => [url, '--warn', 'nothing']],
    ['a credential without a value', (url) => [url, '--credential', 'token']],
    ['a header without a value', (url) => [url, '--header', 'authorization']],
    ['a credential of no scheme', (url) => [url, '--credential', 'tokn=x']],
    ['an operation to skip that is none', (url) => [url, '--skip', 'createNotes']],
    ['a selector that selects no operation', (url) => [url, '--only', 'tag:nothing']],
    ['a text that is no selector', (url) => [url, '--except', 'createNote']],
    ['a contract that is missing', (url) => [url, '--openapi', 'nowhere.yaml']],
  ];
  for (const [title, parameters] of misuses) {
    it(`exits with 2 for ${title}`, async () => {
      const { exitCode, stdout, stderr } = await run(...parameters(server.url));
      expect([exitCode, stdout]).to.deep.equal([2, '']);
      expect(stderr).not.to.equal('');
    });
  }

  it('exits with 2 where no server answers', async () => {
    const url = `http://127.0.0.1:${String(await freePort())}`;
    const { exitCode, stderr } = await run(url);
    expect([exitCode, stderr]).to.deep.equal([2, `No server answers at ${url}\n`]);
  });
});
