/** The one sentence that a caller reads of a failed check. */
import { expect } from 'chai';
import type { Failure } from '../../../src/runtime/failures/failure.js';
import { failureOf, sentenceOf } from '../../../src/runtime/failures/sentences.js';

function failure(given: Partial<Failure>): Failure {
  return { instancePath: '', keyword: 'type', params: {}, message: 'is not valid', ...given };
}

describe('failureOf', () => {
  const type = { message: 'must be string' };
  const sentences: readonly (readonly [error: Partial<Failure>, subject: string, sentence: string])[] = [
    [type, 'body', 'body must be string'],
    [{ ...type, instancePath: '/name' }, 'body', 'body/name must be string'],
    [{ ...type, instancePath: '/query/limit' }, '', 'query/limit must be string'],
    [{ ...type, instancePath: '/a~1b/c~0d/~01' }, 'body', 'body/a/b/c~d/~1 must be string'],
    [{ instancePath: '/x' }, 'body', 'body/x is not valid'],
    [
      { keyword: 'enum', params: { allowedValues: ['a', 1, null] }, message: 'must be equal to one of the allowed values' },
      'body',
      'body must be equal to one of the allowed values: a, 1, null',
    ],
    [
      { keyword: 'const', params: { allowedValue: { a: 1 } }, message: 'must be equal to constant' },
      'body',
      'body must be equal to constant: {"a":1}',
    ],
    [
      { keyword: 'additionalProperties', params: { additionalProperty: 'x' }, message: 'must NOT have additional properties' },
      'body',
      'body must NOT have additional properties: x',
    ],
    [
      { keyword: 'unevaluatedProperties', params: { unevaluatedProperty: 'x' }, message: 'must NOT have unevaluated properties' },
      'body',
      'body must NOT have unevaluated properties: x',
    ],
    [{ keyword: 'enum', params: {}, message: 'must be one' }, 'body', 'body must be one'],
  ]; // prettier-ignore
  for (const [error, subject, sentence] of sentences) {
    it(`says ${JSON.stringify(sentence)}`, () => {
      expect(sentenceOf(failure(error), subject)).to.equal(sentence);
    });
  }

  it('says the first of several', () => {
    const schema = { properties: { a: { type: 'string' }, b: { type: 'string' } } };
    const check = Object.assign(() => false, { schema: () => schema });
    expect(failureOf(check, { b: 1, a: 1 }, 'body')).to.equal('body/a must be string');
  });

  describe('of a value that fits none of several schemas', () => {
    const none = {
      instancePath: '/items/0',
      keyword: 'oneOf',
      params: { passingSchemas: null },
      message: 'must match exactly one schema in oneOf',
    };
    const required = (name: string): Partial<Failure> => ({
      instancePath: '/items/0',
      keyword: 'required',
      message: `must have required property '${name}'`,
    });
    const additional = {
      instancePath: '/items/0',
      keyword: 'additionalProperties',
      params: { additionalProperty: 'x' },
      message: 'must NOT have additional properties',
    };
    const price = {
      instancePath: '/items/0/unitPrice',
      keyword: 'multipleOf',
      message: 'must be multiple of 0.01',
    };
    const tag = {
      instancePath: '/items/0/kind',
      keyword: 'const',
      params: { allowedValue: 'a' },
      message: 'must be equal to constant',
    };
    const string = { instancePath: '/items/0', message: 'must be string' };
    const integer = { instancePath: '/items/0', message: 'must be integer' };

    const told: readonly (readonly [name: string, errors: readonly Partial<Failure>[], sentence: string])[] =
      [
        [
          'a property that is wrong, before one that another lacks',
          [required('productId'), price],
          'body/items/0/unitPrice must be multiple of 0.01',
        ],
        [
          'a name that is not known, before one that another lacks',
          [required('productId'), additional],
          'body/items/0 must NOT have additional properties: x',
        ],
        [
          'what is missing, before another kind of value',
          [string, required('name')],
          "body/items/0 must have required property 'name'",
        ],
        [
          'what is missing, before another tag',
          [tag, required('name')],
          "body/items/0 must have required property 'name'",
        ],
        ['the tag, where that is all', [tag], 'body/items/0/kind must be equal to constant: a'],
        [
          'each of what is missing',
          [required('productId'), required('name')],
          "body/items/0 must have required property 'productId' or must have required property 'name'",
        ],
        [
          'each kind of value, once',
          [string, integer, string],
          'body/items/0 must be string or must be integer',
        ],
        [
          'one place, where several are as close',
          [price, { ...price, instancePath: '/items/0/quantity' }],
          'body/items/0/unitPrice must be multiple of 0.01',
        ],
        [
          'what is left, where the schemas say nothing',
          [],
          'body/items/0 must match exactly one schema in oneOf',
        ],
      ];
    for (const [name, errors, sentence] of told) {
      it(`says ${name}`, () => {
        const alternatives = errors.map((error) => [failure(error)]);
        expect(sentenceOf(failure({ ...none, alternatives }), 'body')).to.equal(sentence);
      });
    }

    it('says that several fit where one may', () => {
      const several = { ...none, params: { passingSchemas: [0, 1] } };
      expect(sentenceOf(failure({ ...several, alternatives: [[failure(price)]] }), 'body')).to.equal(
        'body/items/0 must match exactly one schema in oneOf',
      );
    });
  });

  it('says which item of a list no value fits', () => {
    const check = Object.assign(() => false, { schema: () => ({ prefixItems: [false], items: false }) });
    expect(failureOf(check, [1], 'body')).to.equal('body/0 boolean schema is false');
  });

  it('says something of a check that does not say what it checks', () => {
    expect(failureOf(() => false, 1, 'body')).to.equal('body is not valid');
    expect(failureOf(() => false, 1, '')).to.equal('is not valid');
  });
});
