/** GraphQL is loaded after the service listens: whatever comes before that waits for it, and a stop ends it. */

import { expect } from 'chai';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { serve } from '../../src/service/serve.js';
import { readSettings } from '../../src/service/settings/settings.js';
import { startWatched } from './server/watched-service.js';

const query = '{ users { id } }';
const subscription = 'subscription { postAdded { id } }';

describe('GraphQL that is not loaded yet', () => {
  it('answers an operation over WebSocket that comes first', async () => {
    const service = await startWatched();
    const client = createClient({
      url: `${service.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
    });
    const results = client.iterate({ query });
    expect((await results.next()).value).to.deep.equal({ data: { users: [] } });
    await client.dispose();
    await service.stop();
  });

  it('answers the requests that came before the service stops', async () => {
    const service = await startWatched({ STOP_TIMEOUT: '1' });
    const answers = [1, 2].map(() => fetch(`${service.url}/graphql?query=${encodeURIComponent(query)}`));
    const healthz = await fetch(`${service.url}/healthz`);
    expect(healthz.status).to.equal(200);
    const stopped = service.stop();
    for (const answer of await Promise.all(answers)) {
      expect(await answer.json()).to.deep.equal({ data: { users: [] } });
    }
    await stopped;
  });

  it('ends the subscriptions that came before the service stops', async () => {
    const service = await startWatched({ STOP_TIMEOUT: '1' });
    const asked = fetch(`${service.url}/graphql?query=${encodeURIComponent(subscription)}`, {
      headers: { Accept: 'text/event-stream' },
    });
    await fetch(`${service.url}/healthz`);
    const stopped = service.stop();
    expect(await (await asked).text()).not.to.include('event: next');
    await stopped;
  });

  it('does not hold up a stop, nor is loaded after it', async () => {
    const service = await startWatched();
    await service.stop();
    expect(service.lines.filter(({ level }) => Number(level) >= 40)).to.deep.equal([]);
  });

  it('is loaded before the service listens where its settings name a file, which may be wrong', async () => {
    const settings = readSettings({
      PORT: '0',
      DATABASE_URL: 'memory:',
      DEMO_DATA: 'off',
      LOG_LEVEL: 'silent',
      GRAPHQL_TRUSTED_DOCUMENTS: 'missing.json',
    });
    const refusal = await serve(settings).then(
      () => 'it started',
      (error: unknown) => String(error),
    );
    expect(refusal).to.include('GRAPHQL_TRUSTED_DOCUMENTS (missing.json) cannot be read');
  });
});
