/** For any request, decoding ends, refuses with a DecodeError or gives values, and changes nothing else. */
import { expect } from 'chai';
import fc from 'fast-check';
import type { Coercion, ParameterCodec } from '../../../../src/runtime/contract/contract.js';
import { DecodeError } from '../../../../src/runtime/rest/decode/mismatch.js';
import { compileForm, compileMultipart } from '../../../../src/runtime/rest/decode/forms.js';
import { compileParameters } from '../../../../src/runtime/rest/decode/parameters.js';
import { runs } from '../../../support/budget.js';

const text: Coercion = { type: 'string' };
const values: readonly Coercion[] = [
  text,
  { type: ['integer', 'null'] },
  { type: 'json' },
  { type: 'array', items: { type: 'number' } },
  {
    type: 'object',
    properties: { x: { type: 'boolean' }, y: { type: 'array', items: text } },
    additional: text,
  },
  { type: 'object', properties: { x: { type: 'object', properties: {} } } },
  {
    anyOf: [text, { type: 'array', items: { type: 'integer' } }, { type: 'object', properties: { x: text } }],
  },
];
const notations = [
  { in: 'path', style: 'simple' },
  { in: 'path', style: 'label' },
  { in: 'path', style: 'matrix' },
  { in: 'query', style: 'form' },
  { in: 'query', style: 'spaceDelimited' },
  { in: 'query', style: 'pipeDelimited' },
  { in: 'query', style: 'deepObject' },
  { in: 'query' },
  { in: 'header', style: 'simple' },
  { in: 'cookie', style: 'form' },
] as const;

/** One decoder for each notation, exploded or not, and value: each has one parameter, `x`. */
const decoders = notations.flatMap((notation) =>
  [true, false].flatMap((explode) =>
    values.map((value) => compileParameters([{ ...notation, name: 'x', explode, value }], '/{x}')),
  ),
);

/** Hands one text to every decoder, in every place. */
function decodeEverywhere(hostile: string): void {
  for (const decode of decoders) {
    try {
      decode({ values: [hostile], query: hostile, headers: { x: hostile, cookie: hostile } });
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
    }
  }
}

const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array).toString('latin1'));
const tokens = [
  'x',
  'y',
  '=',
  '&',
  ';',
  ',',
  '.',
  '|',
  '+',
  '[',
  ']',
  '%',
  '%zz',
  '%5B',
  '%00',
  '"',
  '{',
  '1',
  ' ',
];
const names = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'x[__proto__]',
  'x[constructor][prototype]',
];
const grammatical = fc
  .array(fc.constantFrom(...tokens, ...names), { maxLength: 30 })
  .map((parts) => parts.join(''));

describe('hostile texts', () => {
  const untouched = Object.getOwnPropertyNames(Object.prototype).join();
  // The stacks of a hundred thousand refusals, which nobody reads, take half of the time.
  const { stackTraceLimit } = Error;
  before(() => (Error.stackTraceLimit = 0));
  after(() => (Error.stackTraceLimit = stackTraceLimit));
  afterEach(() => {
    expect(Object.getOwnPropertyNames(Object.prototype).join()).to.equal(untouched);
    expect(({} as Record<string, unknown>)['polluted']).to.equal(undefined);
  });

  it('are refused with a DecodeError at worst, be they random bytes', () => {
    fc.assert(fc.property(bytes, decodeEverywhere), { numRuns: runs(300) });
  });

  it('are at worst refused with a DecodeError, even when made of the delimiters of the grammars', () => {
    fc.assert(fc.property(grammatical, decodeEverywhere), { numRuns: runs(1000) });
  });

  it('are read to their end when they are long', () => {
    for (const token of [...tokens, 'x=', 'x[', '[y]', 'x[y]=1&', ';x=1', ' ,', '1,', '%41', '9']) {
      decodeEverywhere(token.repeat(50_000 / token.length));
    }
  });

  it('are form bodies that are refused with a DecodeError at worst', async () => {
    const fields = {
      x: { style: 'form', explode: true, value: { type: 'array', items: { type: 'integer' } } },
    } as const;
    const decodeForm = compileForm(fields);
    const decodeMultipart = compileMultipart(fields);
    const part = fc.constantFrom(
      '--b',
      '--',
      '\r\n',
      '\n',
      'Content-Disposition: form-data',
      '; name="x"',
      '; filename=',
    );
    const multipart = fc
      .array(fc.oneof(part, fc.constantFrom(...tokens)), { maxLength: 20 })
      .map((parts) => parts.join(''));
    const body = fc.oneof(bytes, grammatical, multipart);
    const contentType = fc.oneof(fc.constant('multipart/form-data; boundary=b'), fc.string());
    await fc.assert(
      fc.asyncProperty(body, contentType, async (given, type) => {
        const buffer = Buffer.from(given, 'latin1');
        for (const decode of [decodeForm, decodeMultipart]) {
          try {
            await decode(buffer, type);
          } catch (error) {
            if (!(error instanceof DecodeError)) throw error;
          }
        }
      }),
      { numRuns: runs(500) },
    );
  });
});

describe('names of the prototype', () => {
  const parse = (codec: Omit<ParameterCodec, 'name'>, query: string) =>
    compileParameters([{ ...codec, name: 'x' }])({ values: [], query, headers: {} }).query['x'];

  it('become ordinary properties of objects', () => {
    const free = { type: 'object', properties: {}, additional: text } as const;
    for (const [codec, query] of [
      [{ in: 'query', style: 'deepObject', value: free }, 'x[__proto__]=1&x[constructor]=2'],
      [{ in: 'query', style: 'form', explode: true, value: free }, '__proto__=1&constructor=2'],
      [{ in: 'query', style: 'form', explode: false, value: free }, 'x=__proto__,1,constructor,2'],
    ] as const) {
      const value = parse(codec, query) as object;
      expect(Object.entries(value)).to.deep.equal([
        ['__proto__', '1'],
        ['constructor', '2'],
      ]);
      expect(Object.getPrototypeOf(value)).to.equal(Object.prototype);
    }
  });

  it('do not lead out of an object whose properties nest', () => {
    const value = {
      type: 'object',
      properties: {
        constructor: { type: 'object', properties: { prototype: { type: 'object', properties: {} } } },
      },
    } as const;
    const query = 'x[constructor][prototype][polluted]=1';
    expect(parse({ in: 'query', style: 'deepObject', value }, query)).to.deep.equal({
      constructor: { prototype: { polluted: '1' } },
    });
  });

  it('are absent unless the request gives them', () => {
    const codecs = (['query', 'header', 'cookie'] as const).flatMap((location) =>
      ['__proto__', 'constructor', 'toString'].map((name): ParameterCodec => {
        return { in: location, name, style: location === 'header' ? 'simple' : 'form', value: text };
      }),
    );
    const decode = compileParameters(codecs);
    expect(decode({ values: [], query: '', headers: {} })).to.deep.equal({
      path: {},
      query: {},
      headers: {},
      cookies: {},
    });
    const { query, headers, cookies } = decode({
      values: [],
      query: 'toString=1&__proto__=2',
      headers: { constructor: '3', cookie: '__proto__=4' },
    });
    expect(Object.entries(query)).to.deep.equal([
      ['__proto__', '2'],
      ['toString', '1'],
    ]);
    expect(Object.entries(headers)).to.deep.equal([['constructor', '3']]);
    expect(Object.entries(cookies)).to.deep.equal([['__proto__', '4']]);
  });
});
