/** The tables of OpenAPI's "Style Examples", row by row, for `color`. */
import { expect } from 'chai';
import type {
  Coercion,
  ParameterLocation,
  ParameterStyle,
} from '../../../../src/runtime/contract/contract.js';
import { decodeOne, refusalOf } from './decode-one.js';

const string: Coercion = { type: 'string' };
const integer: Coercion = { type: 'integer' };
const array: Coercion = { type: 'array', items: string };
const object: Coercion = { type: 'object', properties: { R: integer, G: integer, B: integer } };

const colors = ['blue', 'black', 'brown'];
const channels = { R: 100, G: 200, B: 150 };

/** The texts of a row; null where the table says n/a. The first is that of an empty string, array or object. */
type Row = readonly [
  location: ParameterLocation,
  style: ParameterStyle,
  explode: boolean,
  empty: string | null,
  string: string | null,
  array: string | null,
  object: string | null,
];

const rows: readonly Row[] = [
  ['path', 'matrix', false, ';color', ';color=blue', ';color=blue,black,brown', ';color=R,100,G,200,B,150'],
  [
    'path',
    'matrix',
    true,
    ';color',
    ';color=blue',
    ';color=blue;color=black;color=brown',
    ';R=100;G=200;B=150',
  ],
  ['path', 'label', false, '.', '.blue', '.blue,black,brown', '.R,100,G,200,B,150'],
  ['path', 'label', true, '.', '.blue', '.blue.black.brown', '.R=100.G=200.B=150'],
  ['path', 'simple', false, '', 'blue', 'blue,black,brown', 'R,100,G,200,B,150'],
  ['path', 'simple', true, '', 'blue', 'blue,black,brown', 'R=100,G=200,B=150'],
  ['header', 'simple', false, '', 'blue', 'blue,black,brown', 'R,100,G,200,B,150'],
  ['header', 'simple', true, '', 'blue', 'blue,black,brown', 'R=100,G=200,B=150'],
  ['query', 'form', false, 'color=', 'color=blue', 'color=blue,black,brown', 'color=R,100,G,200,B,150'],
  ['query', 'form', true, 'color=', 'color=blue', 'color=blue&color=black&color=brown', 'R=100&G=200&B=150'],
  ['cookie', 'form', false, 'color=', 'color=blue', 'color=blue,black,brown', 'color=R,100,G,200,B,150'],
  ['cookie', 'form', true, 'color=', 'color=blue', 'color=blue&color=black&color=brown', 'R=100&G=200&B=150'],
  [
    'query',
    'spaceDelimited',
    false,
    null,
    null,
    'color=blue%20black%20brown',
    'color=R%20100%20G%20200%20B%20150',
  ],
  [
    'query',
    'pipeDelimited',
    false,
    null,
    null,
    'color=blue%7Cblack%7Cbrown',
    'color=R%7C100%7CG%7C200%7CB%7C150',
  ],
  ['query', 'deepObject', true, null, null, null, 'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150'],
];

/** What earlier tables, the parts of a specification outside its table, and clients write beside it. */
const variants: readonly (readonly [
  ParameterLocation,
  ParameterStyle,
  boolean,
  Coercion,
  string,
  unknown,
])[] = [
  ['path', 'label', false, array, '.blue.black.brown', colors],
  ['path', 'label', false, object, '.R.100.G.200.B.150', channels],
  ['query', 'spaceDelimited', false, array, 'color=blue+black+brown', colors],
  ['query', 'spaceDelimited', true, array, 'color=blue&color=black&color=brown', colors],
  ['query', 'spaceDelimited', true, object, 'R=100&G=200&B=150', channels],
  ['query', 'pipeDelimited', false, array, 'color=blue|black%7cbrown', colors],
  ['query', 'pipeDelimited', true, array, 'color=blue&color=black&color=brown', colors],
  ['query', 'deepObject', true, object, 'color[R]=100&color[G]=200&color[B]=150', channels],
  ['cookie', 'form', true, array, 'a=1; color=blue; color=black; color=brown', colors],
  ['cookie', 'form', true, object, 'R=100; a=1; G=200; B=150', channels],
  ['header', 'simple', false, array, 'blue, black ,\tbrown', colors],
  ['header', 'simple', true, object, 'R=100, G=200, B=150', channels],
  ['path', 'matrix', true, array, ';color=blue;color;color=brown', ['blue', '', 'brown']],
  ['path', 'matrix', true, { type: 'object', properties: {} }, ';R;G=1', { R: '', G: '1' }],
];

