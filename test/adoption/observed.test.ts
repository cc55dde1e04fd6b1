/** The step of the adoption after the recording: the application is observed with the recorded document, and stays as it is. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startRecording } from '../../src/tools/record/record-server.js';
import { runContract } from '../../src/tools/running/running-contract.js';
import { type Observer, observe } from '../../src/runtime/observe/index.js';
import { newDeviations, writeDeviations } from '../../src/runtime/testing/index.js';
import { freePort } from '../support/free-port.js';
import { type HttpAnswer, send } from '../support/send.js';
import { appTests } from './app-tests/app-tests.js';
import { createApp } from './legacy-app/app.js';
import { requests } from './requests/requests.js';
import { type Start, type Started, listen, startLegacyApp, testOptions } from './start-legacy-app.js';
import { unexpectedReport } from '../support/unexpected-report.js';

describe('adoption: observed', () => {
  let directory: string;
  let file: string;
  let observer: Observer;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'concordat-observed-'));
    file = join(directory, 'concordat.json');
    const { contract, responseChecks } = await runContract(await recordDay(join(directory, 'openapi.yaml')));
    observer = observe({
      contract,
      responseChecks,
      report: unexpectedReport,
    });
  });
  after(() => rm(directory, { recursive: true, force: true }));

  const start = (...others: ReturnType<typeof createApp>['middleware']): Promise<Started> => {
    const app = createApp(testOptions);
    app.middleware.unshift(observer.koa, ...others);
    return listen(app);
  };

  it('answers a day of requests byte by byte as before, without a deviation from what was recorded', async () => {
    expect(await dayOf(() => start())).to.deep.equal(await dayOf(() => startLegacyApp()));
    await observer.settled();
    expect(observer.deviations()).to.deep.equal([]);
    expect(observer.counters).to.include({ checked: requests.length, skipped: 0 });
  });

  describe('the tests of the application', () => {
    appTests(() => start());
  });

  // Mocha runs the tests of a suite before the suites in it.
  describe('after them', () => {
    it('lists what they show beyond the recorded day, which then is known', async () => {
      await observer.settled();
      const deviations = observer.deviations();
      expect(deviations.map(({ id }) => id)).to.deep.equal(BEYOND);
      expect(observer.counters.checked).to.be.greaterThan(requests.length + 100);
      expect(observer.counters).to.include({ unread: 0, skipped: 0 });
      expect(await newDeviations(file, deviations)).to.deep.equal(BEYOND);
      await writeDeviations(file, deviations);
      expect(await newDeviations(file, deviations)).to.deep.equal([]);
    });

    it('finds a change of the application, and shows no address', async () => {
      const changed = await start(async (ctx, next) => {
        await next();
        if (ctx.path === '/customers/1') ctx.body = { ...(ctx.body as object), name: 5, email: 'ada@' };
      });
      const request = requests.find(
        ({ route, path }) => route === 'GET /customers/:id' && path.endsWith('/1'),
      );
      await send(changed.url, request ?? { method: 'GET', path: '/customers/1' });
      await changed.stop();
      await observer.settled();
      const ids = ['email format', 'name type'].map((name) => `getCustomer response 200 body/${name}`);
      expect(await newDeviations(file, observer.deviations())).to.deep.equal(ids);
      const examples = observer
        .deviations()
        .filter(({ id }) => ids.includes(id))
        .map(({ example }) => example);
      expect(examples).to.deep.equal(['xxxx', 5]);
    });
  });
});

/** The tests of the application leave out members that each request of the day had. */
const BEYOND = [
  'createCustomer request body/tags required',
  'createCustomer request body/vatNumber required',
  'createWebhookPayment request body/data required',
  'createWebhookPayment request body/type required',
  'createWebhookPayment response 202 body/ignored type',
  'getProduct response 200 body/description required',
  'updateBooking request body/attendees required',
  'updateInvoice request body/memo required',
  'updateInvoice response 200 body/memo required',
  'updateProduct response 200 body/description required',
];

/** Records the requests of a day. @returns the file of the document */
async function recordDay(file: string): Promise<string> {
  const app = await startLegacyApp(await freePort());
  const recording = await startRecording({
    ...{ target: new URL(app.url), file, host: '127.0.0.1', port: 0, title: 'Lantern House' },
    ...{ templates: [], bodyLimit: 262_144, enums: false, examples: false },
  });
  for (const request of requests) await send(recording.url, request);
  await app.stop();
  await recording.finish();
  return file;
}

async function dayOf(start: Start): Promise<readonly HttpAnswer[]> {
  const { url, stop } = await start();
  const answers: HttpAnswer[] = [];
  for (const request of requests) {
    const answer = await send(url, request);
    answers.push({ ...answer, headers: { ...answer.headers, date: '' } });
  }
  await stop();
  return answers;
}
