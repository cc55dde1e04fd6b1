/** What graphql 17 has in another form than graphql 16 means the same to the engine. */

import { makeExecutableSchema } from '@graphql-tools/schema';
import { expect } from 'chai';
import { type GraphQLResolveInfo, GraphQLScalarType, buildSchema, versionInfo } from 'graphql';
import { compileQuery } from '../../../src/runtime/graphql/compiler/query-compiler.js';
import { defaultOf, graphqlEngine } from '../../../src/runtime/graphql/index.js';

const isLater = versionInfo.major > 16;

describe(`graphql ${String(versionInfo.major)}`, () => {
  it('shows the default of an argument as a value', () => {
    const schema = buildSchema('type Query { list(limit: Int = 5, tags: [String] = ["a"], none: Int): Int }');
    const args = schema.getQueryType()?.getFields()['list']?.args ?? [];
    expect(args.map(defaultOf)).to.deep.equal([5, ['a'], undefined]);
  });

  for (const compile of [undefined, compileQuery])
    it(`writes scalars and reads variables in a query that is ${compile ? 'compiled' : 'interpreted'}`, async () => {
      const seen: unknown[] = [];
      const upper = (value: unknown): string => String(value).toUpperCase();
      const output = isLater ? { coerceOutputValue: upper } : { serialize: upper };
      const schema = makeExecutableSchema({
        typeDefs: 'scalar Shout type Query { shout(text: String = "default", more: Int): Shout }',
        resolvers: {
          Shout: new GraphQLScalarType({ name: 'Shout', ...output }),
          Query: {
            shout: (
              _: unknown,
              { text }: { readonly text: string },
              __: unknown,
              info: GraphQLResolveInfo,
            ) => {
              if (isLater) seen.push(info.getAbortSignal()?.aborted ?? false);
              return text;
            },
          },
        },
      });
      const engine = graphqlEngine<undefined>({
        schema,
        explain: () => ({ code: 'FAILED', message: 'failed' }),
        report: (error) => seen.push(error),
        ...(compile && { compile }),
      });
      const operation = engine.prepare({
        query: 'query Q($text: String) { shout more: shout(text: $text) }',
      });
      if ('errors' in operation) throw new Error(JSON.stringify(operation.errors));
      for (let count = 0; count < 3; count += 1) {
        const result = await engine.execute(operation, { text: 'given' }, undefined);
        expect(result).to.deep.equal({ data: { shout: 'DEFAULT', more: 'GIVEN' } });
      }
      expect(seen).to.deep.equal(isLater ? Array.from({ length: 6 }, () => false) : []);
    });
});
