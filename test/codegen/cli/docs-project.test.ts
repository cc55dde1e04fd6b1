/** The pages that `concordat docs --serve` has of a project, in a browser: its API reference and GraphiQL with a mock, and its reports. */

import { mkdtemp, rm, mkdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runProgram } from '../../../src/codegen/cli/program.js';
import { useBrowser } from '../../support/browser.js';
import { runInProcess } from '../../support/run-program.js';

const NOTES = `openapi: 3.1.0
info: { title: Notes, version: '1' }
servers: [{ url: https://example.com/v1 }]
paths:
  /notes:
    get:
      operationId: listNotes
      summary: Lists the notes
      responses: { '200': { description: All., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Note' } } } } } }
    post:
      operationId: addNote
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/NewNote' } } } }
      responses: { '201': { description: Added., content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } } } }
components:
  schemas:
    NewNote: { type: object, required: [text], properties: { text: { type: string } } }
    Note: { type: object, required: [id, text], properties: { id: { type: string }, text: { type: string } } }
`;

describe('concordat docs --serve, of a project', function () {
  this.timeout(60_000);
  const browser = useBrowser();
  const home = process.cwd();
  let directory = '';

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'concordat-docs-'));
    process.chdir(directory);
    await mkdir('reports');
    await writeFile('openapi.yaml', NOTES);
    await writeFile(
      'schema.graphql',
      'type Query { notes: [Note!]! }\ntype Note { id: ID! text: String! }\n',
    );
    const { stdout } = await runInProcess(runProgram, ['mock', '--explain', '--format', 'html']);
    await writeFile('reports/records of & notes.html', stdout);
    await writeFile('secret.html', 'secret');
  });
  after(async () => {
    process.chdir(home);
    await rm(directory, { recursive: true });
  });

  const served = async (use: (url: string) => Promise<void>): Promise<void> => {
    const { exitCode, stderr } = await runInProcess(
      runProgram,
      ['docs', '--serve', '--port', '0'],
      {},
      '',
      (out) => use(/http:\S+/.exec(out.text)?.[0] ?? ''),
    );
    expect([exitCode, stderr]).to.deep.equal([0, '']);
  };

  it('has the API reference, whose requests a mock answers that remembers', async () => {
    await served(async (url) => {
      const { page, complaints } = await browser.visit(url);
      await page.getByRole('link', { name: 'API reference' }).click();
      await page.getByRole('heading', { name: 'Lists the notes' }).first().waitFor();
      expect(await page.getByText('/api/project/v1').first().isVisible()).to.equal(true);
      const created = await page.evaluate<number>(
        `fetch('v1/notes', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"text":"Read me"}' }).then((answer) => answer.status)`,
      );
      expect(created).to.equal(201);
      await page.getByRole('link', { name: 'GraphiQL' }).click();
      await page.locator('.graphiql-query-editor .CodeMirror').click();
      await page.keyboard.press('Control+A');
      await page.keyboard.insertText('{ notes { text } }');
      await page.keyboard.press('Control+Enter');
      await page.locator('.result-window', { hasText: 'Read me' }).waitFor();
      expect(complaints).to.deep.equal([]);
    });
  });

  it('has the reports, each with an origin of its own, and no other file', async () => {
    await served(async (url) => {
      const { page, complaints } = await browser.visit(`${url}/`);
      await page.getByRole('link', { name: 'Reports' }).click();
      await page.getByRole('link', { name: 'records of & notes.html' }).click();
      await page.getByLabel('Kind').selectOption('create');
      expect(await page.getByRole('status').innerText()).to.match(/^1 of/);
      expect(await page.evaluate('origin')).to.equal('null');
      expect(complaints).to.deep.equal([]);
      for (const path of [
        '/reports/secret.html',
        '/reports/..%2Fsecret.html',
        '/api/project/assets/..%2Fx.js',
      ])
        expect((await fetch(url + path)).status, path).to.equal(404);
    });
  });

  it('answers no page of another origin, and no other name of this machine', async () => {
    await served(async (url) => {
      const foreign = await fetch(`${url}/api/project/v1/notes`, {
        headers: { Origin: 'https://evil.example' },
      });
      expect(foreign.status).to.equal(403);
      const status = await new Promise((resolve, reject) => {
        request(`${url}/api/project/openapi.json`, { headers: { Host: 'evil.example' } }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        })
          .on('error', reject)
          .end();
      });
      expect(status).to.equal(421);
    });
  });

  it('says on the page what is wrong with a contract, and serves the others', async () => {
    await writeFile('openapi.yaml', 'openapi: 3.1.0\n');
    await served(async (url) => {
      const broken = await fetch(`${url}/api/project/reference`);
      expect(broken.status).to.equal(500);
      expect(await broken.text()).to.include('openapi.yaml');
      expect((await fetch(`${url}/reports/`)).status).to.equal(200);
      await writeFile('openapi.yaml', NOTES);
      expect((await fetch(`${url}/api/project/reference`)).status, 'after it was mended').to.equal(200);
    });
  });
});
