/** The pages as HTTP responses: caching, the files that a page loads, and unusual requests. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { Page } from '../../src/service/pages/page.js';
import { servicePages } from '../../src/service/pages/pages.js';
import { type HttpResponse, Problem } from '../../src/runtime/index.js';

const pages = servicePages({
  publicKeys: [],
  contracts: {
    openapiYaml: `openapi: 3.1.0\n${'# much of the same\n'.repeat(100)}`,
    openapiJson: () => Promise.resolve({ text: '{}' }),
    schema: 'type Query { a: Int }',
  },
  facts: {
    version: '1.2.3<script>',
    hasConsole: true,
    demoSignIns: [{ email: '"&<b>', password: "it's", role: 'user' }],
  },
});

function find(path: string): Page | undefined {
  return pages.byPath.get(path) ?? pages.findAsset(path);
}

async function get(path: string, headers = {}, method = 'GET'): Promise<HttpResponse> {
  return (await find(path)?.answer({ method, path, headers })) ?? expect.fail(`no page at ${path}`);
}

/** The paths of a page's own scripts and styles. */
function assetsOf({ body }: HttpResponse): readonly string[] {
  return [...String(body as string | Uint8Array).matchAll(/(?:src|href)="(?:\.\.\/)?(assets\/[^"]+)"/g)].map(
    ([, path]) => `/${path ?? ''}`,
  );
}

