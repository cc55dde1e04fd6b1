/** Tests custom scalars from the schema to their values: their types in resolvers, and their implementation at start. */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { expect } from 'chai';
import { GraphQLScalarType } from 'graphql';
import { after, before } from 'mocha';
import { generate } from 'concordat';
import { graphqlEngine } from '@concordat/runtime/graphql';
import { removeDirectory, runCodegen, temporaryPackage } from '../../generated-contract.js';
import { complaints } from '../../strict-compiler.js';
import { unexpectedReport } from '../../../support/unexpected-report.js';

const SDL =
  'scalar DateTime\nscalar Price\nscalar Any\ntype Query { next(after: DateTime!, price: Price, any: Any): DateTime! }\n';

/** Resolvers that compile only where `DateTime` is a Date and `Price` is Money, each with an implementation. */
const resolvers = (changes: { readonly body?: string; readonly scalars?: string } = {}): string => `
import type { GraphQLScalarType } from 'graphql';
import type { Resolvers } from './graphql.js';
declare const scalar: GraphQLScalarType;
export const resolvers: Resolvers = {
  ${changes.scalars ?? 'DateTime: scalar, Price: scalar, Any: scalar,'}
  Query: { next: (_, { after, price }) => ${changes.body ?? 'new Date(after.getTime() + (price?.cents ?? 0))'} },
};
`;

describe('custom scalars', () => {
  let directory = '';
  let schema = '';

  before(async () => {
    directory = await temporaryPackage();
    schema = join(directory, 'schema.graphql');
    await writeFile(schema, SDL);
    await writeFile(join(directory, 'money.ts'), 'export interface Money { readonly cents: number }\n');
    const price = { type: 'Money', from: './money.js', decode: 'readMoney', encode: 'writeMoney' };
    await runCodegen({ schema, out: directory, values: { DateTime: 'Date', Price: price } });
  });

  after(() => removeDirectory(directory));

  it('have their types in resolvers, and each needs an implementation', async () => {
    await writeFile(join(directory, 'good.ts'), resolvers());
    await writeFile(join(directory, 'text.ts'), resolvers({ body: 'after.toUpperCase()' }));
    await writeFile(
      join(directory, 'missing.ts'),
      resolvers({ scalars: 'DateTime: scalar, Price: scalar,' }),
    );
    expect(complaints(directory, ['good.ts'])).to.deep.equal([]);
    expect(complaints(directory, ['text.ts']).join('\n')).to.match(
      /'toUpperCase' does not exist on type 'Date'/,
    );
    expect(complaints(directory, ['missing.ts']).join('\n')).to.match(/Property 'Any' is missing/);
  });

  it('without a type of their own are unknown, and never any', async () => {
    const { 'graphql.ts': text } = await generate({ schema });
    expect(text).to.match(/Any: \{ input: unknown; output: unknown; \}/);
  });

  it('are converted by their implementation, in both directions', async () => {
    const DateTime = new GraphQLScalarType<Date, string>({
      name: 'DateTime',
      parseValue: (value) => new Date(String(value)),
      serialize: (value) => (value as Date).toISOString(),
    });
    const same = (name: string): GraphQLScalarType => new GraphQLScalarType({ name, serialize: String });
    const engine = graphqlEngine<undefined>({
      schema: makeExecutableSchema({
        typeDefs: SDL,
        resolvers: {
          DateTime,
          Price: same('Price'),
          Any: same('Any'),
          Query: { next: (_: unknown, { after: date }: { after: Date }) => new Date(date.getTime() + 1000) },
        },
      }),
      explain: () => undefined,
      report: unexpectedReport,
    });
    const operation = engine.prepare({ query: 'query($at: DateTime!) { next(after: $at) }' });
    if ('errors' in operation) throw new Error('it is refused');
    const result = await engine.execute(operation, { at: '2024-01-01T00:00:00Z' }, undefined);
    expect(result.data).to.deep.equal({ next: '2024-01-01T00:00:01.000Z' });
  });

  it('without an implementation do not start', () => {
    const bare = makeExecutableSchema({ typeDefs: SDL });
    expect(() => graphqlEngine({ schema: bare, explain: () => undefined, report: () => undefined })).to.throw(
      /scalars that nothing implements: DateTime, Price, Any;/,
    );
  });
});
