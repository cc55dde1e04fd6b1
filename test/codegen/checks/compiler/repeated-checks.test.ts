/** Tests that a recursive schema whose alternatives ask about one value again and again is checked and explained in linear time. */
import { expect } from 'chai';
import { failuresOf } from '../../../../src/runtime/failures/failures-of.js';
import { explainFailures } from '../../../../src/runtime/failures/sentences.js';
import { compiledSchema, moduleOf } from './compiled-schema.js';
import { cpuTime } from '../../../support/durations.js';

/** Refers to the schema of a node. */
const $ref = '#/$defs/n';
const next = { properties: { a: { $ref } } };

function nodes(n: object, others: object = {}): object {
  return { $defs: { n, ...others }, $ref };
}

function nested(depth: number, end: unknown): unknown {
  let value = end;
  for (let level = 0; level < depth; level += 1) value = { a: value };
  return value;
}

/** A value this deep takes 2 ** 200 steps where each level asks twice. */
const DEPTH = 200;

describe('a check of a recursive schema', () => {
  const repeated: readonly (readonly [what: string, schema: object, fits: unknown, fails: unknown])[] = [
    ['in anyOf', nodes({ type: 'object', anyOf: [next, { ...next, minProperties: 1 }] }), {}, 5],
    ['in oneOf', nodes({ type: 'object', oneOf: [next, { ...next, required: ['b'] }] }), {}, 5],
    ['in allOf', nodes({ type: 'object', allOf: [next, next] }), {}, 5],
    ['beside not', nodes({ ...next, type: 'object', not: { ...next, required: ['c'] } }), {}, 5],
    ['in if and then', nodes({ type: 'object', if: next, then: next, else: false }), {}, undefined],
    [
      'by a name and by a pattern',
      nodes({ type: 'object', ...next, patternProperties: { '^a': { $ref } } }),
      {},
      5,
    ],
    [
      'in another schema of the circle',
      nodes(
        { type: 'object', properties: { a: { $ref: '#/$defs/m' } } },
        { m: { type: 'object', anyOf: [next, { ...next, minProperties: 1 }] } },
      ),
      {},
      5,
    ],
    [
      'in alternatives inside a property',
      nodes({
        type: 'object',
        properties: { a: { type: 'object', anyOf: [next, { ...next, minProperties: 1 }] } },
      }),
      {},
      5,
    ],
  ];
  for (const [what, schema, fits, fails] of repeated) {
    it(`asks about each value once: ${what}`, async () => {
      const check = await compiledSchema(schema);
      expect(check(nested(DEPTH, fits))).to.equal(true);
      expect(failuresOf(check, nested(DEPTH, fits))).to.deep.equal([]);
      if (fails === undefined) return;
      expect(check(nested(DEPTH, fails))).to.equal(false);
      const [reported] = explainFailures(check, nested(DEPTH, fails), '/body');
      expect(reported?.pointer).to.match(/^\/body(?:\/a)+$/);
      expect(reported?.detail).to.match(/must/);
    });
  }

  const ordinary: readonly (readonly [what: string, schema: object])[] = [
    ['a tree', nodes({ type: 'object', properties: { left: { $ref }, right: { $ref } } })],
    [
      'any JSON',
      nodes({ anyOf: [{ type: 'string' }, { items: { $ref } }, { additionalProperties: { $ref } }] }),
    ],
    ['all but some properties', nodes({ properties: { a: { $ref } }, additionalProperties: { $ref } })],
    ['one of two branches', nodes({ if: { required: ['b'] }, then: next, else: next })],
    ['a tuple', nodes({ prefixItems: [{ $ref }, { $ref }], items: { $ref } })],
  ];
  for (const [what, schema] of ordinary) {
    it(`remembers nothing where each value is asked about once: ${what}`, () => {
      expect(moduleOf(schema)).to.include('checkRootN').and.not.include('remembered');
    });
  }

  it('forgets when it ends', async () => {
    const check = await compiledSchema(nodes({ type: 'object', allOf: [next, next] }));
    const value: { a: unknown } = { a: {} };
    expect(check(value)).to.equal(true);
    value.a = 5;
    expect(check(value)).to.equal(false);
    value.a = {};
    expect(check(value)).to.equal(true);
  });

  it('refuses a value that takes too many steps, with a place, and goes on', async () => {
    const type = ['array', 'string'];
    const list = { items: { $ref } };
    const schema = nodes({ type, anyOf: [{ ...list, maxItems: 1 }, list] });
    const check = await compiledSchema(schema);
    const denied = await compiledSchema({ ...schema, $ref: undefined, type, not: { $ref } });
    const many = Array.from({ length: 1_000_001 }, () => []);
    for (const each of [check, denied]) expect(each(many)).to.equal(false);
    const [reported, ...others] = explainFailures(check, many, '/body');
    expect(others).to.deep.equal([]);
    expect(reported?.detail).to.match(/^body\/\d+ takes too many steps to check$/);
    expect(check([[]])).to.equal(true);
    expect(denied([[]])).to.equal(false);
  });

  it('explains each level of a deep value in the same time', async () => {
    const check = await compiledSchema(
      nodes({ type: 'object', properties: { a: { $ref }, b: { type: 'string' } } }),
    );
    const wrongLevels = (depth: number): unknown => {
      let value: unknown = {};
      for (let level = 0; level < depth; level += 1) value = { a: value, b: 5 };
      return value;
    };
    // The least of some times: other work of this process can only make a run longer. Eight times the levels take about eight times as
    // long, and took more than sixty when each level copied the failures of all levels below it.
    const leastTime = (value: unknown): number =>
      Math.min(
        ...Array.from({ length: 5 }, () => {
          const taken = cpuTime();
          // Several: the counter of CPU time may not have moved after one.
          for (let run = 0; run < 20; run += 1) failuresOf(check, value);
          return taken();
        }),
      );
    expect(failuresOf(check, wrongLevels(400))).to.have.length(400);
    leastTime(wrongLevels(200));
    expect(leastTime(wrongLevels(1600)) / leastTime(wrongLevels(200))).to.be.below(30);
  });

  it('explains a value that is nested deeply, or says that it is nested too deeply', async () => {
    const check = await compiledSchema(nodes({ type: 'object', ...next }));
    expect(failuresOf(check, nested(500, 5))).to.have.length(1);
    const deepest = failuresOf(check, nested(50_000, 5));
    expect(deepest.map(({ message }) => message)).to.deep.equal(['is nested too deeply']);
  });

  it('explains a list of very many wrong items', async () => {
    const check = await compiledSchema({ type: 'array', items: { type: 'string' } });
    expect(failuresOf(check, new Array(300_000).fill(5))).to.have.length(300_000);
  });
});
