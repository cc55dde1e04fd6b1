/** A page whose package is not installed says so, for as long as it is not, and leaves the rest of the service alone. */

import Module from 'node:module';
import { expect } from 'chai';
import { useService } from '../support/service.js';

/** What `require.resolve` and `createRequire(…).resolve` call. */
const resolver = Module as unknown as {
  _resolveFilename: (request: string, ...more: readonly unknown[]) => string;
};

const PAGES = {
  '/docs': '@scalar/fastify-api-reference',
  '/graphql': 'graphiql',
} as const;

describe('a page whose package is not installed', () => {
  const service = useService();
  const resolve = resolver._resolveFilename;
  let missing = '';
  before(() => {
    resolver._resolveFilename = (request, ...more) => {
      const isMissing = missing !== '' && request.startsWith(missing);
      if (isMissing)
        throw Object.assign(new Error(`Cannot find module '${request}'`), { code: 'MODULE_NOT_FOUND' });
      return resolve(request, ...more);
    };
  });
  after(() => {
    resolver._resolveFilename = resolve;
  });
  const get = (path: string): Promise<Response> =>
    fetch(service.url + path, { headers: { accept: 'text/html' } });

  for (const [path, name] of Object.entries(PAGES)) {
    it(`${path} is 503 without ${name}, and looks for it again on the next request`, async () => {
      missing = name;
      const answer = await get(path);
      expect(answer.status).to.equal(503);
      expect(answer.headers.get('retry-after')).to.equal('3600');
      expect(await answer.text()).to.include(`This page needs the package ${name}`);
      expect((await get('/')).status).to.equal(200);
      expect((await get('/healthz')).status).to.equal(200);
      missing = '';
      const again = await get(path);
      expect(again.status).to.equal(200);
      expect(await again.text()).to.match(/^<!doctype html>/);
    });
  }
});
