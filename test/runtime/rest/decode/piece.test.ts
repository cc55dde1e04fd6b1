/** Parameters that are JSON, in whole or in part. */
import { expect } from 'chai';
import { decodeOne, refusalOf } from './decode-one.js';

describe('parameters with content', () => {
  const content = { in: 'query', name: 'q', value: { type: 'json' } } as const;

  it('are JSON in every location', () => {
    const json = '{"a":[1,"x y"]}';
    const expected = { a: [1, 'x y'] };
    expect(decodeOne(content, `q=${encodeURIComponent(json)}`)).to.deep.equal(expected);
    expect(decodeOne({ ...content, in: 'path' }, encodeURIComponent(json))).to.deep.equal(expected);
    expect(decodeOne({ ...content, in: 'header' }, json)).to.deep.equal(expected);
    expect(decodeOne({ ...content, in: 'cookie' }, `q=${encodeURIComponent(json)}`)).to.deep.equal(expected);
  });

  it('are JSON, independent of the encoding of other texts', () => {
    expect(decodeOne({ ...content, value: { type: 'string' } }, 'q="x"')).to.equal('x');
  });

  it('are refused with the reason when they are not', () => {
    expect(refusalOf(() => decodeOne(content, 'q={'))).to.equal('query/q must be JSON');
  });

  it('hold what OpenAPI has no other text for: arrays and objects inside others', () => {
    const rows = {
      in: 'query',
      name: 'rows',
      style: 'form',
      explode: true,
      value: { type: 'array', items: { type: 'array', items: { type: 'integer' } } },
    } as const;
    expect(decodeOne(rows, 'rows=[1]&rows=[2,3]')).to.deep.equal([[1], [2, 3]]);
    expect(refusalOf(() => decodeOne(rows, 'rows=[1]&rows=2'))).to.equal('query/rows/1 must be array');
    const owner = {
      in: 'query',
      name: 'owner',
      style: 'form',
      explode: false,
      value: { type: 'object', properties: { a: { type: 'object', properties: {} } } },
    } as const;
    expect(decodeOne(owner, 'owner=a,{}')).to.deep.equal({ a: {} });
    for (const other of ['[]', 'null', '1']) {
      expect(refusalOf(() => decodeOne(owner, `owner=a,${other}`))).to.equal('query/owner/a must be object');
    }
  });
});
