/** `concordat mock --state` with a document and a schema: both read and write the same records. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runProgram } from '../../../../src/codegen/cli/program.js';
import { triesMuch } from '../../../support/budget.js';
import { runInProcess } from '../../../support/run-program.js';
import { whileMocking } from '../mock-server.js';
import { LIBRARY, LIBRARY_SCHEMA } from './library.js';

type Ask = (query: string, variables?: object) => Promise<unknown>;

const asking =
  (url: string): Ask =>
  async (query, variables) => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ query, variables });
    return (await fetch(`${url}/graphql`, { method: 'POST', headers, body })).json();
  };

async function send(method: string, url: string, value?: object): Promise<[number, unknown]> {
  const headers = { 'content-type': 'application/json', authorization: 'Bearer anybody' };
  const answer = await fetch(url, { method, headers, ...(value && { body: JSON.stringify(value) }) });
  const text = await answer.text();
  return [answer.status, text === '' ? undefined : JSON.parse(text)];
}

describe('a sandbox of both contracts', () => {
  let directory = '';
  let contracts: readonly string[] = [];
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'concordat-sandbox-'));
    contracts = ['openapi.json', 'schema.graphql'].map((name) => join(directory, name));
    await writeFile(join(directory, 'openapi.json'), JSON.stringify(LIBRARY));
    await writeFile(join(directory, 'schema.graphql'), LIBRARY_SCHEMA);
  });
  after(() => rm(directory, { recursive: true }));

  const serving = (test: (url: string, ask: Ask) => Promise<void>): Promise<void> =>
    whileMocking([...contracts, '--state'], (url) => test(url, asking(url)));

  it('refuses what the document could not show, and keeps what there was', () =>
    serving(async (url, ask) => {
      await ask('mutation { createBook(input: { title: "Ada" }) { book { id } } }');
      const state = async (): Promise<unknown> => (await send('GET', `${url}/__sandbox/state`))[1];
      const before = (await state()) as { readonly books: readonly { readonly id: string }[] };
      const id = before.books[0]?.id ?? '';
      for (const [mutation, fault] of [
        ['createBook(input: { title: "" })', 'Book/title must NOT have fewer than 1 characters'],
        [`updateBook(id: "${id}", input: { pages: 0 })`, 'Book/pages must be >= 1'],
      ] as const)
        expect(JSON.stringify(await ask(`mutation { ${mutation} { book { id } } }`))).to.include(fault);
      expect(await state()).to.deep.equal(before);
    }));

  it('has the users and posts of our own contract in one store', () =>
    whileMocking(['openapi.yaml', 'schema.graphql', '--state'], async (url) => {
      const ask = asking(url);
      const [status, user] = await send('POST', `${url}/api/users`, {
        name: 'Grace',
        email: 'grace@example.com',
        password: 'correct horse 7',
      });
      expect(status).to.equal(201);
      const { id } = user as { readonly id: string };
      const created = await ask(
        `mutation { createPost(title: "COBOL", content: "Text", authorId: "${id}") { id author { name } } }`,
      );
      expect(created).to.have.nested.property('data.createPost.author.name', 'Grace');
      const posts = (await send('GET', `${url}/api/posts`))[1];
      expect(JSON.stringify(posts)).to.include(`"title":"COBOL"`).and.to.include(`"authorId":"${id}"`);
      await ask(`mutation { updateUser(id: "${id}", name: "Admiral") { id } }`);
      expect((await send('GET', `${url}/api/users/${id}`))[1]).to.include({ name: 'Admiral' });
      expect((await send('DELETE', `${url}/api/users/${id}`))[0]).to.equal(204);
      expect(await ask(`{ user(id: "${id}") { id } }`)).to.deep.equal({ data: { user: null } });
    }));

  it('joins, filters and pages records', () =>
    serving(async (url, ask) => {
      const authors = [];
      for (const name of ['Ada', 'Bo']) authors.push((await send('POST', `${url}/authors`, { name }))[1]);
      const [ada, bo] = authors.map((each) => (each as { readonly id: string }).id);
      for (const [title, authorId] of [
        ['A', ada],
        ['B', bo],
        ['C', ada],
      ])
        await send('POST', `${url}/books`, { title, authorId, status: 'draft' });
      expect(
        await ask('{ authors(limit: 1, offset: 1) { name books { title author { name } } } }'),
      ).to.deep.equal({
        data: { authors: [{ name: 'Bo', books: [{ title: 'B', author: { name: 'Bo' } }] }] },
      });
      const page = `{ totalCount edges { cursor node { title status } } pageInfo { hasNextPage endCursor } }`;
      const first = (await ask(`{ books(first: 1, authorId: "${ada ?? ''}") ${page} }`)) as Page;
      expect(first.data.books).to.deep.include({ totalCount: 2 });
      expect(first.data.books.edges.map(({ node }) => node)).to.deep.equal([{ title: 'A', status: 'DRAFT' }]);
      const { endCursor, hasNextPage } = first.data.books.pageInfo;
      expect(hasNextPage).to.equal(true);
      const rest = (await ask(
        `{ books(after: "${endCursor ?? ''}", authorId: "${ada ?? ''}") ${page} }`,
      )) as Page;
      expect(rest.data.books.edges.map(({ node }) => node.title)).to.deep.equal(['C']);
      expect(rest.data.books.pageInfo).to.deep.equal({ hasNextPage: false, endCursor: null });
      expect(
        await ask('{ bookByTitle(title: "B") { id } none: bookByTitle(title: "Z") { id } }'),
      ).to.deep.equal({
        data: { bookByTitle: { id: '2' }, none: null },
      });
    }));

  it('creates, changes and deletes by input types and payloads', () =>
    serving(async (url, ask) => {
      const created = await ask(
        'mutation($input: CreateBook!) { createBook(input: $input) { book { id title status pages } errors clientMutationId } }',
        { input: { title: 'A', status: 'PUBLISHED', pages: 7, clientMutationId: 'x' } },
      );
      const book = { id: '1', title: 'A', status: 'PUBLISHED', pages: 7 };
      expect(created).to.deep.equal({ data: { createBook: { book, errors: [], clientMutationId: null } } });
      expect((await send('GET', `${url}/books/1`))[1]).to.include({ title: 'A', status: 'published' });
      const change =
        'mutation($id: ID!, $input: UpdateBook!) { updateBook(id: $id, input: $input) { book { title pages } } }';
      expect(await ask(change, { id: '1', input: { title: 'B', pages: null } })).to.deep.equal({
        data: { updateBook: { book: { title: 'B', pages: null } } },
      });
      expect(await ask(change, { id: '9', input: { title: 'B' } })).to.have.nested.property(
        'errors[0].extensions.code',
        'NOT_FOUND',
      );
      expect(await ask('mutation { deleteBook(bookId: 1) { deletedId ok } }')).to.deep.equal({
        data: { deleteBook: { deletedId: '1', ok: true } },
      });
      expect((await send('GET', `${url}/books/1`))[0]).to.equal(404);
    }));

  it('publishes what either contract creates, and nothing that is refused or that a subscriber filters out', () =>
    serving(async (url, ask) => {
      const over = new AbortController();
      const query = encodeURIComponent('subscription { bookAdded(authorId: "2") { title } }');
      const headers = { accept: 'text/event-stream' };
      const stream = await fetch(`${url}/graphql?query=${query}`, { headers, signal: over.signal });
      await ask('mutation { createBook(input: { title: "No", authorId: "1" }) { book { id } } }');
      await ask('mutation { createBook(input: { title: "", authorId: "2" }) { book { id } } }');
      await ask('mutation { createBook(input: { title: "Yes", authorId: "2" }) { book { id } } }');
      await send('POST', `${url}/books`, { title: 'Too', authorId: '2', status: 'draft' });
      let text = '';
      for await (const piece of stream.body ?? []) {
        text += Buffer.from(piece as Uint8Array).toString();
        if (text.includes('Too')) break;
      }
      over.abort();
      expect([...text.matchAll(/"title":"(\w*)"/g)].map(([, title]) => title)).to.deep.equal(['Yes', 'Too']);
    }));

  it('answers as without --state where it infers nothing', () =>
    serving(async (_, ask) => {
      expect(await ask('{ search(text: "x") { title author { name } } weather }')).to.deep.equal({
        data: { search: Array(2).fill({ title: 'title', author: { name: 'name' } }), weather: 'weather' },
      });
    }));

  it('explains what it inferred', async () => {
    const { stdout, exitCode } = await runInProcess(runProgram, ['mock', ...contracts, '--explain']);
    expect(exitCode).to.equal(0);
    for (const line of [
      'Query.books: list books',
      'Query.bookByTitle: read books',
      'Query.search: no state',
      'Mutation.createBook: create books',
      'Mutation.deleteBook: remove books',
      'Subscription.bookAdded: ',
    ])
      expect(stdout).to.include(`\n${line}`);
  });

  for (const [name, files] of [
    ['the library', undefined],
    ['our own contract', ['openapi.yaml', 'schema.graphql']],
  ] as const) {
    it(`fits the schema of ${name}, as verify finds`, () =>
      whileMocking([...(files ?? contracts), '--state'], async (url) => {
        const schema = files?.[1] ?? contracts[1] ?? '';
        const bounds = ['--seed', '7', '--requests', String(triesMuch ? 800 : 200), '--seconds', '600'];
        const parameters = ['verify', url, '--schema', schema, ...bounds];
        const { exitCode, stdout } = await runInProcess(runProgram, parameters);
        expect(stdout).to.include(': 0 violations');
        expect(exitCode).to.equal(0);
      }));
  }
});

interface Page {
  readonly data: {
    readonly books: {
      readonly edges: readonly { readonly node: { readonly title: string } }[];
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
    };
  };
}
