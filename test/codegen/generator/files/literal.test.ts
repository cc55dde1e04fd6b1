/** Tests that a value printed as a literal reads back the same. */

import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import fc from 'fast-check';
import { code, operationKey, propertyName } from '../../../../src/codegen/text/code.js';
import { Verbatim, literal } from '../../../../src/codegen/text/literal.js';

/** JSON has no `__proto__` trouble: `parse` makes it a property like any other. */
const awkward = fc.constantFrom(
  '__proto__',
  'constructor',
  '0',
  '01',
  '-1',
  'a-b',
  '',
  'default',
  '\u2028',
  '*/',
  '`${x}`',
);
const values = fc
  .jsonValue({ depthSize: 'medium', stringUnit: 'binary' })
  .chain((value) => fc.dictionary(awkward, fc.constant(value)));

describe('a literal', () => {
  it('is read as the value that was printed, wherever it is indented', () => {
    fc.assert(
      fc.property(values, fc.nat(120), (value, used) => {
        const json = JSON.stringify(value);
        const read: unknown = runInNewContext(`JSON.stringify((${literal(JSON.parse(json), 0, used)}))`);
        expect(JSON.parse(read as string)).to.deep.equal(JSON.parse(json));
      }),
    );
  });

  it('makes a property of __proto__, and no prototype', () => {
    const text = literal(JSON.parse('{"__proto__":{"a":1}}'));
    expect(text).to.equal('{ ["__proto__"]: { a: 1 } }');
    expect(runInNewContext(`Object.keys((${text})).join()`)).to.equal('__proto__');
  });

  it('is on one line where it fits, and has one entry per line otherwise', () => {
    const entry = 'x'.repeat(50);
    expect(literal([1, { a: 'b' }, []])).to.equal('[1, { a: "b" }, []]');
    expect(literal([entry, entry, entry], 2)).to.equal(
      `[\n    "${entry}",\n    "${entry}",\n    "${entry}",\n  ]`,
    );
    expect(literal({ a: { b: entry }, c: { d: [entry] } })).to.equal(
      `{\n  a: { b: "${entry}" },\n  c: { d: ["${entry}"] },\n}`,
    );
  });

  it('leaves out undefined properties, and prints code unchanged', () => {
    expect(
      literal({ a: undefined, b: new Verbatim(code`check.a`), c: [new Verbatim(code`/^a$/`)] }),
    ).to.equal('{ b: check.a, c: [/^a$/] }');
    expect(literal({ a: undefined })).to.equal('{}');
  });
});

describe('a property name', () => {
  const table: readonly (readonly [name: string, printed: string, key?: string])[] = [
    ['getUser', 'getUser'],
    ['$a_1', '$a_1'],
    ['delete', 'delete'],
    ['repos/get', '"repos/get"'],
    ['été', '"été"'],
    ['', '""'],
    ['01', '"01"'],
    ['1e3', '"1e3"'],
    ['__proto__', '["__proto__"]'],
    // A status may be a number; the key of an operation is a string, or `keyof` would not find it.
    ['200', '200', '"200"'],
  ];
  for (const [name, printed, key = printed] of table) {
    it(`of ${JSON.stringify(name)} is ${printed}, and ${key} as the key of an operation`, () => {
      expect([propertyName(name), operationKey(name)]).to.deep.equal([printed, key]);
    });
  }
});
