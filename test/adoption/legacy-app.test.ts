/** The application that an existing team has: its own tests, and the traffic that later stages compare. */

import { expect } from 'chai';
import { type HttpAnswer, send } from '../support/send.js';
import { appTests } from './app-tests/app-tests.js';
import { createApp } from './legacy-app/app.js';
import { requests } from './requests/requests.js';
import { startLegacyApp, testOptions } from './start-legacy-app.js';

describe('adoption: the application before', () => {
  appTests(() => startLegacyApp());

  it('has 60 routes, and each succeeds on the day', async () => {
    const routes = routesOf();
    expect(routes).to.have.length(60);
    expect([...new Set(requests.map(({ route }) => route))].sort()).to.deep.equal([...routes].sort());
    const answers = await answersOfTheDay();
    const succeeded = requests.filter((_, index) => (answers[index]?.status ?? 500) < 400);
    expect([...new Set(succeeded.map(({ route }) => route))].sort()).to.deep.equal([...routes].sort());
    expect(answers.filter(({ status }) => status >= 500)).to.deep.equal([]);
    expect(answers.filter(({ text }) => text.includes('NO_ROUTE'))).to.deep.equal([]);
  });

  it('answers the same day with the same bytes', async () => {
    const answers = await answersOfTheDay();
    expect(answers.map(withoutDate)).to.deep.equal((await answersOfTheDay()).map(withoutDate));
  });
});

async function answersOfTheDay(): Promise<HttpAnswer[]> {
  const { url, stop } = await startLegacyApp();
  const answers: HttpAnswer[] = [];
  for (const request of requests) answers.push(await send(url, request));
  await stop();
  return answers;
}

const withoutDate = (answer: HttpAnswer): unknown => ({
  ...answer,
  headers: { ...answer.headers, date: '' },
});

interface Layer {
  readonly methods: readonly string[];
  readonly path: string;
}

/** The routes of the routers that the application uses, such as `GET /customers/:id`. */
function routesOf(): string[] {
  const layers = createApp(testOptions).middleware.flatMap(
    (each) => (each as { router?: { stack: readonly Layer[] } }).router?.stack ?? [],
  );
  return layers.flatMap(({ methods, path }) =>
    methods.filter((method) => method !== 'HEAD').map((method) => `${method} ${path.replace(/\/$/, '')}`),
  );
}
