/** Tests that generation names the directives of an SDL that nothing runs. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { after, before } from 'mocha';
import { ContractError, type ContractProblem, generate } from 'concordat';

const KEY = 'directive @key(fields: String!) repeatable on OBJECT | INTERFACE\n';
const FEDERATION = 'https://specs.apollo.dev/federation/v2.3';
const QUERY = 'type Query { me: User }\n';
const USER = 'type User @key(fields: "id") { id: ID!, name: String @external }\n';

const rows: readonly (readonly [what: string, sdl: string, problems: readonly string[]])[] = [
  ['an entity', QUERY + USER, ['federation at User@key 2:11', 'federation at User.name@external 2:54']],
  [
    'an entity whose directive is declared',
    KEY + QUERY + 'type User @key(fields: "id") { id: ID! }',
    ['federation at User@key 3:11'],
  ],
  [
    'a link to the specification of federation',
    `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])\n${QUERY}type User { id: ID! @shareable }`,
    ['federation at schema@link 1:15', 'federation at User.id@shareable 3:21'],
  ],
  [
    'a link without imports, whose directives have the name of the specification before theirs',
    `extend schema @link(url: "${FEDERATION}")\n${QUERY}type User @federation__key(fields: "id") { id: ID! @federation__shareable }`,
    [
      'federation at schema@link 1:15',
      'federation at User@federation__key 3:11',
      'federation at User.id@federation__shareable 3:52',
    ],
  ],
  [
    'a link under another name',
    `schema @link(url: "${FEDERATION}", as: "fed") { query: Query }\n${QUERY}type User @fed__key(fields: "id") { id: ID! }`,
    ['federation at schema@link 1:8', 'federation at User@fed__key 3:11'],
  ],
  [
    'an import under another name',
    `extend schema @link(url: "${FEDERATION}", import: [{ name: "@key", as: "@entity" }, "FieldSet", 5])\n${QUERY}type User @entity(fields: "id") { id: ID! }`,
    ['federation at schema@link 1:15', 'federation at User@entity 3:11'],
  ],
  [
    'a link whose directive has another name',
    `extend schema @uses(url: "https://specs.apollo.dev/link/v1.0", as: "uses") @uses(url: "${FEDERATION}", import: ["@key"])\n${QUERY}type User @key(fields: "id") { id: ID! @federation__tag(name: "a") }`,
    [
      'federation at schema@uses 1:15',
      'federation at schema@uses 1:76',
      'federation at User@key 3:11',
      'federation at User.id@federation__tag 3:40',
    ],
  ],
  [
    'an import of another specification',
    `extend schema @link(url: "https://specs.apollo.dev/connect/v0.1", import: ["@source"]) @source(name: "a")\n${QUERY}type User { id: ID! @connect__a }`,
    [
      'federation at schema@link 1:15',
      'federation at schema@source 1:88',
      'federation at User.id@connect__a 3:21',
    ],
  ],
  [
    'a declared directive with the name of the specification before its own',
    `directive @federation__key(fields: String!) on OBJECT\nextend schema @link(url: "${FEDERATION}")\n${QUERY}type User @federation__key(fields: "id") { id: ID! }`,
    ['federation at schema@link 2:15', 'federation at User@federation__key 4:11'],
  ],
  [
    'an argument and a value',
    'type Query { a(b: Int @tag(name: "x")): E }\nenum E { F @inaccessible }',
    ['federation at Query.a.b@tag 1:23', 'federation at E.F@inaccessible 2:12'],
  ],
  [
    'incremental delivery',
    `directive @defer(if: Boolean) on FRAGMENT_SPREAD\ndirective @stream(initialCount: Int) on FIELD\n${QUERY}type User { id: ID! }`,
    ['incremental-delivery at @defer 1:1', 'incremental-delivery at @stream 2:1'],
  ],
  [
    'a directive of the team with a name of federation',
    `directive @tag(name: String) on OBJECT\n${QUERY}type User @tag(name: "a") { id: ID! }`,
    [],
  ],
];

describe('directives that nothing runs', () => {
  let schema = '';

  before(async () => {
    schema = join(await mkdtemp(join(tmpdir(), 'concordat-sdl-')), 'schema.graphql');
  });

  after(() => rm(join(schema, '..'), { recursive: true }));

  async function problemsOf(
    sdl: string,
    accept: readonly string[] = [],
  ): Promise<readonly ContractProblem[]> {
    await writeFile(schema, sdl);
    try {
      await generate({ schema, accept });
      return [];
    } catch (error) {
      if (!(error instanceof ContractError)) throw error;
      return error.problems;
    }
  }

  for (const [what, sdl, expected] of rows) {
    it(`of ${what} are named with their places, and can be accepted`, async () => {
      const problems = await problemsOf(sdl);
      expect(
        problems.map(({ feature, pointer, line, column }) => `${feature} at ${pointer} ${line}:${column}`),
      ).to.deep.equal(expected);
      expect(problems.every(({ file }) => file === schema)).to.equal(true);
      const names = [...new Set(problems.map(({ feature = '' }) => feature))];
      expect(await problemsOf(sdl, names)).to.deep.equal([]);
      const places = problems.map(({ feature, pointer }) => `${String(feature)} at ${String(pointer)}`);
      expect(await problemsOf(sdl, places)).to.deep.equal([]);
    });
  }

  it('are left out of the schema where it does not declare them', async () => {
    await writeFile(
      schema,
      `extend schema @link(url: "https://specs.apollo.dev/federation/v2.3")\n${QUERY}${USER}`,
    );
    const { 'schema.ts': text } = await generate({ schema, accept: ['federation'] });
    expect(text)
      .to.include('type User {')
      .and.not.to.match(/@key|@link|@external/);
  });

  it('that are accepted and absent are a problem, beside the other contract or alone', async () => {
    const [problem, ...others] = await problemsOf('type Query { a: Int }', ['federation']);
    expect(others).to.deep.equal([]);
    expect(problem).to.include({ fault: 'unused-acceptance', file: schema });
  });

  it('do not hide other unknown directives', async () => {
    expect(await problemsOf('type Query @mine { a: Int }')).to.have.lengthOf(1);
    const linked = `extend schema @link(url: "${FEDERATION}") @link(url: "https://example.com/mine/v1.0", import: ["@mine"])`;
    const problems = await problemsOf(`${linked}\ntype Query @mine { a: Int @mine__b }`, ['federation']);
    expect(problems.map(({ message }) => message)).to.deep.equal([
      'Unknown directive "@mine".',
      'Unknown directive "@mine__b".',
    ]);
  });
});
