/** Tests of several parameters together: presence, defaults, repetition, names, and which parameter claims which text. */
import { expect } from 'chai';
import type { ParameterCodec } from '../../../../src/runtime/contract/contract.js';
import { compileParameters, type RawParameters } from '../../../../src/runtime/rest/decode/parameters.js';
import { decodeOne, refusalOf } from './decode-one.js';

const string = { type: 'string' } as const;
const integer = { type: 'integer' } as const;
const integers = { type: 'array', items: integer } as const;

function decode(codecs: readonly ParameterCodec[], raw: Partial<RawParameters>) {
  return compileParameters(
    codecs,
    '/{userId}/orders/{orderId}',
  )({ values: [], query: '', headers: {}, ...raw });
}

describe('compileParameters', () => {
  it('sorts values by location and name', () => {
    const decoded = decode(
      [
        { in: 'header', name: 'X-Page', style: 'simple', value: integer },
        { in: 'path', name: 'orderId', required: true, style: 'simple', value: integer },
        { in: 'path', name: 'userId', required: true, style: 'simple', value: string },
        { in: 'cookie', name: 'theme', style: 'form', value: string },
        { in: 'query', name: 'b', style: 'form', value: integers },
        { in: 'query', name: 'a', style: 'form', value: string },
      ],
      {
        values: ['J%C3%BCrgen', '7'],
        query: 'a=x&b=1,2&c=3',
        headers: { 'x-page': '5', cookie: 'a=b; theme=dark' },
      },
    );
    expect(decoded).to.deep.equal({
      path: { orderId: 7, userId: 'Jürgen' },
      query: { b: [1, 2], a: 'x' },
      headers: { 'X-Page': 5 },
      cookies: { theme: 'dark' },
    });
  });

  it('shares one frozen object between locations without parameters', () => {
    const { path, query, headers, cookies } = decode([], { query: 'a=1', headers: { cookie: 'a=1' } });
    expect(new Set([path, query, headers, cookies]).size).to.equal(1);
    expect(path).to.be.frozen.and.to.deep.equal({});
  });

  it('leaves an absent parameter out, and refuses its absence where it is required', () => {
    for (const location of ['query', 'header', 'cookie'] as const) {
      const codec = {
        in: location,
        name: 'X-A',
        style: location === 'header' ? 'simple' : 'form',
        value: string,
      } as const;
      const place = { query: 'query', header: 'headers', cookie: 'cookies' }[location];
      expect(decode([codec], {})).to.deep.equal({ path: {}, query: {}, headers: {}, cookies: {} });
      expect(refusalOf(() => decode([{ ...codec, required: true }], {}))).to.equal(
        `${place}/X-A is required`,
      );
    }
  });

  it('puts the default where a parameter is absent, a fresh copy for each request', () => {
    const codecs: readonly ParameterCodec[] = [
      { in: 'query', name: 'limit', style: 'form', value: integer, default: 10 },
      { in: 'query', name: 'ids', style: 'form', explode: true, value: integers, default: [1] },
      { in: 'query', name: 'none', style: 'form', value: { type: ['integer', 'null'] }, default: null },
    ];
    const decodeQuery = compileParameters(codecs);
    const first = decodeQuery({ values: [], query: '', headers: {} }).query;
    expect(first).to.deep.equal({ limit: 10, ids: [1], none: null });
    (first.ids as number[]).push(2);
    expect(decodeQuery({ values: [], query: 'limit=5', headers: {} }).query).to.deep.equal({
      limit: 5,
      ids: [1],
      none: null,
    });
  });

  it('refuses a second text where one is meant', () => {
    const decodeTwo = (explode: boolean, value: ParameterCodec['value']) => () =>
      decodeOne({ in: 'query', style: 'form', explode, value }, 'color=1&x=2&color=3');
    expect(refusalOf(decodeTwo(true, integer))).to.equal('query/color must be given once');
    expect(refusalOf(decodeTwo(true, string))).to.equal('query/color must be given once');
    expect(refusalOf(decodeTwo(false, integers))).to.equal('query/color must be given once');
    expect(refusalOf(decodeTwo(true, { anyOf: [integer, { type: 'null' }] }))).to.equal(
      'query/color must be given once',
    );
    expect(decodeTwo(true, integers)()).to.deep.equal([1, 3]);
  });

  it('names the item that does not fit', () => {
    const ids = { in: 'query', name: 'ids', style: 'form', value: integers } as const;
    expect(refusalOf(() => decodeOne({ ...ids, explode: true }, 'ids=1&ids=x'))).to.equal(
      'query/ids/1 must be integer',
    );
    expect(refusalOf(() => decodeOne({ ...ids, explode: false }, 'ids=1,2,'))).to.equal(
      'query/ids/2 must be integer',
    );
  });

  it('refuses malformed percent-encoding, with its place', () => {
    for (const text of ['%', '%f', '%ff', '%zz', '%C3', '%ED%A0%80', 'a%00%8']) {
      expect(
        refusalOf(() => decodeOne({ in: 'path', name: 'id', style: 'simple', value: string }, text)),
      ).to.equal('path/id is not valid percent-encoding');
      expect(
        refusalOf(() => decodeOne({ in: 'query', style: 'form', value: string }, `color=${text}`)),
      ).to.equal('query/color is not valid percent-encoding');
      expect(
        refusalOf(() => decodeOne({ in: 'cookie', style: 'form', value: string }, `color=${text}`)),
      ).to.equal('cookies/color is not valid percent-encoding');
    }
  });

  it('lets an encoded NUL through as the character it is', () => {
    expect(decodeOne({ in: 'path', style: 'simple', value: string }, 'a%00b')).to.equal('a\0b');
  });

  it('ignores unknown parameters, well-formed or not', () => {
    const query = '&&x=%zz&%zz=1&=2&constructor=3&__proto__=4&color=blue&';
    expect(
      decode([{ in: 'query', name: 'color', style: 'form', value: string }], { query }).query,
    ).to.deep.equal({
      color: 'blue',
    });
  });

  it('decodes names, and reads a name alone as an empty text', () => {
    const codecs: readonly ParameterCodec[] = [
      { in: 'query', name: 'page[size]', style: 'form', value: integer },
      { in: 'query', name: 'a b', style: 'form', value: string },
      { in: 'query', name: 'flag', style: 'form', value: string },
    ];
    expect(decode(codecs, { query: 'page%5Bsize%5D=5&a+b=c=d&flag' }).query).to.deep.equal({
      'page[size]': 5,
      'a b': 'c=d',
      flag: '',
    });
  });
});

describe('header parameters', () => {
  const codec = { in: 'header', name: 'X-Ids', style: 'simple' } as const;

  it('are found by their name in any case and called as the contract calls them', () => {
    expect(decode([{ ...codec, value: integers }], { headers: { 'x-ids': '1, 2' } }).headers).to.deep.equal({
      'X-Ids': [1, 2],
    });
    expect(refusalOf(() => decodeOne({ ...codec, value: integers }, '1, x'))).to.equal(
      'headers/X-Ids/1 must be integer',
    );
  });

  it('may be given in several lines where they are lists', () => {
    const headers = { 'x-ids': ['1', '2,3'] };
    expect(decode([{ ...codec, value: integers }], { headers }).headers).to.deep.equal({
      'X-Ids': [1, 2, 3],
    });
    expect(refusalOf(() => decode([{ ...codec, value: string }], { headers }))).to.equal(
      'headers/X-Ids must be given once',
    );
  });
});
