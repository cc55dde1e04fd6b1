/** Tests that what is written of parameters is what the engine reads of them. */
import { expect } from 'chai';
import fc from 'fast-check';
import { writeParameters } from '../../../src/runtime/rest/encode/write-parameters.js';
import type {
  Coercion,
  ParameterCodec,
  ParameterLocation,
  ParameterStyle,
} from '../../../src/runtime/contract/contract.js';
import type { ParameterNotation } from '../../../src/runtime/contract/tool-table.js';
import { Problem } from '../../../src/runtime/http/problem.js';
import { bodyCodecs } from '../../../src/runtime/rest/operation/forms-and-streams.js';
import { compileParameters } from '../../../src/runtime/rest/decode/parameters.js';

const LOCATIONS: readonly (readonly [ParameterLocation, readonly ParameterStyle[]])[] = [
  ['path', ['simple', 'label', 'matrix']],
  ['query', ['form', 'spaceDelimited', 'pipeDelimited']],
  ['header', ['simple']],
  ['cookie', ['form', 'cookie']],
];

const notations: readonly ParameterNotation[] = LOCATIONS.flatMap(([location, styles]) => [
  { in: location, name: location === 'cookie' ? 'xy' : 'x y' },
  ...styles.flatMap((style) =>
    [true, false].map((explode) => ({
      in: location,
      name: location === 'cookie' ? 'xy' : 'x y',
      style,
      explode,
    })),
  ),
]);

/** Texts that a style can tell from its own delimiters. */
function texts({ in: location, style }: ParameterNotation, isItem: boolean): fc.Arbitrary<string> {
  const inHeader = fc.stringMatching(/^[!-+\--<>-~\xa1-\xff]{1,8}$/);
  if (style === 'cookie') return fc.stringMatching(/^[!#-+\--:<-[\]-~]{1,8}$/);
  const isSimple = location === 'path' && style === 'simple';
  const any =
    location === 'header'
      ? inHeader
      : fc.string({ unit: 'grapheme', minLength: isItem || style === 'label' || isSimple ? 1 : 0 });
  const delimiter = isItem && (style === 'spaceDelimited' ? ' ' : style === 'pipeDelimited' ? '|' : false);
  return any.filter((text) => !/^\.{1,2}$/.test(text) && (delimiter === false || !text.includes(delimiter)));
}

interface Case {
  readonly coercion: Coercion;
  readonly values: (notation: ParameterNotation) => fc.Arbitrary<unknown>;
}

const CASES: Readonly<Record<string, Case>> = {
  'a text': { coercion: { type: 'string' }, values: (notation) => texts(notation, false) },
  'a number': {
    coercion: { type: 'number' },
    values: () => fc.double({ noNaN: true, noDefaultInfinity: true }).map((each) => each + 0),
  },
  'a boolean or null': {
    coercion: { type: ['boolean', 'null'] },
    values: () => fc.constantFrom(true, false, null),
  },
  'a list': {
    coercion: { type: 'array', items: { type: 'string' } },
    values: (notation) => fc.array(texts(notation, true), { minLength: 1, maxLength: 4 }),
  },
  'an object': {
    coercion: { type: 'object', properties: { R: { type: 'string' }, G: { type: 'integer' } } },
    values: (notation) => fc.record({ R: texts(notation, true), G: fc.integer() }, { requiredKeys: ['G'] }),
  },
};

function roundTrip(notation: ParameterNotation, coercion: Coercion, value: unknown): unknown {
  const template = notation.in === 'path' ? `/a/{${notation.name}}` : '/a';
  const decode = compileParameters(
    [{ ...notation, value: coercion } as ParameterCodec],
    template,
    bodyCodecs,
  );
  const { path, query, headers } = writeParameters(template, [notation], () => value);
  const decoded = decode({ values: [path.replace('/a/', '')], query, headers });
  const place = {
    path: decoded.path,
    query: decoded.query,
    querystring: decoded.query,
    header: decoded.headers,
    cookie: decoded.cookies,
  };
  return place[notation.in][notation.name];
}

describe('writeParameters', () => {
  for (const notation of notations) {
    const { in: location, style = 'content', explode } = notation;
    for (const [name, { coercion, values }] of Object.entries(CASES)) {
      if (style === 'content' && location === 'header' && name !== 'a number') continue;
      it(`writes ${name} as the engine reads it: ${location}, ${style}${explode ? ', exploded' : ''}`, () => {
        fc.assert(
          fc.property(values(notation), (value) => {
            expect(roundTrip(notation, coercion, value)).to.deep.equal(value);
          }),
        );
      });
    }
  }

  it('writes a parameter that is the whole query, as a form or as JSON', () => {
    const coercion: Coercion = { type: 'json' };
    const text = { style: 'form', explode: true, value: { type: 'string' } } as const;
    const list = { ...text, explode: false, value: { type: 'array', items: { type: 'string' } } } as const;
    const value = { q: 'a & b', tags: ['x', 'y'] };
    const form = { in: 'querystring', name: 'filter', fields: { q: text, tags: list } } as const;
    expect(roundTrip(form, coercion, value)).to.deep.equal(value);
    expect(roundTrip({ in: 'querystring', name: 'filter' }, coercion, value)).to.deep.equal(value);
  });

  it('writes nested objects in brackets', () => {
    const coercion: Coercion = {
      type: 'object',
      properties: {
        tags: { type: 'array', items: { type: 'string' } },
        size: { type: 'object', properties: { min: { type: 'integer' } } },
      },
    };
    const notation: ParameterNotation = { in: 'query', name: 'filter', style: 'deepObject', explode: true };
    const value = { tags: ['a&b', 'c'], size: { min: 1 } };
    expect(roundTrip(notation, coercion, value)).to.deep.equal(value);
  });

  const refused: readonly (readonly [
    what: string,
    notation: ParameterNotation,
    value: unknown,
    sentence: string,
  ])[] = [
    [
      'a segment that leads to another path',
      { in: 'path', name: 'id', style: 'simple' },
      '..',
      'segments . and ..',
    ],
    ['the same, of one dot', { in: 'path', name: 'id', style: 'simple' }, '.', 'segments . and ..'],
    ['the same, in a label', { in: 'path', name: 'id', style: 'label' }, '.', 'segments . and ..'],
    ['no value in a path', { in: 'path', name: 'id', style: 'simple' }, undefined, 'path/id is required'],
    ['an empty text in a path', { in: 'path', name: 'id', style: 'simple' }, '', 'path/id cannot be empty'],
    ['an empty list in a path', { in: 'path', name: 'id', style: 'simple' }, [], 'path/id cannot be empty'],
    ['half of a pair', { in: 'query', name: 'q', style: 'form' }, '\ud800', 'half of a surrogate pair'],
    [
      'another cookie in a cookie',
      { in: 'cookie', name: 'a', style: 'cookie' },
      'b; c=d',
      'no cookie can hold',
    ],
    ['a line break in a header', { in: 'header', name: 'X-A', style: 'simple' }, 'a\r\nb: c', 'headers/X-A'],
  ];
  for (const [what, notation, value, sentence] of refused) {
    it(`refuses ${what}`, () => {
      expect(() => writeParameters('/a/{id}', [notation], () => value))
        .to.throw(Problem, sentence)
        .with.property('status', 400);
    });
  }
});
