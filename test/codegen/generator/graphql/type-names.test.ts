/** A schema may name its types like anything that `graphql.ts` mentions, and like each other in another spelling. */

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generate } from 'concordat';
import { expect } from 'chai';
import ts from 'typescript';
import { removeDirectory, temporaryPackage } from '../../generated-contract.js';
import { someOf } from '../../../support/budget.js';
import { complaints } from '../../strict-compiler.js';

/** A schema of every kind of type, each with names of its own. */
const EVERY_KIND = `
directive @auth(role: Role = ADMIN) on FIELD_DEFINITION
scalar Date_time
enum Role { ADMIN admin_user AdminUser }
interface Node { id(short: Boolean): ID! }
type User implements Node { id(short: Boolean): ID!, role(in: Range): Role!, at: Date_time, friends: [User!] }
union Found = User | Role_holder
type Role_holder { role: Role }
input Range { from: Int = 3, to: Date_time, inner: Range }
type Query { user(id: ID!): User, node: Node, found(range: Range): [Found] }
type Mutation { add(id: ID = "a"): User }
type Subscription { added(id: ID): User }
`;

describe('a GraphQL type', () => {
  let home = '';
  let count = 0;
  before(async () => {
    home = await temporaryPackage();
  });
  after(() => removeDirectory(home));

  /** The text of `graphql.ts`. */
  async function generatedFrom(sdl: string, resolvers: object = {}): Promise<string> {
    const schema = join(home, 'schema.graphql');
    await writeFile(schema, sdl);
    const { 'graphql.ts': text = '' } = await generate({ schema, resolvers: { ...resolvers } });
    return text;
  }

  /** What the compiler says of the types, and of a module that uses them. */
  async function problemsWith(types: string, uses = ''): Promise<readonly string[]> {
    const name = `case${String((count += 1))}`;
    await mkdir(join(home, name));
    await writeFile(join(home, name, 'graphql.ts'), types);
    await writeFile(
      join(home, name, 'uses.ts'),
      `import type { Resolvers } from './graphql.js';\n${uses}\nexport type All = Resolvers;\n`,
    );
    return complaints(home, [`${name}/graphql.ts`, `${name}/uses.ts`]);
  }

  const KINDS: Readonly<Record<string, (name: string) => string>> = {
    'an object': (name) => `type ${name} { id(a: ID): ID, other: ${name} }`,
    'an input': (name) => `input ${name} { id: ID, other: ${name} }`,
    'an enum': (name) => `enum ${name} { A B }`,
    'an interface': (name) => `interface ${name} { id: ID }\ntype ${name}Impl implements ${name} { id: ID }`,
    'a union': (name) => `union ${name} = Leaf`,
    'a scalar': (name) => `scalar ${name}`,
  };
  for (const [kind, definition] of someOf(Object.entries(KINDS), 3)) {
    it(`that is ${kind} has a name of its own, whatever the generated types mention`, async () => {
      const mentioned = namesIn(await generatedFrom(EVERY_KIND)).filter(
        (name) => !/^(?:__|ID$|String$|Int$|Float$|Boolean$|Query$|Mutation$|Subscription$|Leaf$)/.test(name),
      );
      // The properties of every object.
      const names = [...new Set([...mentioned, 'constructor', 'toString', 'hasOwnProperty'])];
      expect(names).to.include.members([
        'Record',
        'Promise',
        'Resolvers',
        'Partial',
        'Scalars',
        'Maybe',
        'Omit',
        'UserResolvers',
        'ContextType',
      ]);
      const field = (name: string, index: number): string =>
        kind === 'an input' ? `f${String(index)}(a: ${name}): ID` : `f${String(index)}: ${name}`;
      const sdl = [
        'type Mutation { a: ID }',
        'type Leaf { id: ID }',
        'type Subscription { a(id: ID!): ID }',
        `type Query { ${names.map(field).join(', ')} }`,
        ...names.map(definition),
      ].join('\n');
      const types = await generatedFrom(sdl);
      expect(await problemsWith(types)).to.deep.equal([]);
      // GraphQL knows each by the name that the schema gives it.
      const keys = new Set(
        /export type ResolversTypes = \{([^]*?)\n\};/.exec(types)?.[1]?.match(/^ {2}\w+(?=:)/gm),
      );
      expect(names.filter((name) => !keys.has(`  ${name}`))).to.deep.equal([]);
      console.log(`      ${String(names.length)} names as ${kind}`);
    });
  }

  it('may have a name of which a convention leaves none, or that is a reserved word', async () => {
    const names = ['_', '_1', '_1a', 'delete', 'Delete', 'class', 'await'];
    for (const define of Object.values(KINDS).slice(0, 3)) {
      const fields = names.map((_, index) => `f${String(index)}: ID`).join(' ');
      // Members that differ in case keep their spelling, and so do all names.
      const sdl = `enum Twins { A a }\ntype Query { ${fields} }\n${names.map(define).join('\n')}`;
      expect(await problemsWith(await generatedFrom(sdl))).to.deep.equal([]);
    }
  });

  it('is resolved by its own name', async () => {
    const types = await generatedFrom('type Query { record: Record }\ntype Record { id: ID! kind: String! }');
    const resolved = `
      export const resolvers: Resolvers = {
        Query: { record: () => ({ id: '1', kind: 'a' }) },
        Record: { id: ({ id }) => id },
      };`;
    expect(await problemsWith(types, resolved)).to.deep.equal([]);
    expect(types).to.include("__typename?: 'Record'").and.to.include('export type Record2 = {');
  });

  it('may differ from another in spelling only, as may fields and the values of an enum', async () => {
    const types = await generatedFrom(`
      type Query { user_name(a: ID): user_name, User_Name(a: ID): User_Name, userName(b: ID): E, UserResolvers: UserResolvers }
      type user_name { id: ID }
      type User_Name { id: ID }
      type User { id: ID }
      type UserResolvers { id: ID }
      enum E { ADMIN admin Admin aDMIN }
    `);
    expect(await problemsWith(types)).to.deep.equal([]);
  });

  it('keeps its name where nothing else has it', async () => {
    const text = await generatedFrom(EVERY_KIND);
    expect(text).to.include('export type User = ').and.not.to.match(/\w2\b/);
  });

  it('has the name in the options of the resolvers that it has in TypeScript', async () => {
    const types = await generatedFrom(
      'type Query { record: Record }\ntype Record { id: ID!, more: String! }',
      {
        mappers: { Record: "Pick<Record2, 'id'>" },
      },
    );
    const resolved = `export const resolvers: Resolvers = { Query: { record: () => ({ id: '1' }) }, Record: { more: ({ id }) => id } };`;
    expect(await problemsWith(types, resolved)).to.deep.equal([]);
  });
});

/** Every name in a module, also of properties: more than can collide. */
function namesIn(text: string): readonly string[] {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) names.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('graphql.ts', text, ts.ScriptTarget.ESNext, true));
  return [...names];
}