describe('styles', () => {
  for (const [location, style, explode, empty, text, list, members] of rows) {
    const row = `${location} ${style} explode ${String(explode)}`;
    const cases: readonly (readonly [string, Coercion, string | null, unknown])[] = [
      ['the empty string', string, empty, ''],
      ['the empty array', array, exploded(location, explode) ? null : empty, []],
      ['the empty object', object, empty, {}],
      ['a string', string, text, 'blue'],
      ['an array', array, list, colors],
      ['an object', object, members, channels],
    ];
    for (const [title, value, given, expected] of cases) {
      if (given === null) continue;
      it(`read ${title} in ${row}: ${given}`, () => {
        expect(decodeOne({ in: location, style, explode, value }, given)).to.deep.equal(expected);
      });
    }
  }

  for (const [location, style, explode, value, given, expected] of variants) {
    it(`read ${given} in ${location} ${style} explode ${String(explode)}`, () => {
      expect(decodeOne({ in: location, style, explode, value }, given)).to.deep.equal(expected);
    });
  }

  it('read a lone empty text of an exploded array as an item if it can be one', () => {
    const ofItems = (items: Coercion) =>
      ({ in: 'query', style: 'form', explode: true, value: { type: 'array', items } }) as const;
    expect(decodeOne(ofItems(string), 'color=')).to.deep.equal(['']);
    expect(decodeOne(ofItems(integer), 'color=')).to.deep.equal([]);
    expect(refusalOf(() => decodeOne(ofItems(integer), 'color=&color=1'))).to.equal(
      'query/color/0 must be integer',
    );
  });

  it('split before they decode, so that an encoded delimiter belongs to the value', () => {
    const decode = (location: ParameterLocation, style: ParameterStyle, explode: boolean, text: string) =>
      decodeOne({ in: location, style, explode, value: array }, text);
    expect(decode('path', 'simple', false, 'a%2Cb,c')).to.deep.equal(['a,b', 'c']);
    expect(decode('path', 'label', true, '.a%2Eb.c')).to.deep.equal(['a.b', 'c']);
    expect(decode('path', 'matrix', true, ';color=a%3Bb;color=c')).to.deep.equal(['a;b', 'c']);
    expect(decode('query', 'form', false, 'color=a%2Cb,c')).to.deep.equal(['a,b', 'c']);
    expect(decode('query', 'form', true, 'color=a%26b&color=c')).to.deep.equal(['a&b', 'c']);
    expect(decode('query', 'pipeDelimited', false, 'color=a%2Cb|c')).to.deep.equal(['a,b', 'c']);
    expect(decode('cookie', 'form', false, 'color=a%2Cb,c')).to.deep.equal(['a,b', 'c']);
  });

  it('read a plus as a space in queries only, and leave headers as they are', () => {
    expect(decodeOne({ in: 'query', style: 'form', value: string }, 'color=a+b%2Bc')).to.equal('a b+c');
    expect(decodeOne({ in: 'path', style: 'simple', value: string }, 'a+b%20c')).to.equal('a+b c');
    expect(decodeOne({ in: 'cookie', style: 'form', value: string }, 'color=a+b%20c')).to.equal('a+b c');
    expect(decodeOne({ in: 'header', style: 'simple', value: string }, 'a+b%20c')).to.equal('a+b%20c');
  });

  const refused: readonly (readonly [
    ParameterLocation,
    ParameterStyle,
    boolean,
    Coercion,
    string,
    string,
  ])[] = [
    ['path', 'label', false, string, 'blue', 'path/color must start with "."'],
    ['path', 'label', true, array, 'blue.black', 'path/color must start with "."'],
    ['path', 'matrix', false, string, 'blue', 'path/color must start with ";color="'],
    ['path', 'matrix', false, array, ';colour=blue', 'path/color must start with ";color="'],
    ['path', 'matrix', true, array, ';color=blue;black', 'path/color must start with ";color="'],
    ['path', 'matrix', true, object, 'R=100', 'path/color must start with ";"'],
    ['path', 'simple', false, object, 'R,100,G', 'path/color must be names and values by turns'],
    ['path', 'simple', true, object, 'R=100,G', 'path/color must be a list of name=value'],
    ['header', 'simple', false, object, 'R,100,R,200', 'headers/color/R must be given once'],
    ['header', 'simple', false, object, 'R,red', 'headers/color/R must be integer'],
    ['query', 'form', true, object, 'R=1&G=green', 'query/color/G must be integer'],
    ['query', 'form', true, object, 'R=1&R=2', 'query/color/R must be given once'],
    ['query', 'deepObject', true, object, 'color=R,100', 'query/color must be given as color[name]=value'],
  ];
  for (const [location, style, explode, value, given, sentence] of refused) {
    it(`refuse ${given} in ${location} ${style} explode ${String(explode)}: ${sentence}`, () => {
      expect(refusalOf(() => decodeOne({ in: location, style, explode, value }, given))).to.equal(sentence);
    });
  }
});

/** Where `color=` is an array of one empty string as well: the test of its own says which. */
function exploded(location: ParameterLocation, explode: boolean): boolean {
  return explode && (location === 'query' || location === 'cookie');
}
