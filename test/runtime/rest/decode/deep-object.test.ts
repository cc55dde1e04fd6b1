/** Tests of style deepObject beyond the table: arrays, nested objects, and refusals. */
import { expect } from 'chai';
import { decodeOne, refusalOf } from './decode-one.js';

const filter = {
  in: 'query',
  name: 'filter',
  style: 'deepObject',
  explode: true,
  value: {
    type: 'object',
    properties: {
      age: { type: 'integer' },
      tags: { type: 'array', items: { type: 'integer' } },
      owner: { type: 'object', properties: { admin: { type: 'boolean' } } },
      either: { anyOf: [{ type: 'object', properties: { n: { type: 'integer' } } }, { type: 'boolean' }] },
    },
  },
} as const;

const accepted: readonly (readonly [query: string, expected: unknown])[] = [
  ['', undefined],
  ['other[age]=1', undefined],
  ['filters[age]=1', undefined],
  ['filter[age=1', undefined],
  ['filter[age]=1&filter[name]=x+y', { age: 1, name: 'x y' }],
  ['filter%5Bage%5D=1', { age: 1 }],
  ['filter[tags]=1', { tags: [1] }],
  ['filter[tags]=1&filter[age]=7&filter[tags]=2', { tags: [1, 2], age: 7 }],
  ['filter[owner][admin]=true&filter[owner][name]=x', { owner: { admin: true, name: 'x' } }],
  ['filter[either][n]=1', { either: { n: 1 } }],
  ['filter[either]=true', { either: true }],
  ['filter[]=1', { '': '1' }],
  ['filter[a=b]=1', undefined],
  ['filter[a%3Db]=1', { 'a=b': '1' }],
];

const refused: readonly (readonly [query: string, sentence: string])[] = [
  ['filter[age]=x', 'query/filter/age must be integer'],
  ['filter[age]=1&filter[age]=2', 'query/filter/age must be given once'],
  ['filter[age]=%zz', 'query/filter/age is not valid percent-encoding'],
  ['filter[tags]=1&filter[tags]=x', 'query/filter/tags/1 must be integer'],
  ['filter[age][gt]=1', 'query/filter/age must not be nested'],
  ['filter[age]=1&filter[age][gt]=1', 'query/filter/age must not be nested'],
  ['filter[unknown][gt]=1', 'query/filter/unknown must not be nested'],
  ['filter[tags][]=1', 'query/filter/tags must not be nested'],
  ['filter[owner]=x', 'query/filter/owner must be object'],
  ['filter[owner][admin]=x', 'query/filter/owner/admin must be boolean'],
  ['filter[owner][admin][x]=true', 'query/filter/owner/admin must not be nested'],
  ['filter[either]=x', 'query/filter/either must be object,boolean'],
  ['filter=x', 'query/filter must be given as filter[name]=value'],
];

describe('style deepObject', () => {
  for (const [query, expected] of accepted) {
    it(`reads ?${query}`, () => {
      expect(decodeOne(filter, query)).to.deep.equal(expected);
    });
  }

  for (const [query, sentence] of refused) {
    it(`refuses ?${query}: ${sentence}`, () => {
      expect(refusalOf(() => decodeOne(filter, query))).to.equal(sentence);
    });
  }

  it('gives unnamed properties the type of `additional`', () => {
    const counts = {
      ...filter,
      value: { type: 'object', properties: {}, additional: { type: 'integer' } },
    } as const;
    expect(decodeOne(counts, 'filter[a]=1&filter[constructor]=2')).to.deep.equal({ a: 1, constructor: 2 });
    expect(refusalOf(() => decodeOne(counts, 'filter[a]=x'))).to.equal('query/filter/a must be integer');
  });

  it('may have one of several shapes', () => {
    const shape = (property: string) =>
      ({ type: 'object', properties: { [property]: { type: 'integer' } } }) as const;
    const either = { ...filter, value: { anyOf: [shape('a'), shape('b')] } };
    expect(decodeOne(either, 'filter[a]=1&filter[b]=x')).to.deep.equal({ a: 1, b: 'x' });
    expect(decodeOne(either, 'filter[a]=x&filter[b]=1')).to.deep.equal({ a: 'x', b: 1 });
    expect(refusalOf(() => decodeOne(either, 'filter[a]=x&filter[b]=x'))).to.equal(
      'query/filter must be object',
    );
  });
});
