/** The models of new projects: resolvers may leave out the fields of a value that have resolvers of their own. */

import { expect } from 'chai';
import { runs } from '../../support/budget.js';
import { type NewProject, useProjects } from './new-project.js';

const SCHEMA = `type Query { user(id: ID!): User, users: [User!]!, post: Post, node: Node, found: [Found!]!, page: Page! }
type Mutation { addPost(text: String!): Post! }
type Subscription { posted: Post! }
interface Node { id: ID!, posts(first: Int): [Post!]! }
union Found = User | Post | Tag
type User implements Node { id: ID!, best: User, posts(first: Int): [Post!]!, avatar(size: Int!): String! }
type Post { id: ID!, author: User!, likes: [[User!]]!, comments(first: Int): [Comment!]! }
type Comment { text: String!, post: Post }
type Page { users: [User!]!, tag: Tag! }
type Tag { id: ID!, name: String! }
`;

const MODELS = `/** The values of types with fields that have their own resolvers: without these fields. \`codegen.ts\` names them. */

import type * as schema from '../../generated/graphql.js';

export type UserModel = Omit<schema.User, 'posts' | 'avatar' | 'best'> & {
  best?: schema.Maybe<schema.ResolversTypes['User']>;
};

export type PostModel = Omit<schema.Post, 'comments' | 'author' | 'likes'> & {
  author: schema.ResolversTypes['User'];
  likes: schema.Maybe<schema.ResolversTypes['User'][]>[];
};
`;

/** Values of the resolvers, by the part of the list. */
const VALUES = {
  'Query.user': `{ id: '1', best: { id: '2' } }`,
  'Query.users': `[{ id: '1', best: Promise.resolve({ id: '2' }) }]`,
  'Query.post': `{ id: '1', author: { id: '2' }, likes: [[{ id: '3' }], null] }`,
  'Query.node': `{ __typename: 'User', id: '1' }`,
  'Query.found': `[{ __typename: 'Tag', id: '1', name: 'x' }, { __typename: 'Post', id: '1', author: { id: '2' }, likes: [] }]`,
  'Query.page': `{ users: [{ id: '1' }], tag: { id: '1', name: 'x' } }`,
  'Mutation.addPost': `{ id: '1', author: { id: '2' }, likes: [] }`,
  'Post.comments': `[{ text: 'x', post: { id: '1', author: { id: '2' }, likes: [] } }]`,
  'User.posts': `[{ id: '1', author: { id: '2' }, likes: [] }]`,
  'User.avatar': `'x'`,
};

describe('concordat init: the values of types with resolvers of fields', () => {
  const newProject = useProjects();

  async function projectOf(schema: string): Promise<NewProject> {
    const project = await newProject();
    await project.write('schema.graphql', schema);
    expect((await project.init()).notes).to.deep.equal([]);
    return project;
  }

  /** Puts a value in the place of the error that a resolver throws. */
  async function answer(project: NewProject, field: string, value: string): Promise<void> {
    const name = field
      .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-')
      .replace('.', '-')
      .toLowerCase();
    const file = `src/graphql/resolvers/${name}.ts`;
    await project.edit(file, `throw new Problem(501, '${field} is not implemented');`, `return ${value};`);
    await project.edit(file, "import { Problem } from '@concordat/runtime';\n", '');
  }

  it('have a model without these fields, in values of other types too', async () => {
    const project = await projectOf(SCHEMA);
    expect(await project.read('src/graphql/models.ts')).to.equal(MODELS);
    expect(await project.read('codegen.ts')).to.include(
      "mappers: { User: '../src/graphql/models.js#UserModel', Post: '../src/graphql/models.js#PostModel' }",
    );
    expect(await project.read('AGENTS.md')).to.include('src/graphql/models.ts');
    for (const [field, value] of Object.entries(VALUES)) await answer(project, field, value);
    expect(project.typeProblems()).to.deep.equal([]);
    expect((await project.init()).written).to.deep.equal([]);
    expect((await project.concordat('check')).exitCode).to.equal(0);
  });

  it('must have the other fields', async () => {
    const project = await projectOf(SCHEMA);
    await answer(project, 'Query.post', `{ id: '1', author: {}, likes: [] }`);
    const [problem = '', ...others] = project.typeProblems();
    expect(others).to.deep.equal([]);
    expect(problem).to.match(/'id' is missing in type '\{\}' but required in type 'Omit<User, |UserModel/);
  });

  it('have a model in a schema whose names TypeScript spells otherwise, or reserves', async () => {
    const project = await projectOf(`type Query { a: user_profile, b: UserProfile, c: Record, d: class }
type user_profile { delete(at: Int): Int, default: class }
type UserProfile { class(at: Int): user_profile }
type Record { profile(at: Int): UserProfileModel }
type UserProfileModel { name(at: Int): String, record: Record }
type class { new(at: Int): Int, default: [Record] }
`);
    expect(project.typeProblems()).to.deep.equal([]);
    await answer(project, 'Query.d', `{ default: [{}] }`);
    expect(project.typeProblems()).to.deep.equal([]);
  });

  it('have none in a schema in which no field needs a resolver', async () => {
    const project = await projectOf('type Query { user(id: ID!): User } type User { id: ID!, best: User }');
    expect(Object.keys(await project.files())).not.to.include('src/graphql/models.ts');
    expect(await project.read('codegen.ts')).not.to.include('mappers');
  });

  it('have models in a schema of many types that refer to each other', async () => {
    const count = runs(150);
    const types = Array.from({ length: count }, (_, index) => {
      const [next, other] = [(index + 1) % count, (index * 7) % count].map(String);
      return `type T${String(index)} { id: ID!, next: T${next}, found: [Found]!, many(first: Int): [T${other}!]! }`;
    });
    const project = await projectOf(['type Query { t: T0 }', 'union Found = T0 | T1', ...types].join('\n'));
    await answer(project, 'Query.t', `{ id: '1', found: [], next: { id: '2', found: [] } }`);
    expect(project.typeProblems()).to.deep.equal([]);
  });

  it('start an engine that checks the constraints of the schema, and are told to one that exists', async () => {
    const constrained = 'type Query { find(text: String @constraint(minLength: 2)): String }';
    const project = await projectOf(constrained);
    const endpoint = await project.read('src/graphql/endpoint.ts');
    expect(endpoint).to.include("import * as constraints from '../../generated/constraints.js';");
    expect(project.typeProblems()).to.deep.equal([]);
    const older = await projectOf('type Query { find(text: String): String }');
    expect(await older.read('src/graphql/endpoint.ts')).not.to.include('constraints');
    await older.write('schema.graphql', constrained);
    expect((await older.init()).notes).to.deep.equal([
      'src/graphql/endpoint.ts does not give the engine the constraints of the schema',
    ]);
  });
});
