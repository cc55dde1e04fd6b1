/** The guide to stored fields: an overlay of a team, served by the program alone, and typed in the team's own code without a cast. */

import { expect } from 'chai';
import { join } from 'node:path';
import { type Consumer, useConsumers } from './consumer.js';
import { installed, programCommands } from './installed-packages.js';
import { block } from './readme-blocks.js';
import { serving } from './serving.js';

describe('guides: books with stored fields', () => {
  const consumerWith = useConsumers();
  let team: Consumer;

  before(() => {
    const { names = [] } = installed(block('serve the books'))[0] ?? {};
    team = consumerWith([...names, '@concordat/core', '@concordat/runtime', 'graphql', '@types/node']);
    for (const file of ['books.yaml', 'books.graphql', 'books.ts'] as const) team.write(file, block(file));
    const problems = `{ 'application/json': { error: 'a' }, 'application/xml': { error: 'a' } }`;
    const schema = `['node_modules/@concordat/core/dist/schema.graphql', 'books.graphql']`;
    team.write(
      'books.codegen.ts',
      `import { codegenConfig } from 'concordat';
export default codegenConfig({ openapi: 'books.yaml', schema: ${schema}, out: 'generated', problems: ${problems} });
`,
    );
    const { status, stdout, stderr } = team.node(
      'node_modules/.bin/concordat',
      ...['generate', '--config', 'books.codegen.ts'],
    );
    expect(status, stdout + stderr).to.equal(0);
  });

  it('is typed in records, inputs and handlers, without a cast', () => {
    expect(block('books.ts').replaceAll(/\/\*\*.*?\*\/|\/\/.*/g, '')).not.to.match(
      /\bas (?!const)|\bany\b|<any>|@ts-|!\./,
    );
    expect(team.typeProblems('books.ts')).to.deep.equal([]);
    const problemsOf = (from: string, to: string): string => {
      expect(block('books.ts')).to.include(from);
      team.write('wrong.ts', block('books.ts').replace(from, to));
      return team.typeProblems('wrong.ts').join('\n');
    };
    expect(problemsOf('stored: { shelf }', 'stored: { shelve: shelf }')).to.include('shelve');
    expect(problemsOf('stored: { shelf }', 'stored: { shelf: 7 }')).to.include("'number' is not assignable");
    expect(problemsOf('.stored?.isbn', '.stored?.isbm')).to.include('isbm');
    const increment = 'services.products.increment(caller, id, { shelf: 1 })';
    expect(problemsOf('services.products.update(caller, id, { stored: { shelf } })', increment)).to.include(
      "'number' is not assignable",
    );
  });

  it('is kept by the store that the team opens', () => {
    team.compile('books.ts', '.');
    const { stdout, stderr } = team.run(`
      import { move, services } from './books.js';
      const caller = { kind: 'anonymous', address: undefined };
      const stored = { isbn: '9780000000000', shelf: 'A' };
      const { id } = await services.products.create(caller, { name: 'B', price: 1, stored });
      console.log(await move(caller, id, 'B2'), (await services.products.get(caller, id)).stored.shelf);
    `);
    expect([stderr, stdout]).to.deep.equal(['', '9780000000000 B2\n']);
  });

  it('is served by the program alone', async () => {
    const [[program = '', ...parameters] = []] = programCommands(block('serve the books'));
    const file = join('node_modules', '.bin', program);
    team.write('serve.js', `process.argv.push(...${JSON.stringify(parameters)}); await import('./${file}');`);
    const settings = { DATABASE_URL: 'memory:', DEMO_DATA: 'off', LOG_LEVEL: 'silent' };
    await serving(
      team,
      'serve.js',
      async (port) => {
        const headers = { 'Content-Type': 'application/json' };
        const products = `http://127.0.0.1:${String(port)}/api/products`;
        const body = JSON.stringify({ name: 'Book', price: 9, isbn: '9780000000000' });
        const made = await fetch(products, { method: 'POST', headers, body });
        const book = (await made.json()) as object;
        expect(book).to.include({ isbn: '9780000000000', shelf: 'new' });
        const found = await fetch(`${products}?isbn=9780000000000&envelope=false`);
        expect(await found.json()).to.deep.equal([book]);
        expect(
          (await fetch(products, { method: 'POST', headers, body: '{"name":"B","price":1}' })).status,
        ).to.equal(400);
      },
      settings,
    );
  });
});
