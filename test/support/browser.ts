/** One headless Chromium for all page suites, which records the problems of its pages. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContextOptions, type Page, chromium } from 'playwright-core';

/** Debian's Chromium or another; undefined when the PATH has none. */
const executablePath = ['chromium', 'chromium-browser', 'google-chrome']
  .flatMap((name) => (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, name)))
  .find((path) => existsSync(path));

/** An opened page, and all its problems. */
export interface Visit {
  readonly page: Page;
  /** Console errors and warnings, uncaught errors, and requests to other origins. */
  readonly complaints: string[];
}

export class TestBrowser {
  #browser: Browser | undefined;

  /** Opens an address in a new window. Requests to any other origin are recorded and blocked. */
  async visit(url: string, options: BrowserContextOptions = {}): Promise<Visit> {
    if (this.#browser === undefined) throw new Error('the browser is not started');
    const context = await this.#browser.newContext(options);
    context.setDefaultTimeout(60_000);
    const page = await context.newPage();
    const complaints: string[] = [];
    const { origin } = new URL(url);
    await context.route(
      (address) => address.origin !== origin,
      async (route) => {
        complaints.push(`asks for ${route.request().url()}`);
        await route.abort();
      },
    );
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
    await page.goto(url);
    return { page, complaints };
  }

  async start(path: string): Promise<void> {
    this.#browser = await chromium.launch({ executablePath: path, args: ['--no-sandbox'] });
  }

  async closePages(): Promise<void> {
    await Promise.all(this.#browser?.contexts().map((context) => context.close()) ?? []);
  }

  async stop(): Promise<void> {
    await this.#browser?.close();
  }
}

/** A browser for the calling suite; without one, the suite is skipped and the reason is printed. */
export function useBrowser(): TestBrowser {
  const browser = new TestBrowser();
  before(async function () {
    if (executablePath === undefined) {
      console.log('      skipped: no chromium on the PATH (Debian: apt-get install chromium)');
      this.skip();
    }
    await browser.start(executablePath);
  });
  afterEach(() => browser.closePages());
  after(() => browser.stop());
  return browser;
}
