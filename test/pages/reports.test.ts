/** The reports as pages, which each command writes: readable by everyone, and harmless whatever contracts and servers say. */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { urlOf } from '@concordat/runtime/terminal';
import { runProgram } from '../../src/codegen/cli/program.js';
import { findings } from '../support/axe.js';
import { useBrowser } from '../support/browser.js';
import { contrastsOf } from '../support/contrast.js';
import { runInProcess } from '../support/run-program.js';

const HOSTILE = `</script></style><img src=x onerror=alert(1)>"'`;

const shop = (most: number): string =>
  JSON.stringify(
    {
      openapi: '3.1.0',
      info: { title: 'Shop', version: '1.0.0' },
      paths: {
        '/orders': {
          get: {
            operationId: 'listOrders',
            tags: [HOSTILE, 'orders'],
            parameters: [{ name: HOSTILE, in: 'query', schema: { type: 'integer', maximum: most } }],
            responses: { 200: { $ref: '#/components/responses/Orders' } },
          },
          post: {
            operationId: 'addOrder',
            tags: ['orders'],
            requestBody: {
              required: true,
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } },
            },
            responses: { 201: { $ref: '#/components/responses/Orders' } },
          },
          ...(most > 50 && {
            delete: { operationId: 'drop', tags: ['admin'], responses: { 204: { description: 'None' } } },
          }),
        },
        '/orders/{id}': {
          get: {
            operationId: 'getOrder',
            parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
            responses: {
              200: {
                description: 'One',
                content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } },
              },
            },
          },
        },
      },
      components: {
        responses: {
          Orders: {
            description: 'All',
            content: {
              'application/json': {
                schema: { type: 'array', items: { $ref: '#/components/schemas/Order' } },
              },
            },
          },
        },
        schemas: {
          Order: {
            type: 'object',
            required: ['id', HOSTILE],
            properties: { id: { type: 'string' }, [HOSTILE]: { type: 'string', maxLength: most } },
          },
        },
      },
    },
    undefined,
    1,
  );

describe('reports as pages', function () {
  this.timeout(60_000);
  const browser = useBrowser();
  const home = process.cwd();
  let directory = '';
  const server = createServer((_request, response) => {
    response
      .writeHead(200, { 'Content-Type': 'application/json' })
      .end(JSON.stringify([{ id: 1, x: HOSTILE }]));
  });

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'concordat-reports-'));
    process.chdir(directory);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    await writeFile('old.json', shop(100));
    await writeFile('openapi.json', shop(50));
    const entry = {
      request: { method: 'GET', url: `${urlOf(server)}/orders`, headers: [] },
      response: {
        status: 200,
        headers: [],
        content: { mimeType: 'application/json', text: JSON.stringify([{ id: HOSTILE }]) },
      },
    };
    await writeFile('day.har', JSON.stringify({ log: { entries: [entry] } }));
    const document = ['--openapi', 'openapi.json'];
    const commands: Readonly<Record<string, readonly string[]>> = {
      proxy: [urlOf(server), ...document, '--from', 'day.har', '--usage', 'usage'],
      diff: ['old.json', 'openapi.json'],
      verify: [urlOf(server), ...document, '--seed', '1', '--requests', '60'],
      coverage: ['usage', ...document, '--min', 'operations=100'],
      mock: ['openapi.json', '--explain'],
    };
    for (const [command, parameters] of Object.entries(commands)) {
      const { exitCode, stdout, stderr } = await runInProcess(runProgram, [
        command,
        ...parameters,
        '--format',
        'html',
      ]);
      expect(exitCode, stderr).to.equal(command === 'mock' ? 0 : 1);
      await writeFile(`${command}.html`, stdout);
    }
  });
  after(async () => {
    process.chdir(home);
    server.close();
    await rm(directory, { recursive: true });
  });

  const visit = (command: string, options = {}) =>
    browser.visit(pathToFileURL(join(directory, `${command}.html`)).href, options);

  for (const command of ['proxy', 'diff', 'verify', 'coverage', 'mock']) {
    it(`${command}: axe finds nothing, all of it fits and is readable, and nothing is loaded or runs`, async () => {
      const { page, complaints } = await visit(command);
      await page.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))");
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        for (const width of [1280, 390]) {
          await page.setViewportSize({ width, height: 844 });
          expect(await findings(page)).to.deep.equal([]);
          expect(await page.evaluate('document.documentElement.scrollWidth')).to.be.at.most(width);
        }
        expect((await contrastsOf(page)).filter(({ ratio }) => ratio < 7)).to.deep.equal([]);
      }
      expect(await page.locator('img, script:not(body > script)').count()).to.equal(0);
      expect(complaints).to.deep.equal([]);
    });
  }

  it('shows the proof of a break, and the lines around it in both versions', async () => {
    const { page } = await visit('diff');
    const row = page.locator('.row', { hasText: 'operation is removed' });
    await row.locator('summary').click();
    const figures = await row.locator('figure').allInnerTexts();
    expect(figures[0]).to.match(/^Proof for clients\nthe old version takes\n {2}DELETE \/orders\n/);
    expect(figures[1]).to.match(/^old\.json:\d+\n[^]*"delete": \{/);
    expect(await row.locator('mark').first().innerText()).to.include('"delete"');
    expect(figures[2]).to.match(/^openapi\.json:\d+\n/);
  });

  it('filters by kind, by tag and by words, also those of a hostile contract', async () => {
    const { page } = await visit('diff');
    const shown = () => page.locator('[data-kind]:visible').count();
    const status = page.getByRole('status');
    const all = await shown();
    await page.getByLabel('Kind').selectOption('operation-removed');
    expect(await shown()).to.equal(1);
    expect(await status.innerText()).to.equal(`1 of ${String(all)} rows`);
    await page.getByLabel('Kind').selectOption('');
    await page.getByLabel('Tag').selectOption('admin');
    expect(await shown()).to.equal(1);
    await page.getByLabel('Tag').selectOption(HOSTILE);
    expect(await shown()).to.be.within(1, all - 1);
    await page.getByLabel('Tag').selectOption('');
    await page.getByLabel('With the words').fill('maximum 50');
    expect(await shown()).to.equal(1);
    await page.getByLabel('With the words').fill('nothing like it');
    expect(await shown()).to.equal(0);
    expect(await page.locator('.group:visible').count()).to.equal(0);
  });

  it('unfolds everything on paper, and needs no script', async () => {
    const { page } = await visit('verify');
    await page.evaluate("dispatchEvent(new Event('beforeprint'))");
    expect(await page.locator('details:not([open])').count()).to.equal(0);
    const plain = await visit('verify', { javaScriptEnabled: false });
    expect(await plain.page.locator('form').isVisible()).to.equal(false);
    const row = plain.page.locator('.row').first();
    await row.locator('summary').click();
    expect(await row.locator('figure').first().innerText()).to.match(/^Request.*\ncurl /);
  });

  it('has what the other formats have', async () => {
    const page = await readFile('verify.html', 'utf8');
    const { stdout } = await runInProcess(runProgram, [
      ...['verify', urlOf(server), '--openapi', 'openapi.json', '--seed', '1', '--requests', '60', '--json'],
    ]);
    const { violations } = JSON.parse(stdout) as {
      readonly violations: readonly { readonly rule: string }[];
    };
    expect(page.match(/class="row"/g)).to.have.length(violations.length);
    const coverage = await readFile('coverage.html', 'utf8');
    expect(coverage).to.match(/operations<\/th>\s*<td class="number">1 of 3<\/td>\s*<td class="number">33 %/);
  });
});
