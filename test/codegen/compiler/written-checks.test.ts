/** Tests what generated functions look like, and that none of them does its work twice. */
import { expect } from 'chai';
import { failuresOf } from '../../../src/runtime/failures/failures-of.js';
import { compiledSchema, moduleOf } from './compiled-schema.js';

/** The functions of a module, without helpers and descriptions. */
function functionsOf(schema: object): string {
  const text = moduleOf(schema) ?? '';
  return text
    .slice(text.indexOf('/** #/components/schemas/'))
    .replaceAll(/^\w+\.schema = [\s\S]*?\);\n\n?/gm, '')
    .replace(/\nexport [\s\S]*/, '');
}

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

describe('a generated function', () => {
  it('looks first at what tells alternatives apart', () => {
    const schema = {
      type: 'object',
      required: ['name', 'kind'],
      properties: { name: { type: 'string', maxLength: 3 }, kind: { const: 'a' } },
    };
    const text = functionsOf(schema);
    expect(text.indexOf('value.kind')).to.be.greaterThan(0).and.to.be.lessThan(text.indexOf('value.name'));
  });

  it('is one expression where no statement is needed', () => {
    expect(
      functionsOf({ oneOf: [{ type: 'string', minLength: 1 }, { type: 'integer' }, { type: 'null' }] }),
    ).to.include(
      'return Number(typeof value === "string" && value !== "") + Number(Number.isInteger(value)) + Number(value === null) === 1;',
    );
  });

  it('counts characters only where the number of code units does not decide', () => {
    expect(functionsOf({ type: 'string', maxLength: 5 })).to.include(
      'typeof value === "string" && (value.length <= 5 || codePoints(value) <= 5)',
    );
  });

  it('tries each alternative once, however deep a value is', async function () {
    this.timeout(5_000);
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
