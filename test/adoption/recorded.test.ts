/** The first steps of the adoption: the application is recorded while it serves a day of requests, and observed with what was recorded. */

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { runProgram } from '../../src/codegen/cli/program.js';
import { type Observer, observe } from '../../src/runtime/observe/index.js';
import { newDeviations, writeDeviations } from '../../src/runtime/testing/index.js';
import type { RecordReport } from '../../src/tools/record/recorder.js';
import { runContract } from '../../src/tools/running/running-contract.js';
import { runInProcess } from '../support/run-program.js';
import { type HttpAnswer, type HttpRequest, send } from '../support/send.js';
import { unexpectedReport } from '../support/unexpected-report.js';
import { startRecording } from '../tools/record/start-recording.js';
import { createApp } from './legacy-app/app.js';
import { beyond, day } from './requests/day.js';
import { type CallerName, callers } from './requests/request-makers.js';
import { type Started, listen, startLegacyApp, testOptions } from './start-legacy-app.js';

/** The headers that each server writes for its own connections. */
const OF_CONNECTIONS = { date: '', connection: '', 'keep-alive': '' };

async function answersTo(requests: readonly HttpRequest[], url: string): Promise<HttpAnswer[]> {
  const received: HttpAnswer[] = [];
  for (const request of requests) {
    const answer = await send(url, request);
    received.push({ ...answer, headers: { ...answer.headers, ...OF_CONNECTIONS } });
  }
  return received;
}

/** The requests of the day, from one caller. */
function sentBy(by: CallerName): readonly HttpRequest[] {
  return day.map((request) => {
    const { authorization: _token, 'x-api-key': _key, ...headers } = request.headers ?? {};
    return { ...request, headers: { ...headers, ...callers[by] } };
  });
}

const BEYOND = [
  'createCustomer request body/tags required',
  'createCustomer request body/vatNumber required',
  'createWebhookPayment request body/data required',
  'createWebhookPayment request body/type required',
  'createWebhookPayment response 202 body/ignored type',
  'getMe response 200 status missing-credential',
  'logout response 204 status missing-credential',
  'updateProduct request body/active required',
  'updateProduct response 200 body/description required',
];

