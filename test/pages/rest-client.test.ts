/** The client of a service in a browser: it calls the running service from a page. */

import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useBrowser } from '../support/browser.js';
import { bundleOf } from '../support/bundle.js';
import { useService } from '../support/service.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Sets `client` of the page, whose credential is the `token` of the page. */
const ENTRY = `
  import { restClient } from '@concordat/runtime/client';
  import { contract } from './generated/routing.js';
  import * as responseChecks from './generated/response-validators.js';

  const credentials = { bearerAuth: () => globalThis.token, apiKeyAuth: () => globalThis.key };
  globalThis.client = restClient({ contract, responseChecks, baseUrl: location.origin, credentials });
`;

describe('restClient in a browser', () => {
  const service = useService({ demoData: true });
  const browser = useBrowser();
  let script: string;
  before(async () => {
    ({ text: script } = await bundleOf(ENTRY, ROOT, { format: 'iife', conditions: ['@concordat/source'] }));
  });

  async function pageWithClient(): Promise<Page> {
    const { page } = await browser.visit(service.url);
    await page.evaluate(script);
    return page;
  }

  it('signs in, sends its credential, and gets checked answers', async () => {
    const page = await pageWithClient();
    const answers = await page.evaluate<unknown>(`(async () => {
      const { email } = (await client.getUser({ path: { id: '1' } })).body;
      const made = await client.createUser({ body: { name: 'Lise', email: 'lise@example.com', password: 'a long password' } });
      const { status, body } = await client.login({ body: { email: 'lise@example.com', password: 'a long password' } });
      globalThis.token = body.accessToken;
      const profile = await client.getProfile();
      const twice = await client.createUser({ body: { name: 'Lise', email, password: 'a long password' } });
      return [made.status, status, profile.status, profile.body.email, profile.contentType, twice.status];
    })()`);
    expect(answers).to.deep.equal([201, 200, 200, 'lise@example.com', 'application/json', 409]);
  });

  it('sends nothing without a credential, and is aborted by a signal', async () => {
    const page = await pageWithClient();
    const errors = await page.evaluate<unknown>(`Promise.all([
      client.getProfile().catch(({ message }) => message),
      client.listUsers({}, { signal: AbortSignal.abort() }).catch(({ name }) => name),
    ])`);
    expect(errors).to.deep.equal(['getProfile: there is no credential for bearerAuth', 'AbortError']);
  });
});
