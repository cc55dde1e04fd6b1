/**
 * Compiled operations beside interpreted ones, on random schemas. `DIFFERENTIAL_OPERATIONS` runs more of them, and
 * `DIFFERENTIAL_SEED` others.
 */

import { expect } from 'chai';
import { execute, parse, validate } from 'graphql';
import { compileQuery } from '../../../../src/runtime/graphql/compiler/query-compiler.js';
import { randomOperation } from './random-operations.js';
import { type RandomSchema, randomSchema } from './random-schemas.js';
import { Random } from './random-types.js';

const amount = Number(process.env['DIFFERENTIAL_OPERATIONS'] ?? 20_000);
const seed = Number(process.env['DIFFERENTIAL_SEED'] ?? 1);
const OPERATIONS_A_SCHEMA = 200;

const counts = { operations: 0, compiled: 0, answered: 0 };

/** Runs an operation both ways. @returns what differs */
async function differences(random: Random, schema: RandomSchema): Promise<readonly string[]> {
  const { query, variables } = randomOperation(random, schema);
  const document = parse(query);
  const [fault] = validate(schema.schema, document);
  if (fault !== undefined) return [];
  const compiled = compileQuery(schema.schema, document, undefined);
  const found: string[] = [];
  for (const values of variables) {
    counts.operations += 1;
    if (compiled === undefined) continue;
    counts.compiled += 1;
    const expected = await execute({ schema: schema.schema, document, variableValues: values });
    const actual = await compiled(undefined, values);
    // A result with errors is discarded, and the operation is interpreted.
    if (actual.errors !== undefined) continue;
    counts.answered += 1;
    const [one, other] = [JSON.stringify(expected), JSON.stringify(actual)];
    if (one !== other) found.push([query, JSON.stringify(values), one, other].join('\n  '));
  }
  return found;
}

describe('a compiled query beside graphql-js', () => {
  it(`answers ${String(amount)} random operations alike, or leaves them`, async function () {
    this.timeout(40_000 + 2 * amount);
    const random = new Random(seed);
    while (counts.operations < amount) {
      const schema = randomSchema(random);
      const end = counts.operations + OPERATIONS_A_SCHEMA;
      while (counts.operations < end) expect(await differences(random, schema)).to.deep.equal([]);
    }
    const { operations, compiled, answered } = counts;
    console.log(
      `        ${String(operations)} operations: ${String(compiled)} compiled, ${String(answered)} without errors`,
    );
    // The comparison would be empty if all were left to graphql-js.
    expect(compiled).to.be.greaterThan(operations / 5);
    expect(answered).to.be.greaterThan(operations / 20);
  });
});
