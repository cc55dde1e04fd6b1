/** Constants for the repeated parts of literals: together they have the values that were given. */

import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import fc from 'fast-check';
import { code, identifier } from '../../../src/codegen/text/code.js';
import { literal } from '../../../src/codegen/text/literal.js';
import { sharedLiterals } from '../../../src/codegen/text/shared-literals.js';

/** The program that declares some values, and its result. */
function written(values: readonly object[], whole: readonly string[] = []) {
  const named = values.map((value, index) => [identifier(`root${String(index)}`), value] as const);
  const shared = sharedLiterals(named, new Set(named.map(([name]) => name)), { whole });
  const constants = shared.flatMap(({ name, value, parts }) => [...parts, [name, value] as const]);
  const text = constants.map(([name, value]) => code`const ${name} = ${literal(value)};\n`).join('');
  const names = named.map(([name]) => name).join(', ');
  return {
    text,
    result: JSON.parse(runInNewContext(`${text}JSON.stringify([${names}])`) as string) as unknown,
  };
}

const LONG = { in: 'query', name: 'page size', style: 'form', value: { type: 'integer', least: 1 } };

describe('literals with shared parts', () => {
  it('have a constant for each part that is repeated, by the name or the key of the part', () => {
    const { text, result } = written([{ list: [LONG, { ...LONG }] }, { other: { inner: [LONG] } }]);
    expect(text.match(/^const \w+/gm)).to.deep.equal(['const pageSize', 'const root0', 'const root1']);
    expect(result).to.deep.equal([{ list: [LONG, LONG] }, { other: { inner: [LONG] } }]);
  });

  it('repeat what is short, and what is to stay in its place', () => {
    const short = { type: 'string' };
    const { text } = written([{ a: short, b: short, stays: LONG, other: { stays: LONG } }], ['stays']);
    expect(text.match(/^const \w+/gm)).to.deep.equal(['const root0']);
  });

  it('have the values that were given', () => {
    const names = fc.constantFrom('a', 'name', '200', 'x-y', 'class', 'value of a long name');
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom('text', 'a longer text, of which there are several', 1, null, true, ''),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(names, tie('value'), { maxKeys: 4, noNullPrototype: true }),
      ),
    }));
    const roots = fc.array(fc.dictionary(names, value, { noNullPrototype: true }), { maxLength: 5 });
    fc.assert(
      fc.property(roots, (values) => {
        expect(written(values).result).to.deep.equal(values);
      }),
      { seed: 7, numRuns: 300 },
    );
  });
});
