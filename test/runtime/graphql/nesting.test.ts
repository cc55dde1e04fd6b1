/** Documents and variables that are nested so deep that a recursive reader would exhaust the stack. */

import { expect } from 'chai';
import { buildSchema } from 'graphql';
import { BESIDE_FIELDS, type Limits } from '../../../src/runtime/graphql/document/limits.js';
import { graphqlEngine } from '../../../src/runtime/graphql/index.js';
import { unexpectedReport } from '../../support/unexpected-report.js';

const schema = buildSchema('input In { n: In } type Query { a(in: In, list: [Int]): Query, b: Int }');

function codeOf(
  query: string,
  { variables, ...limits }: Partial<Limits> & { variables?: object } = {},
): string {
  const engine = graphqlEngine<undefined>({
    schema,
    limits,
    explain: () => undefined,
    report: unexpectedReport,
  });
  const prepared = engine.prepare({ query, variables: variables as Record<string, unknown> | undefined });
  return 'errors' in prepared ? String(prepared.errors[0].extensions?.['code']) : prepared.type;
}

const times = (count: number, text: string): string => text.repeat(count);

/** Each with every count of levels that a document of a megabyte has room for. */
const documents: Readonly<Record<string, (levels: number) => string>> = {
  'lists without an end': (levels) => `{a(list:${times(levels, '[')}`,
  lists: (levels) => `{a(list:${times(levels, '[')}${times(levels, ']')}){b}}`,
  objects: (levels) => `{a(in:${times(levels, '{n:')}{}${times(levels, '}')}){b}}`,
  'fields without an end': (levels) => times(levels, '{a'),
  fields: (levels) => `${times(levels, '{a')}{b}${times(levels, '}')}`,
  'inline fragments': (levels) => `${times(levels, '{...')}{b}${times(levels, '}')}`,
  'types of variables': (levels) => `query($v:${times(levels, '[')}Int${times(levels, ']')}){b}`,
  'values of variables': (levels) => `query($v:[Int]=${times(levels, '[')}${times(levels, ']')}){b}`,
  'fields of fragments': (levels) =>
    `{...F} fragment F on Query${times(levels, '{a')}{b}${times(levels, '}')}`,
};

describe('the nesting of a GraphQL document', () => {
  for (const [what, write] of Object.entries(documents)) {
    it(`is bounded for ${what}`, () => {
      for (const levels of [200, 600, 990, 100_000]) {
        expect(codeOf(write(levels)), String(levels)).to.equal('LIMIT_EXCEEDED');
        expect(codeOf(write(levels), { tokens: 1_000_000 }), String(levels)).to.equal('LIMIT_EXCEEDED');
      }
    });
  }

  it('is bounded where fragments spread each other in a row', () => {
    const row = Array.from({ length: 30_000 }, (_, n) => `fragment F${n} on Query { ...F${n + 1} }`);
    const query = `{ ...F0 } ${row.join(' ')} fragment F30000 on Query { b }`;
    expect(codeOf(query, { tokens: 1_000_000 })).to.equal('LIMIT_EXCEEDED');
  });

  it('may be as deep as the limit of fields, and its arguments as well', () => {
    expect(
      codeOf(`${times(999, '{a')}{b}${times(999, '}')}`, { depth: 1000, repeats: 1000, tokens: 9000 }),
    ).to.equal('query');
    expect(codeOf(`{a(in:${times(90, '{n:')}{}${times(90, '}')}){b}}`)).to.equal('query');
  });

  it('may have exactly as many brackets and tokens as the limits say', () => {
    // The parenthesis of the arguments and the brace of the operation are two.
    const deepest = 12 + BESIDE_FIELDS - 2;
    const nested = (levels: number): string => `{a(list:${times(levels, '[')}${times(levels, ']')}){b}}`;
    // That deep it is parsed, and refused for what it says.
    expect(codeOf(nested(deepest), { depth: 12 })).to.equal('GRAPHQL_VALIDATION_FAILED');
    expect(codeOf(nested(deepest + 1), { depth: 12 })).to.equal('LIMIT_EXCEEDED');
    expect(codeOf('{a{b}}', { tokens: 6 })).to.equal('query');
    expect(codeOf('{a{b}}', { tokens: 5 })).to.equal('LIMIT_EXCEEDED');
  });

  it('does not count brackets in texts and comments', () => {
    expect(codeOf(`{b} #${times(500, '{')}`)).to.equal('query');
    expect(codeOf(`query($v: String = "${times(500, '[')}") {b}`)).to.equal('GRAPHQL_VALIDATION_FAILED');
  });

  it('is bounded for the values of variables', () => {
    const query = 'query ($in: In) { a(in: $in) { b } }';
    const nested = (levels: number): object =>
      JSON.parse(`{"in":${times(levels - 1, '{"n":')}{}${times(levels - 1, '}')}}`) as object;
    // The object of the variables is a level too.
    for (const levels of [90, BESIDE_FIELDS - 1]) {
      expect(codeOf(query, { variables: nested(levels) })).to.equal('query');
    }
    for (const levels of [BESIDE_FIELDS, 2_000, 100_000]) {
      expect(codeOf(query, { variables: nested(levels) })).to.equal('LIMIT_EXCEEDED');
    }
  });
});
