/** Changes of `@constraint` in a GraphQL schema, each proved by a document. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { diffGraphql } from '../../../src/tools/diff/graphql/diff-graphql.js';

describe('the difference of constraints', () => {
  let directory = '';
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'concordat-constraints-'));
  });
  after(() => rm(directory, { recursive: true }));

  async function changes(before: string, after: string): Promise<readonly string[]> {
    const [old, next] = [join(directory, 'old.graphql'), join(directory, 'new.graphql')];
    await writeFile(old, before);
    await writeFile(next, after);
    return (await diffGraphql(old, next)).changes.map(({ kind, message, client, server }) => {
      const sides = [client, server].map(({ severity, witness }) =>
        witness !== undefined && 'document' in witness
          ? // Version 16 of graphql-js prints objects without these spaces.
            `${severity} (${witness.document.replace(/(?<=: )\{ (.*?) \}/, '{$1}')}: ${witness.refusal})`
          : severity,
      );
      return [kind, message, ...sides].join(' | ');
    });
  }
  const query = (argument: string): string => `type Query { find(${argument}): Int }`;
  const input = (field: string): string => `type Query { find(by: By!): Int } input By { ${field} }`;

  it('finds nothing between equal ones', async () => {
    const schema = query('a: Int @constraint(min: 1)');
    expect(await changes(schema, schema)).to.deep.equal([]);
  });

  it('breaks clients where it becomes narrower, and servers where it becomes wider', async () => {
    expect(
      await changes(query('a: Int @constraint(min: 1, max: 5)'), query('a: Int @constraint(min: 2, max: 6)')),
    ).to.deep.equal([
      'minimum-changed | Query.find.a: minimum 1 → 2 | breaking (query { find(a: 1) }: a must be >= 2) | safe',
      'maximum-changed | Query.find.a: maximum 5 → 6 | safe | breaking (query { find(a: 6) }: a must be <= 5)',
    ]);
  });

  it('concerns the items of lists, and the fields of input objects', async () => {
    expect(
      await changes(query('a: [String!]'), query('a: [String!] @constraint(maxItems: 1, maxLength: 3)')),
    ).to.deep.include(
      'maxItems-changed | Query.find.a: maxItems none → 1 | breaking (query { find(a: ["a", "a1"]) }: a must NOT have more than 1 items) | safe',
    );
    expect(
      await changes(input('name: String! @constraint(maxLength: 2)'), input('name: String!')),
    ).to.deep.equal([
      'maxLength-changed | By.name: maxLength 2 → none | safe | breaking (query { find(by: {name: "tea"}) }: by/name must NOT have more than 2 characters)',
    ]);
  });

  it('has documents with values that fit for the other changes', async () => {
    const before = 'a: Int! @constraint(min: 50), b: String';
    const [change] = await changes(query(before), query('a: Int! @constraint(min: 50), b: Int'));
    expect(change).to.include('find(a: 50');
  });
});
