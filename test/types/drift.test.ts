/** A field that a contract gains: the compiler names every place that has to know of it, in the order of the work. */

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseDocument } from 'yaml';
import codegen from '../../codegen.js';
import { runCodegen } from '../codegen/generated-contract.js';
import { type Complaint, RepositoryCopy } from './repository-copy.js';

const filesOf = (complaints: readonly Complaint[]): readonly string[] => [
  ...new Set(complaints.map(({ file }) => file)),
];

/** What sees the contracts. Adapters of ports must not, and take the compiler most of its time. */
const EDGES = ['src/core/operations', 'src/core/resolvers'];
const INNER = ['src/core/model', 'src/core/ports', 'src/core/services', 'src/core/storage'];

describe('a field that only the contracts have', function () {
  // The stages build on each other: each is the repository after a developer has done what the one before asked for.
  this.timeout(300_000);
  let copy: RepositoryCopy;
  let unchanged: readonly Complaint[];
  let contract: readonly Complaint[];
  let model: readonly Complaint[];
  let table: readonly Complaint[];

  before(async () => {
    copy = await RepositoryCopy.make();
    unchanged = copy.complaints(EDGES);
    await addToContracts(copy);
    contract = copy.complaints([...EDGES, 'src/core/services', 'src/service']);
    await copy.edit(
      'src/core/model/user.ts',
      '  readonly city: string | undefined;',
      '  readonly city: string | undefined;\n  readonly nickname: string | undefined;',
    );
    await copy.edit(
      'src/core/ports/user-store.ts',
      "userFilterFields = ['role',",
      "userFilterFields = ['nickname', 'role',",
    );
    model = copy.complaints([...INNER, ...EDGES, 'src/service/cli']);
    await copy.edit(
      'src/core/storage/sql/query/schema.ts',
      "  city: 'text?',",
      "  city: 'text?',\n  nickname: 'text?',",
    );
    table = copy.complaints(['src/core/storage']);
  });

  after(() => copy.remove());

  it('is not missed where its contracts are read before there is one', () => {
    expect(unchanged).to.deep.equal([]);
  });

  it('is refused in a body that is not read, a record that does not show it, and a schema that does not resolve it', () => {
    expect(filesOf(contract)).to.have.members([
      'src/core/operations/list-users.ts',
      'src/core/operations/users.ts',
      'src/core/resolvers/graphql-engine.ts',
      'src/core/resolvers/posts.ts',
      'src/core/resolvers/users.ts',
    ]);
  });

  for (const [field, file] of [
    ['Mutation.updateUser', 'users'],
    ['Query.me', 'users'],
    ['User.posts', 'users'],
    ['Post.author', 'posts'],
    ['Subscription.postAdded', 'posts'],
  ] as const) {
    it(`is refused as an argument of ${field} that its resolver does not read`, () => {
      const argument = `of${field.replace('.', '')}`;
      const said = contract.filter(({ text }) => text.includes(argument));
      expect(filesOf(said)).to.deep.equal([`src/core/resolvers/${file}.ts`]);
      expect(said.map(({ text }) => text).join('\n')).to.match(/not assignable to .*Record<string, never>/);
    });
  }

  it('is refused as an argument of a field without a resolver', () => {
    const said = contract.filter(({ file }) => file === 'src/core/resolvers/graphql-engine.ts');
    expect(said.map(({ text }) => text).join('\n')).to.match(/'title' is missing/);
  });

  for (const [kind, file, name] of [
    ['body field', 'src/core/operations/users.ts', 'nickname'],
    ['query parameter', 'src/core/operations/list-users.ts', 'nickname'],
    ['header', 'src/core/operations/users.ts', 'X-Nickname'],
    ['header of an operation that had none', 'src/core/operations/users.ts', 'headers'],
    ['cookie', 'src/core/operations/users.ts', 'cookies'],
  ] as const) {
    it(`is refused as a ${kind} that its operation does not read`, () => {
      const said = contract.filter((each) => each.file === file && each.text.includes(name));
      expect(said.map(({ text }) => text).join('\n')).to.match(/not assignable to .*Record<string, never>/);
    });
  }

  it('is refused, once the model has it, wherever users are made, changed, kept, read, imported or exported', () => {
    expect(filesOf(model)).to.include.members([
      'src/core/model/user.ts',
      'src/core/ports/user-store.ts',
      'src/core/storage/sql/query/schema.ts',
      'src/core/operations/users.ts',
      'src/service/cli/records/export-records.ts',
    ]);
  });

  it('is refused, once users are found by it, where lists are filtered', () => {
    const filters = model.filter(({ text }) => /UserFilter|ReferenceExpression/.test(text));
    expect(filesOf(filters)).to.include.members([
      'src/core/ports/user-store.ts',
      'src/core/operations/list-users.ts',
    ]);
  });

  it('is kept by every store, once the table of columns, the indexes of filters and the records of the memory store have it', () => {
    expect(filesOf(table)).to.deep.equal([
      'src/core/storage/memory/users.ts',
      'src/core/storage/sql/users.ts',
    ]);
  });

  it('is named in ten files at most, without those of the filter and of the arguments of other fields', () => {
    const others = [
      'operations/list-users',
      'ports/user-store',
      'resolvers/graphql-engine',
      'resolvers/posts',
    ];
    const files = filesOf([contract, model, table].flat()).filter(
      (file) => !others.includes(file.replace(/^src\/core\/|\.ts$/g, '')),
    );
    expect(files.length, files.join()).to.be.within(5, 10);
  });
});

