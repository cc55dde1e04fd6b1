/** Tests the GraphQL contract: everything is described, and it has the expected types. */
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { buildSchema, type GraphQLObjectType, isObjectType } from 'graphql';
import { SCHEMA_FILE } from './lint-contract.js';
import { schemaProblems } from './schema-problems.js';

const sdl = await readFile(SCHEMA_FILE, 'utf8');

function signatures(type: GraphQLObjectType): string[] {
  return Object.values(type.getFields()).map((field) => {
    const args = field.args.map((arg) => `${arg.name}: ${String(arg.type)}`).join(', ');
    return `${field.name}${args && `(${args})`}: ${String(field.type)}`;
  });
}

describe('schema.graphql', () => {
  const schema = buildSchema(sdl);

  it('has a description on everything', () => {
    expect(schemaProblems(sdl)).to.deep.equal([]);
  });

  it('has the expected types and operations', () => {
    const types = Object.values(schema.getTypeMap()).filter(
      (type) => isObjectType(type) && !type.name.startsWith('__'),
    );
    const actual = types.map((type) => [type.name, signatures(type as GraphQLObjectType)]);
    expect(Object.fromEntries(actual)).to.deep.equal({
      Query: [
        'users(limit: Int, after: ID): [User!]!',
        'user(id: ID!): User',
        'posts(limit: Int, after: ID): [Post!]!',
        'post(id: ID!): Post',
        'me: User',
      ],
      Mutation: [
        'createUser(name: String!, email: String!): User!',
        'createPost(title: String!, content: String!, authorId: ID): Post!',
        'updateUser(id: ID!, name: String, email: String): User!',
        'deleteUser(id: ID!): Boolean!',
      ],
      Subscription: ['postAdded(since: ID, authorId: ID): Post!'],
      User: ['id: ID!', 'name: String!', 'email: String!', 'posts: [Post!]!'],
      Post: ['id: ID!', 'title: String!', 'content: String!', 'author: User!'],
    });
  });
});
