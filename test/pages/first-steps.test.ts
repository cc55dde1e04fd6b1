/** What a new user does on the first page, the API reference and GraphiQL: signs in, copies commands, and reads. */
import { expect } from 'chai';
import { useBrowser } from '../support/browser.js';
import { useService } from '../support/service.js';

describe('first steps in a browser', function () {
  this.timeout(60_000);
  const service = useService({ demoData: true, console: true });
  const browser = useBrowser();
  const phone = { viewport: { width: 390, height: 844 } };

  it('the first page signs in, says who that is, and hands the token to the pages that are opened from it', async () => {
    const { page, complaints } = await browser.visit(service.url);
    await page.getByLabel('Email').fill('grace@example.com');
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Invalid credentials').waitFor();
    complaints.splice(0); // the browser reports a 401
    await page.getByLabel('Password').fill('concordat-demo');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Signed in as grace@example.com').waitFor();
    const opened = async (name: string) => {
      const coming = page.context().waitForEvent('page');
      await page.getByRole('main').getByRole('link', { name }).first().click();
      return await coming;
    };
    const console = await opened('Open the console');
    await console.getByText('grace@example.com (user)').waitFor();
    const graphiql = await opened('Query with GraphiQL');
    await graphiql.getByRole('button', { name: 'Headers' }).click();
    await graphiql.locator('.graphiql-editor-tools ~ *').getByText('"Authorization"').first().waitFor();
    const docs = await opened('Open the API reference');
    await docs.getByText('Signed in').waitFor({ state: 'attached' });
    expect(complaints).to.deep.equal([]);
  });

  it('the end of an external sign-in hands its token to the console, which it opens', async () => {
    const credentials = { email: 'ada@example.com', password: 'concordat-demo' };
    const { body } = await service.post('/api/auth/login?tokens=single', credentials);
    const { token } = body as { readonly token: string };
    const { page, complaints } = await browser.visit(`${service.url}/auth/success?token=${token}`);
    await page.getByRole('heading', { name: 'You are signed in' }).waitFor();
    const coming = page.context().waitForEvent('page');
    await page.getByRole('link', { name: 'console', exact: true }).click();
    const console = await coming;
    await console.getByText('ada@example.com (admin)').waitFor();
    expect(console.url()).not.to.include('token');
    expect(complaints).to.deep.equal([]);
  });

  it('commands are never cut off, and are copied whole', async () => {
    const { page } = await browser.visit(service.url, {
      ...phone,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const isCut = "[...document.querySelectorAll('pre')].some((each) => each.scrollWidth > each.clientWidth)";
    expect(await page.evaluate(isCut)).to.equal(false);
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).to.match(/^curl http:\/\/127\.0\.0\.1:\d+\/api\/auth\/login --json '\{"email":"ada@/);
  });

  it('links to texts for programs open a page for people, which reads this service only', async () => {
    const { page, complaints } = await browser.visit(service.url);
    await page.getByRole('link', { name: 'products' }).click();
    await page.getByText('"Garden shears"').waitFor();
    await page.getByRole('link', { name: '"/api/products/1/categories"' }).click();
    await page.getByRole('heading', { name: '/api/products/1/categories' }).waitFor();
    await page.goto(`${service.url}/read#openapi.yaml`);
    await page.getByText('openapi: 3.1.0').waitFor();
    for (const path of [
      'https://example.com/',
      '//example.com/x',
      '\\\\example.com',
      'javascript:alert(1)',
    ]) {
      await page.goto(`${service.url}/read#${path}`);
      await page.getByText(/This is no address|Not found/).waitFor();
      const raw = new URL((await page.getAttribute('#raw', 'href')) ?? '', service.url);
      expect(raw.origin).to.equal(service.url);
    }
    expect(complaints.filter((each) => !each.includes('404'))).to.deep.equal([]);
  });

  it('the first page and the API reference show the same version of the contract', async () => {
    const { page } = await browser.visit(service.url);
    const [, version = ''] = /Contract (\S+)/.exec(await page.innerText('footer')) ?? [];
    await page.goto(`${service.url}/docs`);
    await page.getByText(`v${version}`).first().waitFor();
  });

  it('/docs says that it loads, signs in with the demo sign-in, and then sends the token', async () => {
    const { page, complaints } = await browser.visit(`${service.url}/`);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/api-reference.js', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${service.url}/docs#tag/authentication/GET/api/profile`, { waitUntil: 'commit' });
    await page.getByText('Loading the API reference…').waitFor();
    release();
    await page.getByText('Loading the API reference…').waitFor({ state: 'detached' });
    await page.locator('header summary').click();
    await page.getByRole('button', { name: 'Use the demo sign-in' }).click();
    await page.getByText('Signed in as ada@example.com').waitFor();
    await page.locator('header summary').click();
    await page.getByRole('button', { name: /^Test Request.*get \/api\/profile\)/ }).click();
    const arrival = page.waitForResponse((response) => response.url().includes('/api/profile'));
    await page
      .getByRole('button', { name: /^Send .*get request to .*\/api\/profile/i })
      .first()
      .click();
    expect((await arrival).status()).to.equal(200);
    expect(complaints).to.deep.equal([]);
  });

  it('GraphiQL has no empty half on a phone, and the token is in its headers after a sign-in', async () => {
    const { page, complaints } = await browser.visit(`${service.url}/graphql`, phone);
    await page.waitForSelector('.graphiql-execute-button');
    expect(await page.locator('.graphiql-response').isVisible()).to.equal(false);
    expect((await page.locator('.graphiql-editors').boundingBox())?.height).to.be.greaterThan(600);
    await page.locator('header summary').click();
    await page.getByText('Your token goes into Headers').waitFor();
    await page.getByRole('button', { name: 'Use the demo sign-in' }).click();
    await page.getByText('Signed in as').waitFor();
    await page.locator('header summary').click();
    await page.evaluate(
      "document.querySelector('.graphiql-query-editor .CodeMirror').CodeMirror.setValue('{ me { email } }')",
    );
    await page.click('.graphiql-execute-button');
    await page.waitForSelector('.graphiql-response >> text=ada@example.com');
    expect(complaints).to.deep.equal([]);
  });
});