describe('servicePages', () => {
  it('has an icon for browsers', async () => {
    const { status, headers, body } = await get('/favicon.ico');
    expect(status).to.equal(200);
    expect(headers).to.include({ 'Content-Type': 'image/svg+xml' });
    expect(body).to.match(/^<svg [^]*<\/svg>\n$/);
  });

  it('has no other pages, and none under names of JavaScript objects', () => {
    for (const path of [
      '/other',
      '/docs/',
      '/assets/',
      '/assets/x/other.js',
      '/__proto__',
      '/constructor',
      '',
    ]) {
      expect(find(path), path).to.equal(undefined);
    }
  });

  it('loads only its own files, which exist and are cached for good', async () => {
    const graphiql = await pages.graphiql.answer({ method: 'GET', path: '/graphql', headers: {} });
    const paths = ['/', '/auth/success', '/docs', '/read', '/console'];
    const documents = [...(await Promise.all(paths.map((path) => get(path)))), graphiql];
    for (const document of documents) {
      expect(document.headers['Content-Security-Policy']).to.match(
        /^default-src 'none'; script-src 'self'; /,
      );
      expect(document.headers['Content-Security-Policy']).not.to.match(/http|\*|unsafe-eval/);
      expect(document.body).not.to.match(/<script>|<style|https?:\/\/(?!localhost)/);
      expect(assetsOf(document)).not.to.have.lengthOf(0);
      for (const path of assetsOf(document)) {
        const asset = await get(path);
        expect(asset.headers['Cache-Control'], path).to.equal('public, max-age=31536000, immutable');
        expect(asset.headers['Content-Type']).to.match(/^text\/(javascript|css); charset=utf-8$/);
        expect((asset.body as Uint8Array).length).to.be.greaterThan(10);
      }
    }
  });

  it('serves the current asset for the address of another version, without caching', async () => {
    const [path = ''] = assetsOf(await get('/'));
    const other = await get(path.replace(/assets\/[^/]+/, 'assets/another'));
    expect(other.headers['Cache-Control']).to.equal('no-cache');
    expect(other.body).to.deep.equal((await get(path)).body);
  });

  it('answers 304 to a client that has the current version', async () => {
    for (const path of ['/', '/openapi.yaml', '/openapi.json', '/schema.graphql']) {
      const { headers } = await get(path);
      const again = await get(path, { 'if-none-match': headers['ETag'] });
      expect(again.status).to.equal(304);
      expect(again.body).to.equal(undefined);
      expect(again.headers['ETag']).to.equal(headers['ETag']);
      expect((await get(path, { 'if-none-match': '"another"' })).status).to.equal(200);
    }
  });

  const decoders = { br: brotliDecompressSync, gzip: gunzipSync } as const;
  const preferences: readonly (readonly [accepted: string, coding: keyof typeof decoders | undefined])[] = [
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['GZIP;q=1.0, br;q=0.5', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['*', 'br'],
    ['deflate', undefined],
    ['identity, *;q=0', undefined],
    ['br;q=0,gzip;q=0.000', undefined],
    ['nonsense;;;,br;x=1', undefined],
    ['', undefined],
  ];
  for (const [accepted, coding] of preferences) {
    it(`sends files ${coding ?? 'as they are'} to a client that accepts "${accepted}"`, async () => {
      const [script = ''] = assetsOf(await get('/docs')).filter((path) => path.endsWith('/api-reference.js'));
      for (const path of [script, '/openapi.yaml']) {
        const plain = await get(path);
        const answer = await get(path, { 'accept-encoding': accepted });
        expect(answer.headers['Content-Encoding'], path).to.equal(coding);
        expect(answer.headers['Vary']).to.equal('Accept-Encoding');
        expect(answer.headers['Cache-Control']).to.equal(plain.headers['Cache-Control']);
        expect(answer.headers['Content-Type']).to.equal(plain.headers['Content-Type']);
        if (coding === undefined) {
          expect(answer.body).to.equal(plain.body);
        } else {
          const body = answer.body as Uint8Array;
          expect(decoders[coding](body).equals(plain.body as Uint8Array)).to.equal(true);
          expect(body.length).to.be.lessThan((plain.body as Uint8Array).length / 3);
          // Another representation (RFC 9110 §8.8.3): a cache must not take one for the other.
          expect(answer.headers['ETag']).not.to.equal(plain.headers['ETag']);
          const again = { 'accept-encoding': accepted, 'if-none-match': answer.headers['ETag'] };
          expect((await get(path, again)).status).to.equal(304);
        }
      }
    });
  }

  it('compresses a file once, and small files not at all', async () => {
    const ask = () => get('/openapi.yaml', { 'accept-encoding': 'br' });
    expect((await ask()).body).to.equal((await ask()).body);
    const small = await get('/schema.graphql', { 'accept-encoding': 'br' });
    expect(small.headers).not.to.have.property('Content-Encoding');
    expect(small.headers['Vary']).to.equal('Accept-Encoding');
  });

  it('load the contract beside the scripts of the API reference, as the build has compressed it', async () => {
    let read = 0;
    const text = `{"info":"${'long'.repeat(500)}"}`;
    const brotli = Buffer.from('as the build has made it');
    const own = servicePages({
      publicKeys: [],
      contracts: {
        openapiYaml: '',
        openapiJson: () => {
          read += 1;
          return Promise.resolve({ text, brotli });
        },
        schema: '',
      },
      facts: { version: '1' },
    });
    const ask = (path: string, accepted: string) =>
      own.byPath.get(path)?.answer({ method: 'GET', path, headers: { 'accept-encoding': accepted } });
    expect((await ask('/docs', 'br'))?.body).to.include(
      '<link rel="preload" href="openapi.json" as="fetch" crossorigin />',
    );
    const compressed = await ask('/openapi.json', 'gzip, br');
    expect(compressed?.body).to.equal(brotli);
    expect(compressed?.headers['ETag']).to.match(/^"[\w-]+"$/);
    expect(String((await ask('/openapi.json', ''))?.body as Uint8Array)).to.equal(text);
    expect(read).to.equal(1);
  });

  it('lead home from the API reference and GraphiQL, and weigh the links of operation less than those of use', async () => {
    const graphiql = await pages.graphiql.answer({ method: 'GET', path: '/graphql', headers: {} });
    for (const { body } of [await get('/docs'), graphiql])
      expect(body).to.include('<a class="brand" href="./">Concordat</a>');
    const home = (await get('/')).body as string;
    expect(home.match(/class="button"/g)).to.have.length(1);
    expect(home).to.include('<a class="button" href="docs" data-hand-over>');
    const [, footer = ''] = home.split('<footer');
    for (const path of ['healthz', 'readyz', 'metrics']) {
      expect(footer).to.include(`href="read#${path}"`);
      expect(home.split(`href="read#${path}"`)).to.have.length(2);
    }
  });

  it('answers OPTIONS, and refuses methods that would change something', async () => {
    expect(await get('/docs', {}, 'OPTIONS')).to.deep.equal({
      status: 204,
      headers: { Allow: 'GET, HEAD, OPTIONS' },
    });
    const failure: unknown = await get('/docs', {}, 'POST').catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(Problem).with.property('status', 405);
  });

  it('keeps the page that receives a token out of caches and referrers', async () => {
    const { headers } = await get('/auth/success');
    expect(headers).to.include({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
    expect((await get('/console')).headers).to.include({ 'Cache-Control': 'no-store' });
  });

  it('escapes its inputs as text', async () => {
    const { body } = await get('/', { host: 'example.com:80' });
    expect(body)
      .to.include('1.2.3&#60;script&#62;')
      .and.include('&#34;&#38;&#60;b&#62;')
      .and.include('it&#39;s');
    expect(body).to.include('http://example.com:80/api/auth/login');
    expect((await get('/', { host: '"><b>' })).body).to.include('http://localhost/api/auth/login');
  });
});
