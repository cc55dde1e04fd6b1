/** The console and the pages beside it, for people who see little, use no mouse, or have a small screen. */
import { expect } from 'chai';
import { findings } from '../support/axe.js';
import { useBrowser } from '../support/browser.js';
import { Console, requireFreshBuild } from '../support/console.js';
import { contrastsOf } from '../support/contrast.js';
import { useService } from '../support/service.js';
import { signIn, signInAsAdmin, signInSettings, signUp } from '../support/sign-in.js';

const views = [
  '',
  'users',
  'users/1',
  'keys',
  'webhooks',
  'webhooks/1',
  'orders',
  'orders/1',
  'posts',
  'audit',
];

describe('pages for everyone', function () {
  this.timeout(60_000);
  const service = useService({
    ...signInSettings,
    demoData: true,
    console: true,
    outbox: true,
    webhookAllow: ['127.0.0.1'],
  });
  const browser = useBrowser();
  before(requireFreshBuild);
  before(async () => {
    const as = await signInAsAdmin(service);
    await service.post('/api/keys', { name: 'Warehouse' }, as);
    await service.post('/api/webhooks', { url: `http://127.0.0.1:9/${'long'.repeat(60)}` }, as);
    await signIn(service, await signUp(service));
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1280, 390]) {
      it(`axe finds nothing in the console in ${colorScheme} on ${String(width)} pixels, and all of it fits`, async () => {
        const options = { colorScheme, viewport: { width, height: 844 } };
        const start = await browser.visit(`${service.url}/console`, options);
        await start.page.getByRole('heading', { name: 'Sign in' }).waitFor();
        expect(await findings(start.page)).to.deep.equal([]);
        const operator = await Console.open(browser, service.url, 'users/2', undefined, options);
        const { page, complaints } = operator;
        for (const view of views) {
          await operator.visit(view);
          expect(await findings(page), view).to.deep.equal([]);
          expect(
            (await contrastsOf(page)).filter(({ ratio }) => ratio < 7),
            view,
          ).to.deep.equal([]);
          expect(await page.evaluate('document.documentElement.scrollWidth'), view).to.be.at.most(width);
        }
        await operator.visit('users/1');
        await page.getByRole('main').getByRole('button', { name: 'Delete' }).click();
        await page.getByRole('dialog').waitFor();
        expect(await findings(page)).to.deep.equal([]);
        expect(complaints).to.deep.equal([]);
      });
    }
  }

  for (const path of ['/', '/read#api/products', '/auth/success'])
    it(`axe finds nothing in ${path}`, async () => {
      for (const width of [1280, 390]) {
        const { page } = await browser.visit(service.url + path, { viewport: { width, height: 844 } });
        await page.getByRole('heading', { level: 1 }).waitFor();
        expect(await findings(page)).to.deep.equal([]);
      }
    });

  it('an operator needs no mouse: signs in, finds a user, opens a dialog and leaves it', async () => {
    const { page } = await browser.visit(`${service.url}/console#/users`);
    await page.getByLabel('Email').focus();
    await page.keyboard.type('ada@example.com');
    await page.keyboard.press('Tab');
    await page.keyboard.type('concordat-demo');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Users' }).waitFor();
    const focused = () =>
      page.evaluate<string>('document.activeElement.textContent.trim() || document.activeElement.name');
    const tabTo = async (text: string): Promise<void> => {
      for (let step = 0; step < 40; step++) {
        await page.keyboard.press('Tab');
        expect(
          await page.evaluate(`getComputedStyle(document.activeElement).outlineStyle`),
          await focused(),
        ).to.equal('solid');
        if ((await focused()) === text) return;
      }
      expect.fail(`${text} is not reached`);
    };
    await page.waitForSelector('main:not([aria-busy]) h1:focus');
    await tabTo('email');
    await page.keyboard.type('grace@example.com');
    await page.keyboard.press('Enter');
    await page.getByText('1 in all').waitFor();
    await page.waitForSelector('main:not([aria-busy]) h1:focus');
    await tabTo('Grace Hopper');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Grace Hopper' }).waitFor();
    await page.waitForSelector('main:not([aria-busy]) h1:focus');
    await tabTo('Delete');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await focused()).to.equal('Delete');
  });

  it('the console is small, comes from this machine, and is painted soon', async () => {
    const { page } = await browser.visit(`${service.url}/`);
    await page.goto('about:blank');
    const bytes: number[] = [];
    page.on('response', (response) => {
      void response
        .request()
        .sizes()
        .then(({ responseBodySize }) => bytes.push(responseBodySize));
    });
    await page.goto(`${service.url}/console`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(bytes.length).to.be.greaterThan(4);
    expect(bytes.reduce((sum, each) => sum + each, 0)).to.be.below(60 * 1024);
  });
});
