/** `@constraint` in a schema: checked over HTTP before any resolver, with the words and places of REST, and refused where it means nothing. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { expect } from 'chai';
import { ContractError, generate } from 'concordat';
import { memoryRequest } from '@concordat/runtime';
import { type ConstraintChecks, compileQuery, graphqlEngine, graphqlHttp } from '@concordat/runtime/graphql';
import { unexpectedReport } from '../support/unexpected-report.js';

const SCHEMA = `
type Query {
  search(text: String @constraint(minLength: 2, pattern: "^[a-z]*$"), most: Int = 5 @constraint(min: 1, max: 10)): [String!]
  price(of: Float! @constraint(exclusiveMin: 0, multipleOf: 0.01)): Float
  free(text: String): String
}
type Mutation { addUser(user: NewUser!, tags: [String!] @constraint(maxItems: 2, maxLength: 3)): String! }
type Subscription { added(after: ID @constraint(pattern: "^[0-9]+$")): String! }
input NewUser { email: String! @constraint(format: "email", maxLength: 20), friends: [NewUser!] @constraint(minItems: 1) }
`;

let calls = 0;
const counted =
  <Value>(value: Value) =>
  (): Value => {
    calls += 1;
    return value;
  };
const resolvers = {
  Query: { search: counted(['a']), price: counted(1), free: counted('x') },
  Mutation: { addUser: counted('added') },
  Subscription: {
    added: {
      subscribe: async function* () {
        calls += 1;
        yield await Promise.resolve({ added: 'x' });
      },
    },
  },
};

describe('constraints in a schema', () => {
  let directory = '';
  let file = '';
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'concordat-constraints-'));
    file = join(directory, 'schema.graphql');
  });
  after(() => rm(directory, { recursive: true }));

  async function filesOf(schema: string): Promise<Readonly<Record<string, string>>> {
    await writeFile(file, schema);
    return generate({ schema: file });
  }

  describe('over HTTP', () => {
    let typeDefs = '';
    let constraints: ConstraintChecks = {};
    before(async () => {
      for (const [name, text] of Object.entries(await filesOf(SCHEMA)))
        await writeFile(join(directory, name), text);
      const load = async (name: string): Promise<object> =>
        (await import(pathToFileURL(join(directory, name)).href)) as object;
      ({ typeDefs } = (await load('schema.ts')) as { readonly typeDefs: string });
      constraints = (await load('constraints.ts')) as ConstraintChecks;
    });

    function handler(given: ConstraintChecks | undefined) {
      const engine = graphqlEngine<undefined>({
        schema: makeExecutableSchema({ typeDefs, resolvers }),
        ...(given && { constraints: given }),
        explain: () => undefined,
        report: unexpectedReport,
        compile: compileQuery,
      });
      return graphqlHttp(engine, { openSession: () => ({ context: undefined }) });
    }

    async function answerTo(
      query: string,
      variables: object = {},
      accept = 'application/json',
      serve = handler(constraints),
    ): Promise<string> {
      const body = Buffer.from(JSON.stringify({ query, variables }));
      const headers = { accept, 'content-type': 'application/json', 'content-length': String(body.length) };
      const answer = await serve(memoryRequest({ method: 'POST', path: '/graphql', headers, body }));
      if (typeof answer.body === 'string') return answer.body;
      const parts: Uint8Array[] = [];
      if (answer.body instanceof Uint8Array) parts.push(answer.body);
      else for await (const part of answer.body ?? []) parts.push(part);
      return Buffer.concat(parts).toString();
    }

    async function refusalOf(query: string, variables: object = {}): Promise<string> {
      calls = 0;
      const { errors } = JSON.parse(await answerTo(query, variables)) as {
        readonly errors?: readonly {
          readonly message: string;
          readonly extensions: { readonly code: string };
        }[];
      };
      expect(calls, 'calls of the resolver').to.equal(errors === undefined ? 1 : 0);
      return (errors ?? []).map(({ message, extensions }) => `${extensions.code}: ${message}`).join();
    }

    const refused: readonly (readonly [query: string, sentence: string])[] = [
      ['{ search(text: "a") }', 'text must NOT have fewer than 2 characters'],
      ['{ search(text: "A1") }', 'text must match pattern "^[a-z]*$"'],
      ['{ search(most: 11) }', 'most must be <= 10'],
      ['{ search(most: 0) }', 'most must be >= 1'],
      ['{ price(of: 0) }', 'of must be > 0'],
      ['{ price(of: 0.001) }', 'of must be multiple of 0.01'],
      ['mutation { addUser(user: { email: "x" }) }', 'user/email must match format "email"'],
      [
        'mutation { addUser(user: { email: "a@b.c", friends: [] }) }',
        'user/friends must NOT have fewer than 1 items',
      ],
      [
        'mutation { addUser(user: { email: "a@b.c", friends: [{ email: "anna.and.bert@example.com" }] }) }',
        'user/friends/0/email must NOT have more than 20 characters',
      ],
      [
        'mutation { addUser(user: { email: "a@b.c" }, tags: ["a", "bbbb"]) }',
        'tags/1 must NOT have more than 3 characters',
      ],
      [
        'mutation { addUser(user: { email: "a@b.c" }, tags: ["a", "b", "c"]) }',
        'tags must NOT have more than 2 items',
      ],
    ];
    for (const [query, sentence] of refused) {
      it(`refuse ${query}`, async () => {
        expect(await refusalOf(query)).to.equal(`BAD_USER_INPUT: ${sentence}`);
      });
    }

    it('take what fits, null, and an absent argument', async () => {
      for (const query of [
        '{ search(text: "ab", most: 10) }',
        '{ search(text: null) }',
        '{ search }',
        '{ price(of: 19.99) }',
        '{ free(text: "") }',
        'mutation { addUser(user: { email: "a@b.c" }, tags: "a") }',
      ]) {
        expect(await refusalOf(query), query).to.equal('');
      }
    });

    it('hold for variables, and for a query that has been compiled', async () => {
      const query = 'query ($text: String) { search(text: $text) }';
      const serve = handler(constraints);
      for (let turn = 0; turn < 3; turn += 1) {
        expect(await answerTo(query, { text: 'a' }, undefined, serve)).to.include('fewer than 2 characters');
        expect(await answerTo(query, { text: 'ab' }, undefined, serve)).to.equal('{"data":{"search":["a"]}}');
      }
    });

    it('refuse a subscription before its source starts', async () => {
      calls = 0;
      const text = await answerTo('subscription { added(after: "x") }', {}, 'text/event-stream');
      expect(text).to.include('after must match pattern').and.to.include('BAD_USER_INPUT');
      expect(calls).to.equal(0);
      expect(await answerTo('subscription { added(after: "1") }', {}, 'text/event-stream')).to.include(
        '"added":"x"',
      );
    });

    it('keep an engine from starting without them', () => {
      expect(() => handler(undefined)).to.throw(
        'nothing checks the constraints of Query.search, Query.price, Mutation.addUser, Subscription.added; give the engine the exports of the generated constraints.ts as constraints',
      );
    });
  });

  it('need no definition of the directive, and take that of graphql-constraint-directive', async () => {
    const { 'schema.ts': own = '' } = await filesOf(SCHEMA);
    expect(own).to.include('directive @constraint(');
    const definition =
      'directive @constraint(minLength: Int, startsWith: String, uniqueTypeName: String) on INPUT_FIELD_DEFINITION | FIELD_DEFINITION | ARGUMENT_DEFINITION';
    const given = await filesOf(
      `${definition} type Query { a(b: String @constraint(minLength: 1, uniqueTypeName: "B")): Int }`,
    );
    expect(given['schema.ts']).to.include('startsWith').and.not.to.include('multipleOf');
    expect(given['constraints.ts']).to.include('Query$a');
  });

  it('add no file to a schema without them', async () => {
    expect(Object.keys(await filesOf('type Query { a(b: String): Int }'))).to.deep.equal([
      'graphql.ts',
      'schema.ts',
    ]);
  });

  const wrong: readonly (readonly [argument: string, message: string])[] = [
    ['a: String @constraint(minLength: -1)', '"minLength" must be a non-negative integer'],
    ['a: String @constraint(minLength: "x")', '"minLength" must be a non-negative integer'],
    ['a: String @constraint(minLength: 3, maxLength: 2)', 'minLength is greater than maxLength'],
    ['a: String @constraint(pattern: "[")', '"[" is not a regular expression of ECMA-262'],
    ['a: String @constraint(format: "e-mail")', 'the format "e-mail" is not known'],
    ['a: Int @constraint(min: 2, max: 1)', 'min is greater than max'],
    ['a: Float @constraint(multipleOf: 0)', '"multipleOf" must be a positive number'],
    ['a: Boolean @constraint(min: 1)', 'min does not fit the type Boolean'],
    ['a: Int! @constraint(minLength: 1)', 'minLength does not fit the type Int!'],
    ['a: String @constraint(minItems: 1)', 'minItems does not fit the type String'],
    ['a: [Int] @constraint(minItems: 2, maxItems: 1)', 'minItems is greater than maxItems'],
    ['a: Level @constraint(pattern: "a")', 'pattern does not fit the type Level'],
  ];
  for (const [argument, message] of wrong) {
    it(`stop generation for ${argument}`, async () => {
      const error: unknown = await filesOf(
        `type Query {\n  find(${argument}): Int\n}\nenum Level { A }\n`,
      ).catch((reason: unknown) => reason);
      if (!(error instanceof ContractError)) throw new Error('it did not stop');
      expect(error.problems).to.have.length(1);
      expect(error.message)
        .to.match(/schema\.graphql:2:\d+ /)
        .and.to.include(`@constraint of Query.find(a:): ${message}`);
    });
  }

  it('stop generation at a slow pattern, at a result, at an unsupported argument, and where only an interface has them', async () => {
    const stop = async (schema: string): Promise<string> =>
      String(await filesOf(schema).catch((reason: unknown) => reason));
    const definition =
      'directive @constraint(minLength: Int, contains: String) on ARGUMENT_DEFINITION | FIELD_DEFINITION ';
    expect(await stop('type Query { a(b: String @constraint(pattern: "^(a+)+$")): Int }')).to.match(
      /@constraint of Query\.a\(b:\): "\^\(a\+\)\+\$" takes exponential time/,
    );
    expect(await stop(`${definition} type Query { a: String @constraint(minLength: 1) }`)).to.include(
      '@constraint of Query.a: a field has no constraints, only its arguments',
    );
    expect(
      await stop(`${definition} type Query { a(b: String @constraint(contains: "x")): Int }`),
    ).to.include('@constraint of Query.a(b:): contains is not supported');
    const parts =
      'interface I { a(b: String @constraint(minLength: 1)): Int } type Query implements I { a(b: String): Int }';
    expect(await stop(parts)).to.include(
      '@constraint of Query.a(b:): it is missing, and an interface has no effect',
    );
  });
});
