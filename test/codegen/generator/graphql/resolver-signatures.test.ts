/** The errors of the compiler for wrong resolvers: each names the field and the type in its first line. */

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { generate } from 'concordat';
import { removeDirectory, temporaryPackage } from '../../generated-contract.js';
import { complaints } from '../../strict-compiler.js';

const SDL = `
interface Node { id: ID! }
type Author implements Node { id: ID!, name: String!, books(first: Int): [Book!]! }
type Book implements Node { id: ID!, title: String!, author: Author!, related: [Found!]! }
union Found = Book | Author
input NewBook { title: String! }
type Query { book(id: ID!): Book, books(limit: Int = 10, after: ID): [Book!]!, search(text: String!): [Found!]! }
type Mutation { addBook(input: NewBook!): Book! }
type Subscription { bookAdded(after: ID): Book! }
`;

const START = `import type { QueryResolvers, Resolvers, ResolverTypeWrapper } from './graphql.js';
interface Context { readonly user: string }
type All = Resolvers<Context>;
declare const all: All;
declare const book: ResolverTypeWrapper<{ id: string; title: string; author: Author; related: [] }>;
interface Author { id: string; name: string; books: [] }
export type Used = [QueryResolvers, typeof all, typeof book, Author];
`;

/** Modules that compile. */
const RIGHT: Readonly<Record<string, string>> = {
  'values and promises of them': `export const resolvers: All = { ...all, Query: {
  ...all.Query, book: () => book, books: async () => [await book, book], search: () => Promise.resolve([book]) } };`,
  'arguments, of which those with a default are there': `export const resolvers: All['Query']['books'] = (_, { limit, after }) => {
  void [limit?.toFixed(), after?.trim()]; return []; };`,
  'some of the resolvers of a type': `export const resolvers: QueryResolvers<Context> = { book: () => null };`,
  'events with a value of the field': `export const resolvers: All['Subscription']['bookAdded'] = {
  async *subscribe(_, { after }, { user }) { void [after, user]; yield await Promise.resolve({ bookAdded: book }); } };`,
  'a promise of events': `export const resolver: All['Subscription']['bookAdded'] = {
  subscribe: async () => { await book; return { async *[Symbol.asyncIterator]() { yield await Promise.resolve({ bookAdded: book }); } }; } };`,
  'events that a function resolves': `export const resolvers: All['Subscription']['bookAdded'] = {
  async *subscribe() { yield await Promise.resolve(5); }, resolve: (event: number) => (void event, book) };`,
};

const BOOK = 'BookModel<ResolversTypes>';
const EVENTS = `FieldSubscriber<"Subscription.bookAdded", MaybePromise<${BOOK}>, "bookAdded"`;

/** Modules that do not compile, with a part of the first line of the error, and how many lines it has at most. */
const WRONG: Readonly<Record<string, readonly [source: string, first: string, lines: number]>> = {
  'a value of another type': [
    `export const resolver: All['Query']['books'] = () => 5;`,
    `Type 'number' is not assignable to type 'FieldResult<"Query.books", MaybePromise<${BOOK}>[]>'.`,
    1,
  ],
  'a value of another type from a function with statements': [
    `export const resolver: All['Query']['books'] = () => { return 5; };`,
    `Type '() => number' is not assignable to type 'FieldResolver<"Query.books", MaybePromise<${BOOK}>[], Record<PropertyKey, never>, Context, `,
    2,
  ],
  'a missing field of a value': [
    `export const resolver: All['Query']['book'] = async (_, { id }) => { await book; return { id }; };`,
    `Type '(_: Record<PropertyKey, never>, { id }: QueryBookArgs) => Promise<{ id: string; }>' is not assignable to type 'FieldResolver<"Query.book", ${BOOK} | null, `,
    4,
  ],
  'a field of a value with another type': [
    `export const resolver: All['Query']['book'] = (_, { id }) => ({ id, title: 5, author: { id, name: id, books: [] }, related: [] });`,
    `Type 'number' is not assignable to type 'string'.`,
    1,
  ],
  'a promise of another value': [
    `export const resolver: All['Mutation']['addBook'] = async () => ({ ...(await book), title: 5 });`,
    ` is not assignable to type 'FieldResult<"Mutation.addBook", ${BOOK}>'.`,
    5,
  ],
  'an argument that the field does not have': [
    `export const resolver: All['Query']['search'] = (_, { offset }) => offset;`,
    `Property 'offset' does not exist on type 'QuerySearchArgs'.`,
    1,
  ],
  'events of another form': [
    `export const resolver: All['Subscription']['bookAdded'] = { async *subscribe() { yield await Promise.resolve({ added: book }); } };`,
    `' is not assignable to type '${EVENTS}`,
    2,
  ],
  'a missing resolver': [
    `const { book: one, books } = all.Query; export const resolvers: All = { ...all, Query: { book: one, books } };`,
    `Property 'search' is missing in type '{ book: FieldResolver<"Query.book", ${BOOK} | null, Record<PropertyKey, never>, Context, QueryBookArgs>; books: FieldResolver<...>; }' but required in type 'RequiredQueryResolvers<Context>'.`,
    1,
  ],
  'missing resolvers of a type': [
    `const { Query } = all; export const resolvers: Resolvers<Context> = { Query };`,
    `Type '{ Query: RequiredQueryResolvers<Context>; }' is missing the following properties from type 'Resolvers<Context>': `,
    1,
  ],
  'a resolver of a field that the type does not have': [
    `export const resolvers: All = { ...all, Query: { ...all.Query, nothing: () => null } };`,
    `Object literal may only specify known properties, and 'nothing' does not exist in type 'RequiredQueryResolvers<Context>'.`,
    1,
  ],
};

