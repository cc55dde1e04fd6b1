/** The pages in a browser: they work offline, on a narrow screen, with a keyboard, in light and in dark. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { anonymous } from '../../src/core/services/rights/caller.js';
import { useBrowser } from '../support/browser.js';
import { type ReadText, contrastsOf } from '../support/contrast.js';
import { useService } from '../support/service.js';
import { until } from '../support/until.js';

/** As wide as what stands in it, at least. */
async function widthOf(page: Page): Promise<number> {
  return await page.evaluate<number>('document.documentElement.scrollWidth');
}

const narrow = { viewport: { width: 360, height: 740 } };

describe('pages in a browser', () => {
  const service = useService({ demoData: true });
  const browser = useBrowser();

  /** What shows that a page is there, by its path. */
  const pages: Readonly<Record<string, string>> = {
    '/': 'h1 >> text=Concordat',
    '/auth/success': 'h1 >> text=You are not signed in',
  };
  for (const [path, sign] of Object.entries(pages)) {
    it(`${path} is shown without a complaint, from this machine alone, on 360 pixels`, async () => {
      const { page, complaints } = await browser.visit(service.url + path, narrow);
      await page.waitForSelector(sign);
      expect(await widthOf(page)).to.be.at.most(360);
      expect(complaints).to.deep.equal([]);
    });
  }

  it('/ has its one action and the sign-in above the fold of a phone', async () => {
    const { page } = await browser.visit(service.url, { viewport: { width: 390, height: 844 } });
    for (const sign of ['a.button', 'h2 >> text=Sign in', '#sign-in', 'table']) {
      const box = await page.locator(sign).boundingBox();
      expect((box?.y ?? Infinity) + (box?.height ?? 0), sign).to.be.at.most(844);
    }
    await page.focus('header a >> nth=-1');
    await page.keyboard.press('Tab');
    expect(await page.evaluate<string>('document.activeElement.textContent')).to.equal(
      'Open the API reference',
    );
  });

  it('/graphql names its tab, and its first line ends before the buttons on a phone', async () => {
    const { page } = await browser.visit(`${service.url}/graphql`, { viewport: { width: 390, height: 844 } });
    await page.waitForSelector('.graphiql-execute-button');
    expect(await page.locator('.graphiql-tab-button').first().textContent()).to.equal('Posts');
    const comment = await page.locator('.graphiql-query-editor .cm-comment').first().boundingBox();
    const button = await page.locator('.graphiql-execute-button').boundingBox();
    expect((comment?.x ?? Infinity) + (comment?.width ?? 0)).to.be.below(button?.x ?? 0);
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    it(`are readable in ${colorScheme}`, async () => {
      for (const path of ['/', '/auth/success']) {
        const { page } = await browser.visit(service.url + path, { colorScheme });
        await page.waitForSelector(pages[path] ?? '');
        const texts = await contrastsOf(page);
        expect(texts).to.have.length.greaterThan(3);
        expect(texts.filter(({ ratio }) => ratio < 7)).to.deep.equal([]);
        const ground = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
        expect(ground === 'rgb(255, 255, 255)').to.equal(colorScheme === 'light');
      }
    });
  }

  /** The pages that are others' work, what shows that they are there, and what of them is shown when. */
  const guests: Readonly<Record<string, string>> = {
    '/docs': 'text=First steps',
    '/graphql': '.graphiql-execute-button',
  };
  for (const [path, sign] of Object.entries(guests)) {
    for (const colorScheme of ['light', 'dark'] as const) {
      it(`${path} is readable in ${colorScheme} on 360 pixels`, async () => {
        const { page, complaints } = await browser.visit(service.url + path, { ...narrow, colorScheme });
        await page.waitForSelector(sign, { state: 'attached' });
        if (path === '/graphql') {
          await page.click(sign);
          await page.waitForSelector('.graphiql-response .cm-def');
        }
        let texts: readonly ReadText[] = [];
        await until('most of it is shown', async () => {
          texts = await contrastsOf(page, 'body *');
          return texts.length > (path === '/docs' ? 300 : 40);
        });
        expect(texts.filter(({ ratio }) => ratio < 4.5)).to.deep.equal([]);
        expect(await widthOf(page)).to.be.at.most(360);
        expect(complaints).to.deep.equal([]);
      });
    }
  }

  /** Tabs until it comes to an element, and looks whether the way there can be seen. */
  async function tabTo(page: Page, selector: string, most: number): Promise<void> {
    const isThere = `document.activeElement.matches(${JSON.stringify(selector)})`;
    const focus = `(() => {
      const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
      const isEditor = document.activeElement.closest('.CodeMirror-focused') !== null;
      return isEditor || (outlineStyle === 'solid' && Number.parseFloat(outlineWidth) >= 2)
        ? '' : document.activeElement.outerHTML.slice(0, 200);
    })()`;
    for (let step = 0; step < most; step++) {
      await page.keyboard.press('Tab');
      expect(await page.evaluate<string>(focus)).to.equal('');
      if (await page.evaluate<boolean>(isThere)) return;
    }
    expect.fail(`${selector} is not reached in ${String(most)} steps`);
  }

  it('/graphql is used with a keyboard alone', async () => {
    const { page, complaints } = await browser.visit(`${service.url}/graphql`);
    await page.waitForSelector('.graphiql-execute-button');
    await tabTo(page, '.graphiql-query-editor textarea', 20);
    await page.keyboard.press('Control+A');
    await page.keyboard.type('{ posts { id');
    await page.keyboard.press('Escape'); // the suggestions
    await page.keyboard.press('Control+Enter');
    await page.waitForSelector('.graphiql-response .cm-def');
    // Out of the editor again, and on to the button.
    await tabTo(page, '.graphiql-execute-button', 3);
    await page.keyboard.press('Enter');
    await tabTo(page, '.graphiql-response textarea, .graphiql-response .CodeMirror *', 20);
    expect(complaints).to.deep.equal([]);
  });

  it('/docs sends a request with a keyboard alone', async () => {
    const { page, complaints } = await browser.visit(`${service.url}/docs#tag/products/GET/api/products`);
    await page.getByRole('button', { name: /^Test Request.*get \/api\/products\)/ }).focus();
    await tabTo(page, 'button, a, [tabindex]', 1);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page
      .getByRole('button', { name: /^Send .*get request to .*\/api\/products/i })
      .first()
      .waitFor();
    const arrival = page.waitForResponse((response) => response.url().includes('/api/products'));
    await page.keyboard.press('Control+Enter');
    expect((await arrival).status()).to.equal(200);
    await page.waitForSelector('text=200 OK');
    expect(complaints).to.deep.equal([]);
  });

  it('of ours show where the keyboard is, and let it everywhere', async () => {
    const { page } = await browser.visit(`${service.url}/`);
    const links = await page.locator('a, pre, button:not([hidden]), input').count();
    for (let step = 0; step < links; step++) {
      await page.keyboard.press('Tab');
      const outline = await page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle');
      expect(outline, String(step)).to.equal('solid');
    }
    await page.keyboard.press('Tab');
    expect(await page.evaluate<string>('document.activeElement.tagName')).to.equal('BODY');
  });

  it('/ leads only to what is there', async () => {
    const { page } = await browser.visit(`${service.url}/`);
    const links = await page.evaluate<string[]>(
      "[...document.querySelectorAll('a')].map((each) => each.getAttribute('href'))",
    );
    expect(links).to.include.members(['docs', 'graphql', 'console', 'read#openapi.yaml', 'read#healthz']);
    for (const link of links) {
      const headers = { accept: 'text/html,*/*;q=0.8' };
      const answer = await fetch(new URL(link.replace('read#', ''), `${service.url}/`), { headers });
      expect(answer.status, link).to.equal(200);
      await answer.arrayBuffer();
    }
    expect(await page.textContent('table')).to.include('ada@example.com');
  });

  it('/auth/success takes the token out of the address, and says who is signed in', async () => {
    const credentials = { email: 'ada@example.com', password: 'concordat-demo' };
    const { body } = await service.post('/api/auth/login?tokens=single', credentials);
    const { token } = body as { readonly token: string };
    const { page, complaints } = await browser.visit(`${service.url}/auth/success?token=${token}`, narrow);
    await page.waitForSelector('h1 >> text=You are signed in');
    expect(page.url()).to.equal(`${service.url}/auth/success`);
    expect(await page.textContent('#email')).to.equal('ada@example.com');
    expect(await page.content()).not.to.include(token);
    expect(await page.evaluate<number>('history.length')).to.be.at.most(2);
    expect(complaints).to.deep.equal([]);
    await page.goto(`${service.url}/auth/success?token=nonsense`);
    await page.waitForSelector('text=The token is not valid');
    expect(page.url()).to.equal(`${service.url}/auth/success`);
  });

  it('/auth/success says how long the token itself is valid', async () => {
    const iat = Date.UTC(2026, 0, 2, 3) / 1000;
    const tokenOf = (claims: object): string =>
      ['{}', JSON.stringify({ name: '🔑?ü', ...claims }), 's']
        .map((part) => Buffer.from(part).toString('base64url'))
        .join('.');
    const options = { locale: 'en-GB', timezoneId: 'UTC' };
    const { page } = await browser.visit(`${service.url}/auth/success`, options);
    // Any token counts.
    const json = { id: '1', name: 'A', email: 'a', role: 'user' };
    await page.route('**/api/profile', (route) => route.fulfill({ json }));
    for (const [token, says] of [
      [tokenOf({ iat, exp: iat + 86_400 }), 'Your token is valid for 24 hours, until 03/01/2026, 03:00:00.'],
      [tokenOf({ iat, exp: iat + 3600 }), 'Your token is valid for 1 hour, until 02/01/2026, 04:00:00.'],
      [
        tokenOf({ iat: iat + 0.25, exp: iat + 900 }),
        'Your token is valid for 15 minutes, until 02/01/2026, 03:15:00.',
      ],
      [tokenOf({ exp: iat }), 'Your token is valid until 02/01/2026, 03:00:00.'],
      [tokenOf({ iat }), 'This is your token.'],
      ['opaque', 'This is your token.'],
    ] as const) {
      await page.goto(`${service.url}/auth/success?token=${token}`);
      await page.waitForSelector('h1 >> text=You are signed in');
      expect(await page.textContent('#lifetime')).to.equal(says);
    }
  });

  it('/docs sends a request, shows the answer, and fits 360 pixels', async () => {
    const { page, complaints } = await browser.visit(`${service.url}/docs#tag/products/GET/api/products`);
    await page.getByRole('button', { name: /^Test Request.*get \/api\/products\)/ }).click();
    const arrival = page.waitForResponse((response) => response.url().includes('/api/products'));
    await page
      .getByRole('button', { name: /^Send .*get request to .*\/api\/products/i })
      .first()
      .click();
    const answer = await arrival;
    expect(answer.url()).to.equal(`${service.url}/api/products`);
    expect(answer.status()).to.equal(200);
    await page.waitForSelector('text=200 OK');
    await page.setViewportSize(narrow.viewport);
    expect(await widthOf(page)).to.be.at.most(360);
    expect(complaints).to.deep.equal([]);
  });

  it('/graphql runs a query, and shows its answer below it where there is little room', async () => {
    const { page, complaints } = await browser.visit(`${service.url}/graphql`, narrow);
    const [post] = await service.services.posts.listAll(anonymous);
    await page.click('.graphiql-execute-button');
    await page.waitForSelector(`.graphiql-response >> text=${post?.title ?? ''}`);
    const query = await page.locator('.graphiql-editors').boundingBox();
    const answer = await page.locator('.graphiql-response').boundingBox();
    expect(answer?.width).to.be.greaterThan(250);
    expect(await widthOf(page)).to.be.at.most(360);
    expect(answer?.y).to.be.at.least((query?.y ?? 0) + (query?.height ?? 0));
    expect(complaints).to.deep.equal([]);
  });

  it('/graphql shows posts as they are made', async () => {
    const { page, complaints } = await browser.visit(`${service.url}/graphql`);
    await page.waitForSelector('.graphiql-query-editor .CodeMirror');
    const editor = "document.querySelector('.graphiql-query-editor .CodeMirror').CodeMirror";
    await page.evaluate(`${editor}.setValue('subscription{postAdded{title}}')`);
    await page.click('.graphiql-execute-button');
    const author = (await service.services.posts.listAll(anonymous))[0]?.authorId ?? '';
    const news = page.waitForSelector('.graphiql-response >> text=Fresh from the press');
    // Again and again: nothing in the page says from when on it is subscribed.
    const add = setInterval(() => {
      void service.services.posts.create(anonymous, {
        title: 'Fresh from the press',
        content: 'It is.',
        authorId: author,
      });
    }, 200);
    await news.finally(() => {
      clearInterval(add);
    });
    expect(complaints).to.deep.equal([]);
  });
});
