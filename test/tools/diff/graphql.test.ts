/** Verdicts on pairs of GraphQL schemas; every witness is validated and executed with both. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type GraphQLSchema, Kind, buildSchema, execute, parse, validate } from 'graphql';
import { type GraphqlWitness, SIDES, type Severity } from '../../../src/tools/diff/change/change.js';
import { diffGraphql } from '../../../src/tools/diff/graphql/diff-graphql.js';

type Row = readonly [
  title: string,
  old: string,
  next: string,
  ...changes: (readonly [kind: string, client: Severity, server: Severity])[],
];

const user = 'type User { id: ID! name: String! }';
const filter = (fields: string): string =>
  `input Filter { ${fields} } input Search { filter: Filter } type Query { users(search: Search): Int }`;

const rows: readonly Row[] = [
  [
    'a field is removed',
    'type Query { a: Int b: Int }',
    'type Query { a: Int }',
    ['field-removed', 'breaking', 'safe'],
  ],
  [
    'a field is added',
    'type Query { a: Int }',
    'type Query { a: Int b: Int }',
    ['field-added', 'safe', 'breaking'],
  ],
  [
    'a deprecated field is removed',
    'type Query { a: Int b: Int @deprecated(reason: "Use a") }',
    'type Query { a: Int }',
    ['field-removed', 'breaking', 'safe'],
  ],
  [
    'a field is deprecated',
    'type Query { a: Int b: Int }',
    'type Query { a: Int b: Int @deprecated(reason: "Use a") }',
    ['field-deprecation-added', 'safe', 'safe'],
  ],
  [
    'a field deep inside is removed',
    `${user} type Query { users: [User!]! }`,
    'type User { id: ID! } type Query { users: [User!]! }',
    ['field-removed', 'breaking', 'safe'],
  ],
  [
    'a field may be null',
    `${user} type Query { user(id: ID!): User }`,
    'type User { id: ID! name: String } type Query { user(id: ID!): User }',
    ['field-type-changed', 'breaking', 'safe'],
  ],
  [
    'the items of a list may be null',
    'type Query { names: [String!]! }',
    'type Query { names: [String]! }',
    ['field-type-changed', 'breaking', 'safe'],
  ],
  [
    'a number becomes text',
    'type Query { a: Int }',
    'type Query { a: String }',
    ['field-type-changed', 'breaking', 'dangerous'],
  ],
  [
    'an argument is asked for',
    'type Query { a: Int }',
    'type Query { a(b: Int!): Int }',
    ['field-argument-added', 'breaking', 'breaking'],
  ],
  [
    'an argument is added',
    'type Query { a: Int }',
    'type Query { a(b: Int): Int }',
    ['field-argument-added', 'dangerous', 'breaking'],
  ],
  [
    'an argument is removed',
    'type Query { a(b: Int): Int }',
    'type Query { a: Int }',
    ['field-argument-removed', 'breaking', 'dangerous'],
  ],
  [
    'an argument has another type of text',
    'type Query { a(b: ID): Int }',
    'type Query { a(b: String): Int }',
    ['field-argument-type-changed', 'breaking', 'breaking'],
  ],
  [
    'an argument becomes optional',
    'type Query { a(b: Int!): Int }',
    'type Query { a(b: Int): Int }',
    ['field-argument-type-changed', 'safe', 'breaking'],
  ],
  [
    'a value that is sent is removed',
    'enum Sort { NAME AGE } type Query { users(sort: Sort): Int }',
    'enum Sort { NAME } type Query { users(sort: Sort): Int }',
    ['enum-value-removed', 'breaking', 'dangerous'],
  ],
  [
    'a value that is answered is removed',
    'enum Role { ADMIN USER } type Query { role: Role }',
    'enum Role { ADMIN } type Query { role: Role }',
    ['enum-value-removed', 'dangerous', 'dangerous'],
  ],
  [
    'an input field is asked for',
    filter('name: String'),
    filter('name: String age: Int!'),
    ['input-field-added', 'breaking', 'breaking'],
  ],
  [
    'an input field is removed',
    filter('name: String age: Int'),
    filter('name: String'),
    ['input-field-removed', 'breaking', 'safe'],
  ],
  [
    'an input field must not be null',
    filter('name: String'),
    filter('name: String!'),
    ['input-field-type-changed', 'breaking', 'safe'],
  ],
  [
    'a member of a union is removed',
    'type A { a: Int } type B { b: Int } union Any = A | B type Query { any: Any b: B }',
    'type A { a: Int } type B { b: Int } union Any = A type Query { any: Any b: B }',
    ['union-member-removed', 'breaking', 'dangerous'],
  ],
  [
    'a type no longer implements an interface',
    'interface Node { id: ID! } type A implements Node { id: ID! } type B implements Node { id: ID! } type Query { node: Node b: B }',
    'interface Node { id: ID! } type A implements Node { id: ID! } type B { id: ID! } type Query { node: Node b: B }',
    ['object-type-interface-removed', 'breaking', 'dangerous'],
  ],
  [
    'mutations are removed',
    'type Query { a: Int } type Mutation { b: Int }',
    'type Query { a: Int }',
    ['type-removed', 'breaking', 'safe'],
    ['schema-mutation-type-changed', 'breaking', 'safe'],
  ],
  [
    'a directive is removed',
    'directive @slow on FIELD type Query { a: Int }',
    'type Query { a: Int }',
    ['directive-removed', 'breaking', 'safe'],
  ],
  ['a description changes', '"Before" type Query { a: Int }', '"After" type Query { a: Int }'],
];

/** Whether a schema takes a document, and where the witness has data, whether it may give them. */
async function takes(schema: GraphQLSchema, { document, data }: GraphqlWitness): Promise<boolean> {
  const parsed = parse(document);
  if (validate(schema, parsed).length > 0) return false;
  const [definition] = parsed.definitions;
  if (definition?.kind === Kind.OPERATION_DEFINITION && !schema.getRootType(definition.operation))
    return false;
  if (data === undefined) return true;
  const { errors } = await execute({ schema, document: parsed, rootValue: data });
  return errors === undefined;
}

