/** The mock of a GraphQL schema, asked as clients ask. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { memoryRequest } from '@concordat/runtime';
import { mockGraphql } from '@concordat/tools/mock';
import { runProgram } from '../../../src/codegen/cli/program.js';
import type { GraphqlHttpHandler } from '../../../src/runtime/graphql/index.js';
import { runInProcess } from '../../support/run-program.js';

const SCHEMA = `type Query { node: Node, constructor: Author, found: Found!, notes(first: Int): [Note!]!, state: State! }
type Mutation { forget(id: ID!): Boolean! }
type Subscription { noted: Note! }
interface Node { id: ID! }
union Found = Author | Note
type Note implements Node { id: ID!, at: DateTime!, text: String!, size: Float, author: Author! }
type Author { name: String, constructor: String, notes: [Note!]! }
enum State { OPEN CLOSED }
scalar DateTime
`;

describe('the mock of a schema', () => {
  let directory = '';
  let mock: GraphqlHttpHandler;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'concordat-mock-'));
    await writeFile(join(directory, 'schema.graphql'), SCHEMA);
    mock = await mockGraphql(join(directory, 'schema.graphql'));
  });
  after(() => rm(directory, { recursive: true }));

  async function ask(query: string, accept = 'application/json'): Promise<string> {
    const headers = { 'content-type': 'application/json', accept };
    const body = JSON.stringify({ query });
    const answer = await mock(memoryRequest({ method: 'POST', path: '/graphql', headers, body }));
    const content = answer.body ?? '';
    if (typeof content === 'string' || content instanceof Uint8Array) return Buffer.from(content).toString();
    let text = '';
    for await (const chunk of content) text += Buffer.from(chunk).toString();
    return text;
  }

  const rows: readonly (readonly [query: string, data: object])[] = [
    ['{ state }', { state: 'OPEN' }],
    [
      '{ notes { id at text size } }',
      { notes: Array(2).fill({ id: '1', at: '2026-01-01T00:00:00Z', text: 'text', size: 1.5 }) },
    ],
    [
      '{ node { __typename id ... on Note { author { name } } } }',
      { node: { __typename: 'Note', id: '1', author: { name: 'name' } } },
    ],
    // Every object has a property of this name.
    ['{ constructor { name constructor } }', { constructor: { name: 'name', constructor: 'constructor' } }],
    ['{ found { __typename } }', { found: { __typename: 'Author' } }],
    ['mutation { forget(id: 7) }', { forget: true }],
  ];
  for (const [query, data] of rows) {
    it(`answers ${query}`, async () => {
      expect(JSON.parse(await ask(query))).to.deep.equal({ data });
      expect(await ask(query)).to.equal(await ask(query));
    });
  }

  it('ends a subscription after two events', async () => {
    const text = await ask('subscription { noted { text } }', 'text/event-stream');
    expect(text.match(/^data: \{"data":\{"noted":\{"text":"text"\}\}\}$/gm)).to.have.length(2);
    expect(text).to.include('event: complete');
  });

  it('still holds operations against the schema', async () => {
    expect(await ask('{ nothing }')).to.include('GRAPHQL_VALIDATION_FAILED');
  });

  it('is one server with the mock of a document', async () => {
    const schema = join(directory, 'schema.graphql');
    const { exitCode, stdout } = await runInProcess(runProgram, [
      'mock',
      'openapi.yaml',
      schema,
      '--port',
      '0',
    ]);
    expect(exitCode).to.equal(0);
    expect(stdout).to.match(
      /^Mock of openapi\.yaml and \S+schema\.graphql listens on http:\/\/127\.0\.0\.1:\d+\n$/,
    );
  });
});
