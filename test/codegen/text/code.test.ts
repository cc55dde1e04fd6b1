/** Only escaped text becomes generated code: by type, and by what each position does with hostile text. */

import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import ts from 'typescript';
import {
  type Code,
  accessor,
  code,
  docComment,
  identifier,
  joined,
  lineComment,
  propertyName,
  regExp,
  shortComment,
  singleQuoted,
  stringLiteral,
  templateLiteral,
} from '../../../src/codegen/text/code.js';
import { printedTypes } from '../../../src/codegen/text/parsed-code.js';
import { readTree } from '../../architecture/source-tree.js';
import { HOSTILE } from '../hostile.js';

describe('generated code', () => {
  it('takes no plain string, in a template or as a whole: that does not compile', () => {
    const text: string = '*/';
    const name: 'a' | 'b' = 'a';
    // @ts-expect-error a plain string is not escaped
    expect(code`/** ${text} */`).to.equal('/** */ */');
    // @ts-expect-error nor is one that the compiler knows the values of: a contract may have others
    expect(code`${name}`).to.equal('a');
    // @ts-expect-error a template without the tag is a plain string
    const plain: Code = `(${code`a`})`;
    // @ts-expect-error joining gives a plain string
    const parts: Code = [code`a`].join('');
    expect([plain, parts]).to.deep.equal(['(a)', 'a']);
  });

  it('is made from plain strings in few files only', () => {
    const made = [...readTree('src/codegen')].flatMap(([file, text]) => (assertsCode(text) ? [file] : []));
    expect(made).to.deep.equal([
      'src/codegen/text/code.ts',
      'src/codegen/text/parsed-code.ts',
      'src/codegen/generator/files/operations-file.ts',
    ]);
  });
});

describe('a hostile text', () => {
  for (const text of HOSTILE) {
    it(`runs nothing in any position: ${JSON.stringify(text).slice(0, 40)}`, () => {
      const read = (source: Code): unknown => {
        const realm: { PWNED?: number } = {};
        const value: unknown = runInNewContext(source, realm);
        expect(realm).to.not.have.property('PWNED');
        return value;
      };
      for (const comment of [docComment(text), docComment(text, 2), shortComment(text), lineComment(text)])
        expect(read(code`${comment}\n1`)).to.equal(1);
      expect(read(stringLiteral(text))).to.equal(text);
      expect(read(singleQuoted(text))).to.equal(text);
      // A template reads each line end as one \n (ECMA-262 §12.9.6).
      expect(read(templateLiteral(text))).to.equal(text.replaceAll(/\r\n?/g, '\n'));
      expect(read(code`Object.keys({ ${propertyName(text)}: 1 }).join()`)).to.equal(text);
      expect(read(code`({ ${propertyName(text)}: 1 })${accessor(text)}`)).to.equal(1);
      const literal = regExp(new RegExp(`^${text.replaceAll(/\W/g, '\\$&')}$`));
      expect(read(code`${literal}.test(${stringLiteral(text)})`)).to.equal(true);
      if (!/^\w+$/.test(text)) expect(() => identifier(text)).to.throw('is no identifier');
    });
  }

  it('is no name of a keyword', () => {
    expect(() => identifier('delete')).to.throw('"delete" is no identifier');
  });
});

describe('types that another generator printed', () => {
  const refused: readonly (readonly [what: string, text: string])[] = [
    ['a statement after a comment that a text ended', '/** */globalThis.PWNED=1;/* */\nexport type A = 1;'],
    ['an import after it', 'export type A = 1;\n/** */import "evil";/* */'],
    ['a module that is passed on', 'export type A = 1;\nexport * from "evil";'],
    ['a call in an enum', 'export enum A { A = run() }'],
    ['a call in a constant', 'export const A = { A: run() } as const;'],
    ['a function', 'export function run() {}'],
    ['a string without an end', 'export type A = "a;'],
  ];
  for (const [what, text] of refused) {
    it(`are refused with ${what}`, () => {
      expect(() => printedTypes(text)).to.throw('a text of the contract breaks the generated types');
    });
  }

  it('are taken with imports, enums and constants of data', () => {
    const text = joined(
      [
        code`import type { A } from "./a.js";`,
        code`export enum B { C = "c", D = -1 }`,
        code`export const E = { F: "f" } as const;`,
        code`export type G = A;\nexport interface H { readonly i: G }`,
        code`export { A };`,
      ],
      code`\n`,
    );
    expect(printedTypes(text)).to.equal(text);
  });
});

/** Whether a file asserts that something is code. */
function assertsCode(text: string): boolean {
  const visit = (node: ts.Node): boolean => {
    const isAssertion = ts.isAsExpression(node) || ts.isTypeAssertionExpression(node);
    return (isAssertion && /\bCode\b/.test(node.type.getText())) || ts.forEachChild(node, visit) === true;
  };
  return visit(ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true));
}
