/** Functions that omit undeclared members, compiled from random schemas and called with values that have such members. */

import { expect } from 'chai';
import fc from 'fast-check';
import type { AnySchema } from '../any-schema.js';
import type { OmitSurplus } from '../../../../src/runtime/contract/contract.js';
import { compiled, component, documentOf, imported } from './compiled.js';

/** A schema, a value that fits it, and the same value with undeclared members in its closed objects. */
interface Sample {
  readonly schema: AnySchema;
  readonly value: unknown;
  readonly given: unknown;
}

const NAMES = ['a', 'b', 'toString'];
const SELF = { $ref: '#/components/schemas/Self' };
const Self: AnySchema = { additionalProperties: false, properties: { next: SELF, all: { items: SELF } } };

const EXTRA = { secret: 'admin', other: { a: 1 } };

const { sample } = fc.letrec<{ sample: Sample }>((tie) => ({
  sample: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom<Sample>(
      { schema: { type: 'string' }, value: 'text', given: 'text' },
      { schema: true, value: { secret: 1 }, given: { secret: 1 } },
      {
        schema: SELF,
        value: { next: { next: {} }, all: [{}, { all: [] }] },
        given: { ...EXTRA, next: { next: { ...EXTRA } }, all: [{ ...EXTRA }, { all: [], ...EXTRA }] },
      },
    ),
    objects(tie('sample')),
    objects(tie('sample')),
    tie('sample').map(({ schema, value, given }) => ({
      schema: { type: 'array', items: schema },
      value: [value, value],
      given: [given, value],
    })),
    fc.tuple(tie('sample'), tie('sample')).map(([first, rest]) => ({
      schema: { type: 'array', prefixItems: [first.schema], items: rest.schema },
      value: [first.value, rest.value, rest.value],
      given: [first.given, rest.given, rest.given],
    })),
    fc.tuple(objects(tie('sample')), fc.boolean()).map(([{ schema, value, given }, isNull]) => ({
      schema: { anyOf: [schema, { type: 'null' }] },
      value: isNull ? null : value,
      given: isNull ? null : given,
    })),
  ),
}));

function objects(members: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> {
  const parts = {
    declared: fc.dictionary(fc.constantFrom(...NAMES), members, { maxKeys: 3 }),
    absent: fc.subarray(NAMES),
    pattern: fc.option(members, { nil: undefined }),
    rest: fc.oneof(fc.constant('closed' as const), fc.constant('open' as const), members),
  };
  return fc.record(parts).map(({ declared, absent, pattern, rest }) => {
    const present = Object.entries(declared).filter(([name]) => !absent.includes(name));
    const more: [string, Sample][] = [
      ...(pattern === undefined ? [] : [['x-1', pattern] as [string, Sample]]),
      ...(typeof rest === 'string' ? [] : [['any', rest] as [string, Sample]]),
    ];
    const pick = (key: 'schema' | 'value' | 'given', from: [string, Sample][]): object =>
      Object.fromEntries(from.map(([name, each]) => [name, each[key]]));
    return {
      schema: {
        type: 'object',
        properties: pick('schema', Object.entries(declared)) as Record<string, AnySchema>,
        ...(pattern && { patternProperties: { '^x-': pattern.schema } }),
        ...(rest !== 'open' && { additionalProperties: rest === 'closed' ? false : rest.schema }),
      },
      value: pick('value', [...present, ...more]),
      given: { ...(rest === 'closed' && EXTRA), ...pick('given', [...present, ...more]) },
    };
  });
}

/** Calls a function; `require` must not be called for these schemas. */
function omit(strip: OmitSurplus | undefined, value: unknown): unknown {
  const require = (): never => {
    throw new Error('nothing has alternatives');
  };
  return strip === undefined ? value : strip(value, { places: [], require });
}

/** The function and the check of a schema. */
async function functionsOf(schemas: Readonly<Record<string, AnySchema>>) {
  const document = documentOf('3.1.0', schemas);
  const wanted = Object.keys(schemas).map((name) => component(name, 'response'));
  const { surplus: functions, responses, unsupported } = compiled(document, wanted);
  expect(unsupported).to.deep.equal([]);
  const checks = await imported(responses.js);
  const { surplus } = (await imported(functions.js)) as unknown as { surplus: Record<string, OmitSurplus> };
  return { checks, surplus };
}

describe('members that closed schemas do not declare', () => {
  const samples = fc.sample(sample, { numRuns: 400, seed: Number(process.env['SEED'] ?? 1) });
  const schemas = Object.fromEntries(samples.map(({ schema }, index) => [`S${String(index)}`, schema]));
  let built: Awaited<ReturnType<typeof functionsOf>>;
  before(async () => {
    built = await functionsOf({ ...schemas, Self });
  });

  it('are omitted, and nothing else is', () => {
    let count = 0;
    for (const [index, { value, given }] of samples.entries()) {
      const before = JSON.stringify(given);
      const stripped = omit(built.surplus[`checkS${String(index)}`], given);
      expect(stripped, JSON.stringify(schemas[`S${String(index)}`])).to.deep.equal(value);
      expect(built.checks[`checkS${String(index)}`]?.(stripped) ?? true).to.equal(true);
      expect(JSON.stringify(given)).to.equal(before);
      if (stripped !== given) count += 1;
    }
    expect(count).to.be.greaterThan(100);
  });

  it('are not searched for by a copy', () => {
    for (const [index, { value }] of samples.entries())
      expect(omit(built.surplus[`checkS${String(index)}`], value)).to.equal(value);
  });

  it('have no function where no schema is closed', async () => {
    const { surplus } = await functionsOf({ A: { type: 'object', properties: { a: { minLength: 1 } } } });
    expect(surplus).to.deep.equal({});
  });

  it('are found as JSON has them', async () => {
    const { surplus } = await functionsOf({
      A: { additionalProperties: false, properties: { a: { type: 'string' } } },
    });
    const strip = surplus['checkA'];
    const gone = { a: 'x', no: undefined, method: () => 1, [Symbol('s')]: 1 };
    expect(omit(strip, gone)).to.equal(gone);
    class Row {
      #hidden = 'admin';
      constructor(readonly a: string) {}
      get hidden(): string {
        return this.#hidden;
      }
    }
    const row = new Row('x');
    expect(omit(strip, row)).to.equal(row);
    expect(omit(strip, { toJSON: () => ({ a: 'x', secret: 1 }) })).to.deep.equal({ a: 'x' });
  });
});
