/** The first step of the adoption: the application is recorded from its own tests, which pass through the proxy. */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { runProgram } from '../../src/codegen/cli/program.js';
import {
  type RecordReport,
  type RunningRecording,
  startRecording,
} from '../../src/tools/record/record-server.js';
import { freePort } from '../support/free-port.js';
import { runInProcess } from '../support/run-program.js';
import { send } from '../support/send.js';
import { appTests } from './app-tests/app-tests.js';
import { callers } from './requests/request-makers.js';
import { requests } from './requests/requests.js';
import { startLegacyApp } from './start-legacy-app.js';

describe('adoption: recorded', () => {
  let directory: string;
  let file: string;
  let recording: RunningRecording;
  let port: number;
  let report: RecordReport;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'concordat-recorded-'));
    file = join(directory, 'openapi.yaml');
    port = await freePort();
    recording = await startRecording({
      target: new URL(`http://127.0.0.1:${String(port)}`),
      file,
      host: '127.0.0.1',
      port: 0,
      title: 'Lantern House',
      templates: [],
      bodyLimit: 262_144,
      enums: false,
      examples: true,
    });
  });
  after(() => rm(directory, { recursive: true, force: true }));

  describe('through the proxy', () => {
    appTests(async () => {
      const { stop } = await startLegacyApp(port);
      return { url: recording.url, stop };
    });
  });

  describe('the document', () => {
    before(async () => {
      const app = await startLegacyApp(port);
      for (const request of requests) await send(recording.url, request);
      await app.stop();
      report = await recording.finish();
    });

    it('has the 60 routes, with their methods and parameters', async () => {
      expect(report).to.include({ operations: 60, unread: 0, added: undefined });
      const { paths } = parse(await readFile(file, 'utf8')) as { paths: Record<string, object> };
      const recorded = Object.entries(paths).flatMap(([path, item]) =>
        Object.keys(item).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '{}')}`),
      );
      const routes = new Set(requests.map(({ route }) => route.replaceAll(/:\w+/g, '{}')));
      expect(recorded.sort()).to.deep.equal([...routes].sort());
    });

    it('has no credential, cookie, e-mail address or long run of digits', async () => {
      const text = await readFile(file, 'utf8');
      const secrets = Object.values(callers).flatMap((headers) => Object.values(headers));
      for (const secret of [...secrets, 'correct-horse-1', 'ada@', 'office@']) {
        expect(text).not.to.contain(secret.replace('Bearer ', ''));
      }
      expect(text).not.to.match(/@\w/);
      // Made-up numbers have ones only.
      expect(text.replaceAll(/1[1 ]+/g, '')).not.to.match(/\d[\d ]{5}/);
    });

    it('passes check --lenient', async () => {
      const { stdout } = await runInProcess(runProgram, [
        ...['check', '--openapi', file, '--lenient', '--out', join(directory, 'generated'), '--json'],
      ]);
      expect((JSON.parse(stdout) as { problems: unknown }).problems).to.deep.equal([]);
    });

    it('verify finds no violation', async function () {
      this.timeout(120_000);
      const app = await startLegacyApp();
      const { stdout, exitCode } = await runInProcess(runProgram, [
        'verify',
        app.url,
        ...['--openapi', file, '--seed', '5'],
        ...['--credential', 'bearerAuth=adm_5f0c9e1b7a3d4e21'],
        ...['--skip', 'logout'],
      ]);
      await app.stop();
      expect(stdout).to.contain('0 violations, 0 warnings');
      expect(exitCode).to.equal(0);
    });
  });
});