describe('concordat diff: GraphQL', () => {
  let directory = '';
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'concordat-sdl-'));
  });
  after(() => rm(directory, { recursive: true }));

  for (const [title, old, next, ...expected] of rows) {
    it(title, async () => {
      const files = { old: join(directory, 'old.graphql'), new: join(directory, 'new.graphql') };
      await writeFile(files.old, old);
      await writeFile(files.new, next);
      const { changes } = await diffGraphql(files.old, files.new);
      const verdicts = changes.map(({ kind, client, server }) => [kind, client.severity, server.severity]);
      expect(verdicts, JSON.stringify(changes)).to.have.deep.members(expected);
      const schemas = { old: buildSchema(old), new: buildSchema(next) };
      for (const change of changes) {
        expect([change.old?.file, change.new?.file]).to.deep.equal([files.old, files.new]);
        for (const side of SIDES) {
          const { severity, witness } = change[side];
          if (severity !== 'breaking') continue;
          if (witness === undefined || !('document' in witness))
            throw new Error(`${change.kind} is not proved`);
          const is = {
            taken: await takes(schemas[witness.takenBy], witness),
            refused: !(await takes(schemas[witness.refusedBy], witness)),
          };
          expect(is, JSON.stringify(witness)).to.deep.equal({ taken: true, refused: true });
        }
      }
    });
  }

  it('tells the lines of a change', async () => {
    const files = { old: join(directory, 'old.graphql'), new: join(directory, 'new.graphql') };
    await writeFile(files.old, 'type Query {\n  a: Int\n  b(c: Int): Int\n}\n');
    await writeFile(files.new, '"Moved"\ntype Query {\n  a: Int\n  b: Int\n}\n');
    const {
      changes: [change],
    } = await diffGraphql(files.old, files.new);
    expect([change?.old?.line, change?.new?.line]).to.deep.equal([3, 4]);
  });
});
