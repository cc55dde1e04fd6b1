/** The console in a browser, as an operator uses it: by the names of what is on the page. */
import { readFile, unlink } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import type { TestBrowser, Visit } from './browser.js';
import { admin } from './sign-in.js';

const built = fileURLToPath(new URL('../../src/service/dist/assets/console.js', import.meta.url));

/** Fails where the build is older than its sources: the tests would judge another console. */
export async function requireFreshBuild(): Promise<void> {
  const fresh = `${built}.${String(process.pid)}`;
  const assets = new URL('../../.ci/page-assets.js', import.meta.url).href;
  const { bundleConsole } = (await import(assets)) as { bundleConsole: (file: string) => Promise<unknown> };
  await bundleConsole(fresh);
  const [now, then] = await Promise.all([readFile(fresh, 'utf8'), readFile(built, 'utf8')]);
  await unlink(fresh);
  expect(now === then, 'src/service/dist has another console: npm run build').to.equal(true);
}

export class Console {
  readonly page: Page;
  readonly complaints: string[];

  constructor({ page, complaints }: Visit) {
    [this.page, this.complaints] = [page, complaints];
  }

  /** Opens a view, and signs in there. @param address - after `#/` */
  static async open(
    browser: TestBrowser,
    url: string,
    address = '',
    { email, password }: { readonly email: string; readonly password: string } = admin,
    options: Parameters<TestBrowser['visit']>[1] = {},
  ): Promise<Console> {
    const opened = new Console(await browser.visit(`${url}/console#/${address}`, options));
    await opened.signIn(email, password);
    return opened;
  }

  async signIn(email: string, password: string): Promise<void> {
    await this.page.getByLabel('Email').fill(email);
    await this.page.getByLabel('Password').fill(password);
    await this.page.getByRole('main').getByRole('button', { name: 'Sign in' }).click();
    await this.page.getByRole('button', { name: 'Sign out' }).waitFor();
  }

  /** Follows a link of the menu, and waits for the view. */
  async go(name: string): Promise<void> {
    await this.page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name }).click();
    await this.heading(name);
  }

  /** Goes to a view by its address, and waits until it is shown. */
  async visit(address: string): Promise<void> {
    await this.page.evaluate(`new Promise((done) => {
      addEventListener('hashchange', () => setTimeout(done), { once: true });
      location.hash = ${JSON.stringify(`#/${address}`)};
    })`);
    await this.page.waitForSelector('main:not([aria-busy]) h1:focus');
  }

  heading(name: string | RegExp): Promise<void> {
    return this.page.getByRole('heading', { level: 1, name }).waitFor();
  }

  click(name: string, within: Page | Locator = this.page.getByRole('main')): Promise<void> {
    return within.getByRole('button', { name, exact: true }).click();
  }

  /** Clicks in a dialog. @param typed - what is typed before */
  async confirm(name: string, typed?: string): Promise<void> {
    const dialog = this.page.getByRole('dialog');
    if (typed !== undefined) await dialog.getByRole('textbox').fill(typed);
    await this.click(name, dialog);
  }

  /** Waits for the sentence that says what was done. */
  said(text: string | RegExp): Promise<void> {
    return this.page.getByRole('status').filter({ hasText: text }).first().waitFor();
  }

  row(text: string | RegExp): Locator {
    return this.page.getByRole('row').filter({ hasText: text });
  }
}
