/** Tests what generated functions look like, and that none of them does its work twice. */
import { expect } from 'chai';
import { HELPER_NAMES } from '../../../../src/codegen/checks/compiler/helpers.js';
import { failuresOf } from '../../../../src/runtime/failures/failures-of.js';
import { runs } from '../../../support/budget.js';
import { compiledSchema, moduleOf } from './compiled-schema.js';

/** A tree in which each level asks what its alternatives evaluated. */
const tree = {
  $defs: {
    node: {
      anyOf: [{ properties: { next: { $ref: '#/$defs/node' } } }, { required: ['never'] }],
      unevaluatedProperties: false,
    },
  },
  $ref: '#/$defs/node',
};

function nested(depth: number, end: object): object {
  let value = end;
  for (let level = 0; level < depth; level += 1) value = { next: value };
  return value;
}

/** Objects in one function whose properties all have the same names; each needs a variable, a constant or both. */
function named(names: readonly string[]): object {
  const of = (schema: object): object => ({
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, schema])),
  });
  const many = { enum: ['one', ...Array.from({ length: 20 }, (_, n) => String(n))] };
  return {
    type: 'object',
    properties: {
      a: of({ type: 'string', minLength: 2, pattern: '^a+$' }),
      b: of({ type: 'string', minLength: 2 }),
      c: of(many),
    },
  };
}

describe('a generated function', () => {
  it('tries each alternative once, however deep a value is', async () => {
    const check = await compiledSchema(tree);
    expect(check(nested(200, {}))).to.equal(true);
    const wrong = nested(200, { other: 1 });
    expect(check(wrong)).to.equal(false);
    expect(failuresOf(check, wrong)).not.to.deep.equal([]);
  });

  it('misses what is required, whatever type it may have', async () => {
    const type = ['object', 'boolean', 'array', 'string', 'number', 'null'];
    const check = await compiledSchema({ required: ['a'], properties: { a: { type } } });
    expect(check({ a: null })).to.equal(true);
    expect(check({})).to.equal(false);
  });

  it('has its own variables where properties have the names of its constants, helpers and variables', async () => {
    const text = moduleOf(named(['a'])) ?? '';
    const own = [...new Set(text.match(/\b[A-Za-z_]\w*/g))];
    const names = [
      ...own,
      ...HELPER_NAMES,
      'values',
      'pattern',
      'member',
      'fitting',
      'trial',
      'found',
      'index',
    ];
    const check = await compiledSchema(named(names));
    const good = (text: string) => Object.fromEntries(names.map((name) => [name, text]));
    expect(check({ a: good('aa'), b: good('aa'), c: good('one') })).to.equal(true);
    for (const name of names) {
      expect(check({ a: good('aa'), b: { ...good('aa'), [name]: 'a' } }), name).to.equal(false);
      expect(check({ a: good('aa'), c: { ...good('one'), [name]: 'six' } }), name).to.equal(false);
    }
  });

  it('is written in linear time where thousands of properties have no names of variables', () => {
    const count = runs(40_000);
    const properties = Object.fromEntries(
      Array.from({ length: count }, (_, n) => [
        `a_${String(n)}`,
        { type: 'object', properties: { b: { type: 'string', minLength: 2 } } },
      ]),
    );
    const started = process.cpuUsage();
    moduleOf({ type: 'object', properties });
    expect(process.cpuUsage(started).user).to.be.lessThan(500 * count);
  });

  describe('of schemas that refer twice to the next of forty', () => {
    const last = { properties: { a: { minLength: 2 }, b: {} }, minLength: 2 };
    const wholes: Readonly<Record<string, (each: object) => object>> = {
      allOf: (each) => ({ allOf: [each, each], unevaluatedProperties: false }),
      anyOf: (each) => ({ anyOf: [each, each], unevaluatedProperties: false }),
      'allOf inside': (each) => ({ allOf: [{ allOf: [each, { properties: { c: {} } }] }, each] }),
    };
    for (const [what, level] of Object.entries(wholes)) {
      it(`has a function for each, and asks each once: ${what}`, async () => {
        const $defs = Object.fromEntries(
          Array.from({ length: 40 }, (_, n) => [`l${n}`, level({ $ref: `#/$defs/l${n + 1}` })]),
        );
        const schema = { $defs: { ...$defs, l40: last }, $ref: '#/$defs/l0', unevaluatedProperties: false };
        expect(moduleOf(schema)?.length).to.be.lessThan(1_000_000);
        const check = await compiledSchema(schema);
        for (const good of [{ a: 'aa', b: 1 }, {}, 'aa', 5, [1]])
          expect(check(good), JSON.stringify(good)).to.equal(true);
        for (const bad of [{ a: 'a' }, { a: 'aa', d: 1 }, 'a']) {
          expect(check(bad), JSON.stringify(bad)).to.equal(false);
          expect(failuresOf(check, bad)).not.to.deep.equal([]);
        }
      });
    }
  });

  it('ends where a schema tracks itself inside a property', async () => {
    const inner = { $ref: '#/$defs/list', unevaluatedProperties: false };
    const check = await compiledSchema({
      $defs: { list: { prefixItems: [{ additionalProperties: inner }] } },
      $ref: '#/$defs/list',
    });
    expect(check([{ a: {} }])).to.equal(true);
    expect(check([{ a: { b: 1 } }])).to.equal(false);
  });
});
