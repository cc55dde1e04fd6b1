/** Attacks on the console: texts that clients have stored, pages of other origins, frames, and a tab that someone else finds. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { expect } from 'chai';
import { anonymous } from '../../src/core/services/rights/caller.js';
import { useBrowser } from '../support/browser.js';
import { Console, requireFreshBuild } from '../support/console.js';
import { useService } from '../support/service.js';
import { admin, signIn, signInAsAdmin, signInSettings, signUp } from '../support/sign-in.js';
import { until } from '../support/until.js';

/** Each would set `hacked` if it were ever taken as markup, as a script or as an address. */
const HOSTILE = [
  '<img src=x onerror="globalThis.hacked=1">',
  '"><script>globalThis.hacked=1</script>',
  "javascript:globalThis.hacked=1//'",
  '</textarea></title><svg onload=globalThis.hacked=1>',
  '{{constructor.constructor("globalThis.hacked=1")()}}',
];

describe('the console under attack', function () {
  this.timeout(40_000);
  const service = useService({
    ...signInSettings,
    console: true,
    outbox: true,
    webhookAllow: ['127.0.0.1'],
  });
  const browser = useBrowser();
  before(requireFreshBuild);

  it('shows every text that a client can store as text', async () => {
    const as = await signInAsAdmin(service);
    const webhook = (url: string) => service.post('/api/webhooks', { url }, as);
    let post = '';
    let order = '';
    let user = '';
    for (const [index, text] of HOSTILE.entries()) {
      const account = await signUp(service);
      user = account.id;
      const given = { name: text, email: account.email, phone: text.slice(0, 50), city: text };
      const changed = await service.put(`/api/users/${user}`, given, as);
      expect(changed.status, changed.text).to.equal(200);
      // As much as an address may have.
      const email = `'onerror='hacked=${String(index)}'{{hacked}}@example.com`;
      expect((await service.post('/api/users', { name: text, email })).status).to.equal(201);
      await service.post('/api/keys', { name: text.slice(0, 100) }, as);
      await webhook(`http://127.0.0.1:9/${String(index)}?${encodeURIComponent(text)}#${text}`);
      const items = [{ name: text, unitPrice: 1, quantity: 1 }];
      order = ((await service.post('/api/orders', { userId: user, items })).body as { id: string }).id;
      await service.post('/api/comments', { orderId: order, userId: user, text });
      post = (await service.services.posts.create(anonymous, { title: text, content: text, authorId: user }))
        .id;
    }
    const operator = await Console.open(browser, service.url);
    const { page, complaints } = operator;
    const views = ['users', `users/${user}`, 'keys', 'webhooks', 'webhooks/1', 'orders', `orders/${order}`];
    for (const address of [
      ...views,
      'posts',
      `posts/${post}`,
      'audit',
      '',
      ...HOSTILE.map(encodeURIComponent),
    ]) {
      await operator.visit(address);
      expect(await page.locator('main img, main script, main svg, main iframe').count(), address).to.equal(0);
      const addresses = await page.evaluate<readonly string[]>(
        "[...document.querySelectorAll('main a')].map((link) => link.getAttribute('href'))",
      );
      for (const each of addresses) expect(each).to.match(/^#\//);
    }
    expect(await page.evaluate('globalThis.hacked')).to.equal(undefined);
    // A filter in an address that was sent, and the confirmation of a deletion.
    for (const text of HOSTILE) {
      await page.evaluate(`location.hash = ${JSON.stringify(`#/audit?actor=${encodeURIComponent(text)}`)}`);
      await page.getByText('No entries.').waitFor();
    }
    await page.evaluate(`location.hash = '#/users/${user}'`);
    await operator.click('Delete');
    await page.getByRole('dialog').waitFor();
    expect(await page.evaluate('globalThis.hacked')).to.equal(undefined);
    expect(complaints).to.deep.equal([]);
  });

  it('keeps no token where another page, a later visitor or a cookie could use it', async () => {
    const operator = await Console.open(browser, service.url, 'users');
    const { page } = operator;
    const kept = await page.evaluate<string>(
      `JSON.stringify([location.href, document.cookie, { ...localStorage }, { ...sessionStorage }, document.documentElement.outerHTML])`,
    );
    expect(kept).not.to.match(/eyJ[\w-]+\.[\w-]+\./);
    expect(await page.context().cookies()).to.deep.equal([]);
    expect(
      await page.evaluate<readonly string[]>(
        'Object.keys(globalThis).filter((key) => /token|session$/i.test(key))',
      ),
    ).to.deep.equal([]);
  });

  it('has no ambient credential: what pages of other origins send is refused or anonymous', async () => {
    const { id } = await signUp(service);
    const operator = await Console.open(browser, service.url);
    const page = await operator.page.context().newPage();
    const evil = createServer((_, answer) => {
      answer.setHeader('content-type', 'text/html').end('<body>evil</body>');
    }).listen(0, '127.0.0.1');
    await once(evil, 'listening');
    try {
      const url = `http://127.0.0.1:${String((evil.address() as AddressInfo).port)}`;
      await page.context().unroute(() => true);
      await page.context().unrouteAll();
      await page.goto(url);
      const outcome = await page.evaluate<readonly string[]>(`(async () => {
        const outcomes = [];
        for (const [method, path] of [['DELETE', '/api/users/${id}'], ['POST', '/api/users/${id}/activate'], ['GET', '/api/audit']])
          outcomes.push(await fetch('${service.url}' + path, { method, credentials: 'include' }).then(() => 'read', () => 'refused'));
        return outcomes;
      })()`);
      expect(outcome).to.deep.equal(['refused', 'refused', 'refused']);
      // A form needs no permission to be sent.
      await page.setContent(
        `<form method="post" action="${service.url}/api/users/${id}/activate"><button>Win</button></form>`,
      );
      await page.click('button');
      await page.waitForURL(`${service.url}/**`);
      expect(await page.textContent('body')).to.include('CORS_ORIGINS');
      // Clickjacking.
      await page.goto(url);
      await page.evaluate(`document.body.innerHTML = '<iframe src="${service.url}/console"></iframe>'`);
      await page.waitForTimeout(500);
      expect(await page.frames()[1]?.content()).not.to.include('Concordat');
      // A window that it opens neither tells it anything, nor takes a token from it.
      const [opened] = await Promise.all([
        page.context().waitForEvent('page'),
        page.evaluate(
          `(() => { globalThis.heard = []; addEventListener('message', (event) => heard.push(event.data)); globalThis.tab = open('${service.url}/console'); })()`,
        ),
      ]);
      await opened.getByRole('heading', { name: 'Sign in' }).waitFor();
      await page.evaluate(`globalThis.tab?.postMessage({ token: 'mine' }, '*')`);
      await opened.waitForTimeout(200);
      expect(await opened.getByRole('heading', { name: 'Sign in' }).count()).to.equal(1);
      expect(await page.evaluate('globalThis.heard')).to.deep.equal([]);
      expect((await service.get(`/api/users/${id}`)).status).to.equal(200);
    } finally {
      evil.close();
    }
  });

  it('ends with sign-out: the back button, a reload and the kept page show nothing, and the refresh token is revoked', async () => {
    const operator = await Console.open(browser, service.url, 'users');
    const { page } = operator;
    let refreshToken = '';
    page.on('request', (request) => {
      if (request.url().endsWith('/api/auth/logout'))
        ({ refreshToken } = request.postDataJSON() as { refreshToken: string });
    });
    await operator.row(admin.email).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await operator.heading('Sign in');
    await until('the token is sent to be revoked', () => refreshToken !== '');
    expect((await service.post('/api/auth/refresh', { refreshToken })).status).to.equal(401);
    for (const leave of [() => page.goto(`${service.url}/`), () => page.reload()]) {
      await leave();
      await page.goBack().catch(() => undefined);
      await page.goto(`${service.url}/console#/users`);
      await operator.heading('Sign in');
      expect(await page.content()).not.to.include(admin.email);
    }
  });

  it('forgets the session when the page is left, also where the browser keeps the page', async () => {
    const operator = await Console.open(browser, service.url, 'users');
    const { page } = operator;
    await operator.row(admin.email).waitFor();
    await page.evaluate(`dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))`);
    expect(await page.getByRole('main').innerText()).to.equal('');
    await page.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`);
    await operator.heading('Sign in');
    await page.goto(`${service.url}/`);
    await page.goBack();
    await operator.heading('Sign in');
  });

  it('ends after half an hour without a key or a click, and at once when the account loses its rights', async () => {
    const idle = new Console(await browser.visit(`${service.url}/console#/users`));
    await idle.page.clock.install();
    await idle.page.reload();
    await idle.signIn(admin.email, admin.password);
    await idle.page.clock.fastForward('31:00');
    await idle.heading('Sign in');
    await idle.said('signed out after 30 minutes');
    const account = await signUp(service);
    const other = await Console.open(browser, service.url, 'posts', account);
    await service.delete(`/api/users/${account.id}/sessions`, await signInAsAdmin(service));
    await other.page.getByRole('link', { name: 'Orders' }).click();
    await other.heading('Sign in');
    await other.said('Your session has ended.');
  });

  it('renews an expired access token once for all requests that find it expired', async () => {
    const operator = await Console.open(browser, service.url, 'posts');
    let renewals = 0;
    operator.page.on('request', (request) => {
      if (request.url().endsWith('/api/auth/refresh')) renewals += 1;
    });
    let refused = 0;
    await operator.page.route('**/api/users?*', async (route) => {
      refused += 1;
      if (refused > 1) await route.fallback();
      else await route.fulfill({ status: 401, json: { error: 'Invalid token' } });
    });
    await operator.go('Users');
    await operator.row(admin.email).waitFor();
    expect([renewals, refused]).to.deep.equal([1, 2]);
  });

  it('shows a user only what a user may do, and refuses the rest', async () => {
    const account = await signUp(service);
    const { page, ...operator } = await Console.open(browser, service.url, 'audit', account);
    void operator;
    await page.getByRole('heading', { name: 'There is nothing here for you' }).waitFor();
    const menu = page.getByRole('navigation', { name: 'Console' }).getByRole('link');
    expect(await menu.allInnerTexts()).to.deep.equal([
      'Overview',
      'Users',
      'Orders',
      'Posts',
      `${account.email} (user)`,
    ]);
    await page.getByRole('link', { name: account.email }).click();
    await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor();
    expect(await page.getByRole('main').getByRole('button').allInnerTexts()).to.deep.equal(['End sessions']);
    const other = await signIn(service, account);
    expect(
      (await service.get('/api/audit', { authorization: `Bearer ${other.accessToken}` })).status,
    ).to.equal(403);
  });
});
