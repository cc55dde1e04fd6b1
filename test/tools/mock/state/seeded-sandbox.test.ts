/** The records of `concordat mock --state`: given by a file, made, saved, replaced and reset. */

import { request } from 'node:http';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runProgram } from '../../../../src/codegen/cli/program.js';
import { runInProcess } from '../../../support/run-program.js';
import { whileMocking } from '../mock-server.js';
import { LIBRARY, LIBRARY_SCHEMA } from './library.js';

type Records = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

const SEED = {
  authors: [{ id: '7', name: 'Ada' }, { name: 'Bo' }],
  books: [{ title: 'A', status: 'draft', authorId: '7' }],
};

describe('the records of a sandbox', () => {
  let directory = '';
  const at = (name: string): string => join(directory, name);
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'concordat-seed-'));
    await writeFile(at('openapi.json'), JSON.stringify(LIBRARY));
    await writeFile(at('schema.graphql'), LIBRARY_SCHEMA);
    await writeFile(at('seed.json'), JSON.stringify(SEED));
  });
  after(() => rm(directory, { recursive: true }));

  const serving = (options: readonly string[], ask: (url: string) => Promise<void>): Promise<void> =>
    whileMocking([at('openapi.json'), at('schema.graphql'), '--state', ...options], ask);
  const state = async (url: string): Promise<Records> =>
    (await fetch(`${url}/__sandbox/state`)).json() as Promise<Records>;
  const send = async (method: string, url: string, value?: unknown): Promise<[number, string]> => {
    const headers = { 'content-type': 'application/json' };
    const body =
      value === undefined ? {} : { body: typeof value === 'string' ? value : JSON.stringify(value) };
    const answer = await fetch(url, { method, headers, ...body });
    return [answer.status, await answer.text()];
  };

  it('are those of a file, with what it leaves out', () =>
    serving(['--seed', at('seed.json')], async (url) => {
      expect(JSON.parse((await send('GET', `${url}/authors/7`))[1])).to.deep.equal({ id: '7', name: 'Ada' });
      const { authors = [], books = [] } = await state(url);
      expect(authors.map(({ id, name }) => [id, name])).to.deep.equal([
        ['7', 'Ada'],
        [authors[1]?.['id'], 'Bo'],
      ]);
      expect(books).to.have.length(1);
      const query = encodeURIComponent('{ bookByTitle(title: "A") { author { name } } }');
      expect((await send('GET', `${url}/graphql?query=${query}`))[1]).to.include('"author":{"name":"Ada"}');
    }));

  it('are made by number, refer to each other, and are the same in every run, as what is created after them is', async () => {
    const answers: string[] = [];
    for (const run of [1, 2])
      await serving(['--seed', '5', '--latency', '1..3'], async (url) => {
        const { authors = [], books = [] } = await state(url);
        expect([authors.length, books.length], String(run)).to.deep.equal([5, 5]);
        const ids = authors.map(({ id }) => id);
        for (const { authorId } of books) expect(ids).to.include(authorId);
        expect(new Set(books.map(({ title }) => title)).size).to.equal(5);
        const created = await send('POST', `${url}/authors`, { name: 'Cy' });
        answers.push(JSON.stringify([created, await send('GET', `${url}/books`), await state(url)]));
      });
    expect(answers[0]).to.equal(answers[1]);
  });

  it('keep their ids when others are created after a reset', async () => {
    const authors = Array.from({ length: 150 }, (_, nth) => ({ id: String(nth + 1), name: 'Ada' }));
    await writeFile(at('many.json'), JSON.stringify({ authors }));
    await serving(['--seed', at('many.json')], async (url) => {
      for (const count of [151, 152]) {
        await send('POST', `${url}/authors`, { name: 'Bo' });
        expect((await state(url))['authors']).to.have.length(count);
      }
    });
  });

  it('are as before after a file that cannot be taken, whose fault is named', () =>
    serving(['--seed', at('seed.json')], async (url) => {
      const before = await state(url);
      for (const [records, fault] of [
        [{ '%ZZ': [] }, 'the sandbox has no collection %ZZ: it has authors, books'],
        [
          { authors: [{ name: 'Ada' }, { name: '' }] },
          'authors/1/name must NOT have fewer than 1 characters',
        ],
      ] as const) {
        const [status, text] = await send('PUT', `${url}/__sandbox/state`, records);
        expect([status, text]).to.deep.equal([400, text]);
        expect(text).to.include(fault);
      }
      expect(await state(url)).to.deep.equal(before);
    }));

  it('are made for our own contract, with its times', async () => {
    const states: string[] = [];
    for (let run = 0; run < 2; run += 1)
      await whileMocking(['openapi.yaml', 'schema.graphql', '--state', '--seed', '3'], async (url) => {
        const records = await state(url);
        expect(records['users']).to.have.length(3);
        const users = records['users']?.map(({ id }) => id);
        for (const { userId } of records['orders'] ?? [{}]) expect(users).to.include(userId);
        for (const { authorId } of records['posts'] ?? [{}]) expect(users).to.include(authorId);
        states.push(JSON.stringify(records));
      });
    expect(states[0]).to.equal(states[1]);
  });

  it('are saved at the end, in a file that is a seed', async () => {
    await serving(['--seed', at('seed.json'), '--save', at('saved.json')], async (url) => {
      await send('POST', `${url}/books`, { title: 'New', status: 'published' });
    });
    const text = await readFile(at('saved.json'), 'utf8');
    expect(JSON.parse(text)).to.have.nested.property('books[1].title', 'New');
    await serving(['--seed', at('saved.json'), '--save', at('again.json')], async (url) => {
      expect(await state(url)).to.deep.equal(JSON.parse(text));
    });
    expect(await readFile(at('again.json'), 'utf8')).to.equal(text);
    expect((await readdir(directory)).filter((name) => name.endsWith('.new'))).to.deep.equal([]);
  });

  it('are replaced and reset over HTTP', () =>
    serving(['--seed', at('seed.json')], async (url) => {
      const first = await state(url);
      expect((await send('PUT', `${url}/__sandbox/state`, { authors: [{ name: 'Zoe' }] }))[0]).to.equal(204);
      expect(Object.keys(await state(url))).to.deep.equal(['authors']);
      const [status, fault] = await send('POST', `${url}/__sandbox/state`, {
        authors: [{ name: 'Yan' }, {}],
        books: [{ title: '' }],
      });
      expect(status).to.equal(400);
      expect(fault).to.include('The body: books/0/title must NOT have fewer than 1 characters');
      expect(await state(url)).to.have.nested.property('authors[0].name', 'Zoe');
      expect((await send('POST', `${url}/__sandbox/reset`))[0]).to.equal(204);
      expect(await state(url)).to.deep.equal(first);
      expect((await send('GET', `${url}/__sandbox/reset`))[0]).to.equal(405);
      expect((await send('PUT', `${url}/__sandbox/state`, 'no JSON'))[1]).to.include(
        'The body cannot be read',
      );
    }));

  const asked = (url: string, given: { method?: string; body?: string; headers?: object }) =>
    new Promise<{ status: number; allowed: unknown }>((resolve, reject) => {
      const { method = 'POST', body = '', headers } = given;
      const sent = request(url, { method, headers: { ...headers } }, (answer) => {
        answer.resume().on('end', () => {
          const allowed = answer.headers['access-control-allow-origin'];
          resolve({ status: answer.statusCode ?? 0, allowed });
        });
      });
      sent.on('error', reject).end(body);
    });
  const json = { 'content-type': 'application/json' };
  const page = { origin: 'http://evil.example' };

  for (const option of [[], ['--no-cors'], ['--save', 'saved.json']]) {
    it(`are not reached by web pages with ${option[0] ?? 'no option'}`, () =>
      serving(
        [...option.map((each) => (each.includes('.') ? at(each) : each)), '--seed', at('seed.json')],
        async (url) => {
          const first = await state(url);
          const body = JSON.stringify({ authors: [{ name: 'Eve' }] });
          const own = { origin: url, 'sec-fetch-site': 'same-origin' };
          for (const [headers, status] of [
            [{ 'content-type': 'text/plain' }, 415],
            [{ 'content-type': 'text/plain; a=application/json' }, 415],
            [{ 'content-type': 'application/jsonx' }, 415],
            [{}, 415],
            [{ ...json, ...page }, 403],
            [{ ...json, origin: 'null' }, 403],
            [{ ...json, 'sec-fetch-site': 'same-site' }, 403],
            [{ ...json, origin: url, 'sec-fetch-site': 'cross-site' }, 403],
            [{ ...json, host: 'evil.example' }, 403],
            [{ ...json, host: 'evil.example:80', origin: 'http://evil.example:80' }, 403],
            [{ ...json, host: 'localhost.evil.example' }, 403],
            [{ ...json, host: '127.0.0.1.evil.example' }, 403],
          ] as const) {
            for (const path of ['state', 'reset']) {
              const answer = await asked(`${url}/__sandbox/${path}`, { body, headers });
              expect(answer, JSON.stringify(headers)).to.deep.equal({ status, allowed: undefined });
            }
          }
          expect(await state(url)).to.deep.equal(first);
          const preflight = { ...page, 'access-control-request-method': 'PUT' };
          for (const [method, headers] of [
            ['GET', page],
            ['GET', { host: 'evil.example' }],
            ['OPTIONS', preflight],
          ] as const)
            expect(await asked(`${url}/__sandbox/state`, { method, headers })).to.deep.equal({
              status: 403,
              allowed: undefined,
            });
          for (const headers of [{ ...json, ...own }, json, { ...json, host: 'app.localhost:1' }])
            expect((await asked(`${url}/__sandbox/state`, { body, headers })).status).to.equal(204);
        },
      ));
  }

  it('are reached for a host that is named', () =>
    serving(['--allow-host', 'Mock', '--allow-host', 'other'], async (url) => {
      const headers = { ...json, host: 'mock:4010' };
      expect((await asked(`${url}/__sandbox/reset`, { headers })).status).to.equal(204);
    }));

  it('are not reached over HTTP with --no-admin, nor without --state', async () => {
    const isMissing = async (url: string): Promise<void> => {
      expect((await send('GET', `${url}/__sandbox/state`))[0]).to.equal(404);
    };
    await serving(['--no-admin'], isMissing);
    await whileMocking([at('openapi.json')], isMissing);
  });

  it('leave paths of the contract alone', async () => {
    const path = { get: { responses: { 204: { description: 'Done' } } } };
    const parameters = [{ name: 'any', in: 'path', required: true, schema: { type: 'string' } }];
    const document = { ...LIBRARY, paths: { ...LIBRARY.paths, '/{any}/state': { parameters, ...path } } };
    await writeFile(at('taken.json'), JSON.stringify(document));
    await refused(
      [at('taken.json'), '--state'],
      'The document has the path /__sandbox/state too: start the mock with --no-admin.',
    );
    await whileMocking([at('taken.json'), '--state', '--no-admin'], async (url) => {
      expect((await send('GET', `${url}/__sandbox/state`))[0]).to.equal(204);
    });
  });

  async function refused(parameters: readonly string[], sentence: string): Promise<void> {
    const { exitCode, stdout, stderr } = await runInProcess(runProgram, [
      'mock',
      ...parameters,
      '--port',
      '0',
    ]);
    // Versions of Node say differently what is wrong with a text that is no JSON.
    expect([exitCode, stdout, stderr.replace(/(cannot be read): (?!ENOENT).*/, '$1')]).to.deep.equal([
      2,
      '',
      `${sentence}\n`,
    ]);
  }

  const faults: readonly (readonly [name: string, content: string, sentence: string])[] = [
    ['broken', '{', ' cannot be read'],
    ['list', '[]', ' must be an object with a list of records for each collection'],
    ['group', '{"books":{}}', ': books must be a list of records'],
    ['unknown', '{"films":[]}', ': the sandbox has no collection films: it has authors, books'],
    ['type', '{"books":[{"title":"A","pages":"many"}]}', ': books/0/pages must be integer'],
    ['scalar', '{"books":[7]}', ': books/0 must be object'],
    ['again', '{"books":[{"id":"1"},{"id":"1"}]}', ': books/1/id is that of another record'],
  ];
  for (const [name, content, sentence] of faults) {
    it(`are refused from a file whose fault is: ${name}`, async () => {
      const file = at(`${name}.json`);
      await writeFile(file, content);
      await refused([at('openapi.json'), '--state', '--seed', file], file + sentence);
    });
  }

  it('need --state, a file that can be read, and one that can be written', async () => {
    for (const option of ['--seed', '--save'])
      await refused([at('openapi.json'), option, '5'], '--seed and --save go with --state');
    const missing = at('missing.json');
    await refused(
      [at('openapi.json'), '--state', '--seed', missing],
      `${missing} cannot be read: ENOENT: no such file or directory, open '${missing}'`,
    );
    await refused(
      [at('openapi.json'), '--state', '--save', directory],
      `--save: ${directory} cannot be written: it is a folder.`,
    );
  });
});
