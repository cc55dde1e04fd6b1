/** The types of the arguments that resolvers get: what is always there is not optional, and enums have the values of the server. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { expect } from 'chai';
import { ContractError, generate } from 'concordat';
import { memoryRequest } from '@concordat/runtime';
import { graphqlEngine, graphqlHttp } from '@concordat/runtime/graphql';
import { unexpectedReport } from '../../../support/unexpected-report.js';
import { removeDirectory, temporaryPackage } from '../../generated-contract.js';
import { complaints } from '../../strict-compiler.js';

const SDL = `
enum State { CURRENT OLD }
enum Kind { A B }
input Inner { limit: Int! = 3, kind: Kind! = A, name: String, again: Inner }
input Update { state: State = CURRENT, inner: Inner! = {}, list: [Inner!] }
type Thing { kind: Kind!, state: State! }
type Query { thing(u: Update = { state: CURRENT }, state: State!, kind: Kind! = B): Thing, plain(u: Update!): String }
`;

const RESOLVERS = {
  mappers: { State: './models.js#StateModel' },
  enumValues: { Kind: { A: 'inner-a', B: 'inner-b' } },
};

const MODELS = `export type StateModel = 1 | 2;
import type { QueryResolvers, ThingResolvers, Update } from './graphql.js';
export const sent: Update = {};
export const kind: ThingResolvers['kind'] = () => 'inner-a';
export const read: QueryResolvers['plain'] = (_, { u }) => {
  const state: StateModel | null = u.state;
  const limit: number = u.inner.limit;
  const kinds: readonly ('inner-a' | 'inner-b')[] | undefined = u.list?.map((each) => each.kind);
  const deep: number | undefined = u.inner.again?.limit;
  return String([state, limit, kinds, deep]);
};
export const thing: QueryResolvers['thing'] = (_, { u, state, kind: given }) => {
  const own: StateModel = state;
  const inner: number | undefined = u?.inner.limit;
  void [own, inner];
  return { kind: given, state: u?.state ?? own };
};
`;

/** What does not compile, by the change of the module above. */
const WRONG: readonly (readonly [from: string, to: string, error: RegExp])[] = [
  ['String([state', '(u.inner.name.trim(), [state', /TS(?:18049|18048|2531|2532|2533)/],
  ["=> 'inner-a'", "=> 'A'", /wrong1\.ts:\d+: TS2322/],
  ['const own: StateModel = state', "const own: 'CURRENT' = state", /TS2322/],
  ['u?.inner.limit', 'u.inner.limit', /TS18047/],
];

describe('the arguments of a resolver', () => {
  let home = '';
  before(async () => {
    home = await temporaryPackage();
    const schema = join(home, 'schema.graphql');
    await writeFile(schema, SDL);
    const { 'graphql.ts': types = '' } = await generate({ schema, resolvers: RESOLVERS });
    await writeFile(join(home, 'graphql.ts'), types);
    await writeFile(join(home, 'models.ts'), MODELS);
    for (const [index, [from, to]] of WRONG.entries()) {
      expect(MODELS).to.include(from);
      await writeFile(join(home, `wrong${String(index)}.ts`), MODELS.replace(from, to));
    }
  });
  after(() => removeDirectory(home));

  it('have what defaults give at any depth, and the values of enums that the server has', () => {
    expect(complaints(home, ['models.ts'])).to.deep.equal([]);
  });

  it('have no more than that', () => {
    const found = complaints(
      home,
      WRONG.map((_, index) => `wrong${String(index)}.ts`),
    ).join('\n');
    for (const [, , error] of WRONG) expect(found).to.match(error);
  });

  it('get the inner values of enums in the defaults of objects', async () => {
    const schema = makeExecutableSchema({
      typeDefs: SDL,
      resolvers: {
        State: { CURRENT: 1, OLD: 2 },
        Kind: { A: 'inner-a', B: 'inner-b' },
        Query: {
          plain: (_: unknown, { u }: object & { u?: unknown }) => JSON.stringify(u),
          thing: (_: unknown, { u }: { u: { state: unknown; inner: { kind: unknown } } }) => ({
            kind: u.inner.kind,
            state: u.state,
          }),
        },
      },
    });
    const engine = graphqlEngine<undefined>({ schema, explain: () => undefined, report: unexpectedReport });
    const http = graphqlHttp(engine, { openSession: () => ({ context: undefined }) });
    const query = '{ thing(state: OLD) { kind state } plain(u: {}) }';
    const response = await http(
      memoryRequest({
        method: 'POST',
        path: '/graphql',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      }),
    );
    expect(JSON.parse(response.body as string)).to.deep.equal({
      data: {
        thing: { kind: 'A', state: 'CURRENT' },
        plain: '{"state":1,"inner":{"limit":3,"kind":"inner-a"}}',
      },
    });
  });

  it('have no default that a constraint refuses', async () => {
    const schema = join(home, 'refused.graphql');
    await writeFile(
      schema,
      `input Page { size: Int = 0 @constraint(min: 1) }
type Query { a(most: Int = 50 @constraint(max: 10), least: Int = 5 @constraint(min: 1), page: Page = { size: 0 }): Int }`,
    );
    const error: unknown = await generate({ schema }).catch((each: unknown) => each);
    expect(error).to.be.instanceOf(ContractError);
    expect(
      (error as ContractError).problems.map(({ message, line }) => [line, message]),
    ).to.have.deep.members([
      [1, '@constraint of Page.size: the default is refused: size must be >= 1'],
      [2, '@constraint of Query.a(most:): the default is refused: most must be <= 10'],
      [2, '@constraint of Query.a(page:): the default is refused: page/size must be >= 1'],
    ]);
  });
});