/** `nickname`, as a property of users and of what is sent for one, as a filter, and in the GraphQL schema; a header and a cookie. */
async function addToContracts(copy: RepositoryCopy): Promise<void> {
  const path = join(copy.directory, 'openapi.yaml');
  const document = parseDocument(await readFile(path, 'utf8'));
  const schema = { type: 'string', minLength: 1, maxLength: 50 };
  for (const name of ['User', 'UserInput']) {
    document.setIn(['components', 'schemas', name, 'properties', 'nickname'], document.createNode(schema));
  }
  const add = (url: string, method: string, name: string, place: string) => {
    const parameter = document.createNode({ name, in: place, required: false, schema });
    const parameters = ['paths', url, method, 'parameters'];
    if (document.hasIn(parameters)) document.addIn(parameters, parameter);
    else document.setIn(parameters, document.createNode([parameter]));
  };
  add('/api/users', 'get', 'nickname', 'query');
  add('/api/users/{id}', 'get', 'X-Nickname', 'header');
  add('/api/users/{id}/activate', 'post', 'X-Nickname', 'header');
  add('/api/users/{id}', 'delete', 'nickname', 'cookie');
  await writeFile(path, document.toString());
  await copy.edit('schema.graphql', 'type User {', 'type User {\n  nickname: String\n');
  for (const [from, to] of [
    [
      '    id: ID!\n\n    """\n    The new',
      '    id: ID!\n    ofMutationupdateUser: String\n\n    """\n    The new',
    ],
    ['  me: User\n', '  me(ofQueryme: String): User\n'],
    ['  posts: [Post!]!\n}', '  posts(ofUserposts: String): [Post!]!\n}'],
    ['  author: User!\n}', '  author(ofPostauthor: String): User!\n}'],
    ['    since: ID\n', '    since: ID\n    ofSubscriptionpostAdded: String\n'],
    [
      '  title: String!\n\n  """\n  The text.\n  """\n  content: String!\n\n  """\n  The user',
      '  title(short: Boolean): String!\n\n  """\n  The text.\n  """\n  content: String!\n\n  """\n  The user',
    ],
  ] as const) {
    await copy.edit('schema.graphql', from, to);
  }
  await runCodegen({
    openapi: path,
    schema: join(copy.directory, 'schema.graphql'),
    out: join(copy.directory, 'generated'),
    ...(codegen.concordat.resolvers && { resolvers: codegen.concordat.resolvers }),
  });
}
