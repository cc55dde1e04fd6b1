/**
 * Compiled operations beside interpreted ones, on random schemas. `DIFFERENTIAL_OPERATIONS` runs more of them, and
 * `DIFFERENTIAL_SEED` others.
 */

import { expect } from 'chai';
import { execute, parse, validate } from 'graphql';
import { compileQuery } from '../../../../src/runtime/graphql/compiler/query-compiler.js';
import { resultJson } from '../../../../src/runtime/graphql/compiler/result-writer.js';
import { type GraphqlEngine, graphqlEngine } from '../../../../src/runtime/graphql/index.js';
import { calledAgain, countCalls } from './counted-calls.js';
import { randomOperation } from './random-operations.js';
import { type RandomSchema, randomSchema } from './random-schemas.js';
import { Random } from './random-types.js';

const amount = Number(process.env['DIFFERENTIAL_OPERATIONS'] ?? 2_000);
const seed = Number(process.env['DIFFERENTIAL_SEED'] ?? 1);
const OPERATIONS_A_SCHEMA = 200;

/** A schema with an engine that compiles its queries. */
interface Tried extends RandomSchema {
  readonly engine: GraphqlEngine<undefined>;
  readonly calls: Map<string, number>;
}

function tried(made: RandomSchema): Tried {
  const calls = countCalls(made.schema);
  const explain = (error: unknown) => ({ code: 'FAILED', message: String(error) });
  const { schema } = made;
  const engine = graphqlEngine<undefined>({
    schema,
    compile: compileQuery,
    explain,
    report: () => undefined,
    limits: { depth: 100, aliases: 10_000, tokens: 100_000 },
  });
  return { ...made, engine, calls };
}

interface Counts {
  operations: number;
  compiled: number;
  answered: number;
  /** Operations that graphql-js answers without errors. */
  correct: number;
  /** Operations that failed in a compiled query, and were then interpreted. */
  failed: number;
}

/** Runs an operation both ways. @returns what differs */
async function differences(random: Random, schema: Tried, counts: Counts): Promise<readonly string[]> {
  const { query, variables } = randomOperation(random, schema);
  const document = parse(query);
  const [fault] = validate(schema.schema, document);
  if (fault !== undefined) return [];
  const compiled = compileQuery(schema.schema, document, undefined);
  const found: string[] = [];
  for (const values of variables) {
    counts.operations += 1;
    const expected = await execute({ schema: schema.schema, document, variableValues: values });
    if (expected.errors === undefined) counts.correct += 1;
    if (compiled === undefined) continue;
    counts.compiled += 1;
    const actual = await compiled(undefined, values);
    // A result with errors is discarded, and the operation is interpreted.
    if (actual.errors !== undefined) {
      const operation = schema.engine.prepare({ query });
      if ('errors' in operation) continue;
      operation.compiled();
      schema.calls.clear();
      const { data = null } = await schema.engine.execute(operation, values, undefined);
      counts.failed += 1;
      const again = calledAgain(schema.calls);
      const texts = [JSON.stringify(expected.data ?? null), JSON.stringify(data)];
      if (again.length > 0 || new Set(texts).size > 1) found.push([query, ...again, ...texts].join('\n  '));
      continue;
    }
    counts.answered += 1;
    const body = resultJson(actual, Infinity);
    const json = typeof body === 'object' ? new TextDecoder().decode(body) : body;
    const texts = [JSON.stringify(expected), JSON.stringify(actual), json];
    if (new Set(texts).size > 1) found.push([query, JSON.stringify(values), ...texts].join('\n  '));
  }
  return found;
}

const kinds = [
  { name: 'with interfaces and unions', isAbstract: true, share: 0.9 },
  { name: 'of objects alone', isAbstract: false, share: 0.95 },
];

describe('a compiled query beside graphql-js', () => {
  for (const { name, isAbstract, share } of kinds) {
    it(`answers ${String(amount)} random operations on schemas ${name} alike, or leaves them`, async function () {
      this.timeout(120_000 + 3 * amount);
      const random = new Random(seed);
      const counts = { operations: 0, compiled: 0, answered: 0, correct: 0, failed: 0 };
      while (counts.operations < amount) {
        const schema = tried(randomSchema(random, isAbstract));
        const end = counts.operations + OPERATIONS_A_SCHEMA;
        while (counts.operations < end) expect(await differences(random, schema, counts)).to.deep.equal([]);
      }
      const { operations, compiled, answered, correct } = counts;
      console.log(
        `        ${String(operations)} operations: ${String(compiled)} compiled; ${String(correct)} without errors, of which ${String(answered)} by compiled queries`,
      );
      expect(counts.failed).to.be.above(amount / 20);
      expect(compiled / operations).to.be.at.least(share);
      // A compiled query may not leave what graphql-js answers without errors, with few exceptions.
      expect(answered / correct).to.be.at.least(share);
    });
  }
});
