/**
 * Random operations whose resolvers answer late, fail and are cancelled, by the engine beside graphql-js. `DIFFERENTIAL_OPERATIONS`
 * runs more of them, and `DIFFERENTIAL_SEED` others.
 */

import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { type FormattedExecutionResult, execute, parse, validate } from 'graphql';
import { readDefaults } from '../../../../src/runtime/graphql/execution/default-values.js';
import { compileQuery } from '../../../../src/runtime/graphql/compiler/query-compiler.js';
import { type GraphqlEngine, graphqlEngine } from '../../../../src/runtime/graphql/index.js';
import { Moods } from './moods.js';
import { randomOperation } from './random-operations.js';
import { randomSchema } from './random-schemas.js';
import { Random } from './random-types.js';

const amount = Number(process.env['DIFFERENTIAL_OPERATIONS'] ?? 2_000) / 4;
const seed = Number(process.env['DIFFERENTIAL_SEED'] ?? 1);

/** Longer than any mood takes, in turns of the event loop. */
const WAITS = 8;

async function turns(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) await turn();
}

const messageOf = ({ errors }: FormattedExecutionResult): string | undefined => errors?.[0]?.message;

interface Result {
  readonly data?: unknown;
  readonly errors?: readonly { readonly path?: readonly (string | number)[] | undefined }[] | undefined;
}

const pathsOf = ({ errors = [] }: Result): readonly string[] =>
  errors.flatMap(({ path }) => (path === undefined ? [] : ['', ...path].join('/')));

/** The value at a path, or that of the place above it which is null. */
function valueAt({ data }: Result, path: string): unknown {
  let value = data;
  for (const name of path.split('/').slice(1)) {
    if (value === null || value === undefined) return value;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}

/**
 * Which of several errors below one null are told is left to each engine (GraphQL, "Handling Execution Errors").
 *
 * @returns what is wrong with a result beside that of graphql-js
 */
function faultOf(actual: Result, expected: Result): string | undefined {
  const texts = [actual, expected].map(({ data = null }) => JSON.stringify(data));
  if (texts[0] !== texts[1]) return texts.join('\n  ');
  const odd = pathsOf(actual).find((path) => valueAt(actual, path) != null);
  if (odd !== undefined) return `an error at ${odd}, which has a value`;
  if (new Set(pathsOf(actual)).size < pathsOf(actual).length) return 'two errors at one place';
  const told = pathsOf(actual);
  const nulls = pathsOf(expected).map((path) => nullAbove(expected, path));
  const untold = nulls.find((place) => !told.some((path) => `${path}/`.startsWith(`${place}/`)));
  return untold === undefined ? undefined : `no error for the null at ${untold}`;
}

/** The place of the null that an error made. */
function nullAbove(result: Result, path: string): string {
  const names = path.split('/');
  for (let length = 1; length < names.length; length += 1) {
    const place = names.slice(0, length).join('/');
    if (valueAt(result, place) == null) return place;
  }
  return path;
}

describe('an engine whose resolvers are late, fail or are cancelled, beside graphql-js', () => {
  const rejections: unknown[] = [];
  const onRejection = (reason: unknown): void => void rejections.push(reason);
  before(() => process.on('unhandledRejection', onRejection));
  after(() => process.off('unhandledRejection', onRejection));

  it(`answers ${String(amount)} random operations alike, calls each resolver once and none after its answer`, async function () {
    this.timeout(60_000 + 30 * amount);
    const random = new Random(seed);
    const counts = { failed: 0, cancelled: 0 };
    for (let operations = 0; operations < amount;) {
      const made = randomSchema(random, random.chance(0.7));
      // The reference gets the values of enums in defaults as the engine does.
      readDefaults(made.schema);
      const moods = new Moods(made.schema);
      const engineOf = (compile?: typeof compileQuery): GraphqlEngine<undefined> =>
        graphqlEngine<undefined>({
          schema: made.schema,
          ...(compile && { compile }),
          explain: (error: unknown) => ({ code: 'FAILED', message: String(error) }),
          report: () => undefined,
          limits: { depth: 100, aliases: 10_000, tokens: 100_000 },
        });
      const engines = [engineOf(), engineOf(compileQuery)];
      for (const end = operations + 50; operations < end;) {
        const { query, variables } = randomOperation(random, made);
        const document = parse(query);
        if (validate(made.schema, document).length > 0) continue;
        for (const values of variables.slice(0, 2)) {
          operations += 1;
          moods.begin(random.below(2 ** 31));
          const expected = await execute({ schema: made.schema, document, variableValues: values });
          // After its answer, graphql-js goes on to call resolvers.
          await turns(3 * WAITS);
          // graphql-js 17 leaves the promises of an operation that has failed.
          rejections.length = 0;
          if (expected.errors !== undefined) counts.failed += 1;
          for (const engine of engines) {
            const prepared = engine.prepare({ query });
            if ('errors' in prepared) continue;
            prepared.compiled();
            const run = async (signal?: AbortSignal): Promise<FormattedExecutionResult> => {
              moods.forget();
              const result = await engine.execute(
                prepared,
                values,
                undefined,
                undefined,
                signal && { signal },
              );
              const { calls } = moods;
              await turns(WAITS);
              expect(rejections, query).to.deep.equal([]);
              const late = moods.calls > calls ? ['called after the answer'] : [];
              expect([...moods.calledAgain(), ...late], query).to.deep.equal([]);
              return result;
            };
            expect(faultOf(await run(), expected), query).to.equal(undefined);
            if (!random.chance(0.1)) continue;
            moods.isEndless = true;
            const result = await run(AbortSignal.timeout(random.below(3)));
            if (messageOf(result) === 'The client has left') counts.cancelled += 1;
            else if (!moods.isStuck) expect(faultOf(result, expected), query).to.equal(undefined);
            // Another field has failed, so that the endless one has no place in the answer.
            else expect(result.errors, query).to.be.an('array');
            moods.isEndless = false;
          }
        }
      }
    }
    expect(counts.failed).to.be.above(amount / 4);
    expect(counts.cancelled).to.be.above(amount / 20);
  });
});