describe('adoption', () => {
  let directory: string;
  let file: string;
  let report: RecordReport;
  let answers: readonly HttpAnswer[];
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'concordat-recorded-'));
    file = join(directory, 'openapi.yaml');
    const app = await startLegacyApp();
    const recording = await startRecording({
      ...{ target: new URL(app.url), file, title: 'Lantern House' },
      templates: ['/payments/{payment}/refunds'],
    });
    answers = await answersTo(day, recording.url);
    // Words that one caller alone sends may be secrets: so the others send the same, whatever the application answers.
    for (const by of ['admin', 'staff', 'viewer'] as const) await answersTo(sentBy(by), recording.url);
    await app.stop();
    report = await recording.finish();
  });
  after(() => rm(directory, { recursive: true, force: true }));

  describe('recorded', () => {
    it('the application answers as without the recorder, and each route succeeds', async () => {
      const { url, stop } = await startLegacyApp();
      expect(answers).to.deep.equal(await answersTo(day, url));
      await stop();
      const succeeded = day.filter((_, index) => (answers[index]?.status ?? 500) < 400);
      expect(new Set(succeeded.map(({ route }) => route))).to.deep.equal(
        new Set(day.map(({ route }) => route)),
      );
      expect(answers.filter(({ status, text }) => status >= 500 || text.includes('NO_ROUTE'))).to.deep.equal(
        [],
      );
    });

    it('the document has the 35 routes, with their methods and parameters', async () => {
      expect(report).to.include({ operations: 35, unread: 0, added: undefined });
      const { paths } = parse(await readFile(file, 'utf8')) as { paths: Record<string, object> };
      const recorded = Object.entries(paths).flatMap(([path, item]) =>
        Object.keys(item).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '{}')}`),
      );
      const routes = new Set(day.map(({ route }) => route.replaceAll(/:\w+/g, '{}')));
      expect(recorded.sort()).to.deep.equal([...routes].sort());
    });

    it('the document has no credential, cookie, e-mail address or long run of digits', async () => {
      const text = await readFile(file, 'utf8');
      const secrets = Object.values(callers).flatMap((headers) => Object.values(headers));
      for (const secret of [...secrets, 'correct-horse-1', 'ada@', 'office@']) {
        expect(text).not.to.contain(secret.replace('Bearer ', ''));
      }
      expect(text).not.to.match(/@\w/);
      // Made-up numbers have ones only.
      expect(text.replaceAll(/1[1 ]+/g, '')).not.to.match(/\d[\d ]{5}/);
    });

    it('the document passes check --lenient', async () => {
      const { stdout } = await runInProcess(runProgram, [
        ...['check', '--openapi', file, '--lenient', '--out', join(directory, 'generated'), '--json'],
      ]);
      expect((JSON.parse(stdout) as { problems: unknown }).problems).to.deep.equal([]);
    });

    it('verify finds no violation of the document', async () => {
      const app = await startLegacyApp();
      const { stdout, exitCode } = await runInProcess(runProgram, [
        ...['verify', app.url, '--openapi', file, '--seed', '5', '--seconds', '600'],
        ...['--credential', 'bearerAuth=adm_5f0c9e1b7a3d4e21', '--skip', 'logout'],
      ]);
      await app.stop();
      expect(stdout).to.contain('0 violations, 0 warnings');
      expect(exitCode).to.equal(0);
    });
  });

  describe('observed with the recorded document', () => {
    let known: string;
    let observer: Observer;
    before(async () => {
      known = join(directory, 'concordat.json');
      const { contract, responseChecks } = await runContract(file);
      observer = observe({ contract, responseChecks, report: unexpectedReport });
    });

    const start = (...others: ReturnType<typeof createApp>['middleware']): Promise<Started> => {
      const app = createApp(testOptions);
      app.middleware.unshift(observer.koa, ...others);
      return listen(app);
    };

    it('answers the day byte by byte as before, without a deviation from what was recorded', async () => {
      const { url, stop } = await start();
      expect(await answersTo(day, url)).to.deep.equal(answers);
      await stop();
      await observer.settled();
      expect(observer.deviations()).to.deep.equal([]);
      expect(observer.counters).to.include({ checked: day.length, skipped: 0 });
    });

    it('lists what goes beyond the recorded day, which then is known', async () => {
      const { url, stop } = await start();
      await answersTo(beyond, url);
      await stop();
      await observer.settled();
      const deviations = observer.deviations();
      expect(deviations.map(({ id }) => id)).to.deep.equal(BEYOND);
      expect(observer.counters).to.include({ unread: 0, skipped: 0 });
      expect(await newDeviations(known, deviations)).to.deep.equal(BEYOND);
      await writeDeviations(known, deviations);
      expect(await newDeviations(known, deviations)).to.deep.equal([]);
    });

    it('finds a change of the application, and shows no address', async () => {
      const changed = await start(async (ctx, next) => {
        await next();
        if (ctx.path === '/customers/1') ctx.body = { ...(ctx.body as object), name: 5, email: 'ada@' };
      });
      await answersTo(
        day.filter(({ path }) => path === '/customers/1'),
        changed.url,
      );
      await changed.stop();
      await observer.settled();
      const ids = ['email format', 'name type'].map((name) => `getCustomer response 200 body/${name}`);
      expect(await newDeviations(known, observer.deviations())).to.deep.equal(ids);
      const examples = observer
        .deviations()
        .filter(({ id }) => ids.includes(id))
        .map(({ example }) => example);
      expect(examples).to.deep.equal(['xxxx', 5]);
    });
  });
});