const fileOf = (what: string): string => `${what.replaceAll(/\W+/g, '-')}.ts`;

describe('the resolver signatures of a schema', () => {
  let home = '';
  let said: readonly string[] = [];

  before(async () => {
    home = await temporaryPackage();
    const schema = join(home, 'schema.graphql');
    await writeFile(schema, SDL);
    const { 'graphql.ts': types = '' } = await generate({ schema });
    await writeFile(join(home, 'graphql.ts'), types);
    const sources = [
      ...Object.entries(RIGHT),
      ...Object.entries(WRONG).map(([what, [source]]) => [what, source]),
    ];
    for (const [what = '', source = ''] of sources) await writeFile(join(home, fileOf(what)), START + source);
    said = complaints(home, ['graphql.ts', ...sources.map(([what = '']) => fileOf(what))]);
  });

  after(() => removeDirectory(home));

  const problemsOf = (file: string) => said.filter((line) => line.startsWith(`${file}:`));

  it('compile themselves', () => {
    expect(problemsOf('graphql.ts')).to.deep.equal([]);
  });

  for (const what of Object.keys(RIGHT)) {
    it(`take ${what}`, () => {
      expect(problemsOf(fileOf(what))).to.deep.equal([]);
    });
  }

  for (const [what, [, first, lines]] of Object.entries(WRONG)) {
    it(`refuse ${what}`, () => {
      const [problem = '', ...others] = problemsOf(fileOf(what));
      expect(others).to.deep.equal([]);
      expect(problem.split('\n')[0]).to.include(first);
      expect(problem.split('\n')).to.have.lengthOf.at.most(lines);
    });
  }

  it('name their fields and models also where the schema has the names of the generator', async () => {
    const directory = join(home, 'taken');
    await mkdir(directory);
    const schema = join(directory, 'schema.graphql');
    const names = [
      'BookModel',
      'FieldResolver',
      'FieldResult',
      'MaybePromise',
      'RequiredBookResolvers',
      'Requiring',
    ];
    await writeFile(
      schema,
      `${SDL}\n${names.map((name) => `type ${name} { book: Book, found: Found }`).join('\n')}`,
    );
    const { 'graphql.ts': types = '' } = await generate({ schema });
    await writeFile(join(directory, 'graphql.ts'), types);
    expect(complaints(directory, ['graphql.ts'])).to.deep.equal([]);
  });

  it('require the same of a schema with many types that refer to each other', async () => {
    const directory = join(home, 'many');
    await mkdir(directory);
    const schema = join(directory, 'schema.graphql');
    const count = 60;
    const types = Array.from({ length: count }, (_, index) => {
      const [next, other] = [(index + 1) % count, (index * 7) % count].map(String);
      return `type T${String(index)} implements Node { id: ID!, next: T${next}, found: [Found]!, many(first: Int): [T${other}!]! }`;
    });
    const roots = ['interface Node { id: ID! }', 'union Found = T0 | T1', 'type Query { t: T0 }'];
    await writeFile(schema, [...roots, ...types].join('\n'));
    const { 'graphql.ts': text = '' } = await generate({ schema });
    await writeFile(join(directory, 'graphql.ts'), text);
    const uses = `import type { Resolvers } from './graphql.js';
declare const all: Resolvers;
export const right: Resolvers = { ...all, T1: { many: () => [] } };
export const wrong: Resolvers = { ...all, T1: {} };
`;
    await writeFile(join(directory, 'uses.ts'), uses);
    expect(complaints(directory, ['graphql.ts', 'uses.ts'])).to.deep.equal([
      `uses.ts:4: TS2741: Property 'many' is missing in type '{}' but required in type 'RequiredT1Resolvers<any>'.`,
    ]);
  });

  it('keep the form that an option of the plugin gives resolvers', async () => {
    const schema = join(home, 'schema.graphql');
    const { 'graphql.ts': objects = '' } = await generate({
      schema,
      resolvers: { makeResolverTypeCallable: false },
    });
    expect(objects).to.include(`book?: Resolver<Maybe<ResolversTypes['Book']>, ParentType, ContextType,`);
    const { 'graphql.ts': own = '' } = await generate({
      schema,
      resolvers: { customResolverFn: './own.js#OwnResolver' },
    });
    expect(own).to.include(`book?: Resolver<Maybe<ResolversTypes['Book']>, ParentType, ContextType,`);
  });
});
