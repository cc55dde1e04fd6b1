/** XML: fields as elements, arrays as repeated items, the root named by the contract. */

import { expect } from 'chai';
import fc from 'fast-check';
import { XMLParser } from 'fast-xml-parser';
import { xmlEncoder } from '../../../src/runtime/encoding/xml.js';

const encode = xmlEncoder({ UserList: 'users' });
const bodyOf = (value: unknown, schema?: string): string =>
  textOf(encode(value, schema)).split('\n').slice(1).join('\n');

/** The encoder writes text. */
function textOf(content: unknown): string {
  if (typeof content !== 'string') throw new TypeError('the encoder wrote no text');
  return content;
}

describe('xmlEncoder', () => {
  it('declares version and encoding', () => {
    expect(textOf(encode({}, 'User')).split('\n')[0]).to.equal('<?xml version="1.0" encoding="UTF-8"?>');
  });

  it('names the root after the schema, in lower camel case', () => {
    expect(bodyOf({ id: '1' }, 'OrderItem')).to.equal('<orderItem><id>1</id></orderItem>');
  });

  it('takes the name that the contract gives a schema', () => {
    expect(bodyOf([{ id: '1' }, { id: '2' }], 'UserList')).to.equal(
      '<users><item><id>1</id></item><item><id>2</id></item></users>',
    );
    expect(bodyOf([], 'UserList')).to.equal('<users/>');
  });

  it('repeats item in the element of an array, at any depth', () => {
    expect(bodyOf({ items: [{ tags: ['a', 'b'] }], none: [] }, 'Order')).to.equal(
      '<order><items><item><tags><item>a</item><item>b</item></tags></item></items><none/></order>',
    );
  });

  it('writes numbers and booleans as JSON does, leaves out undefined values, and writes null as an empty element', () => {
    expect(bodyOf({ total: 40.28, zero: 0, isLast: false, gone: undefined, next: null }, 'Page')).to.equal(
      '<page><total>40.28</total><zero>0</zero><isLast>false</isLast><next/></page>',
    );
  });

  it('escapes what no name of an element may have, so that names that clients choose add no elements', () => {
    const value = { 'a><b': 1, '?xml': 2, '#text': 3, '1': 4, 'a b:c': 5, größe: 6, _x0031_: 7, '': 8 };
    expect(bodyOf({ value }, 'Thing')).to.equal(
      '<thing><value><_x0031_>4</_x0031_><a_x003E__x003C_b>1</a_x003E__x003C_b><_x003F_xml>2</_x003F_xml>' +
        '<_x0023_text>3</_x0023_text><a_x0020_b_x003A_c>5</a_x0020_b_x003A_c><größe>6</größe>' +
        '<_x005F_x0031_>7</_x005F_x0031_><_>8</_></value></thing>',
    );
  });

  it('writes values that are nested as deeply as JSON', () => {
    let value: unknown = 1;
    for (let level = 0; level < 600; level++) value = level % 2 === 0 ? [value] : { a: value };
    expect(bodyOf({ value }, 'Thing').match(/<item>/g)).to.have.length(300);
  });

  it('writes a carriage return as a reference, because a reader makes a line feed of the character (XML 1.0 §2.11)', () => {
    expect(bodyOf({ text: 'one\r\ntwo\rthree\nfour' }, 'Comment')).to.equal(
      '<comment><text>one&#13;\ntwo&#13;three\nfour</text></comment>',
    );
  });

  it('escapes markup, so that any text is well-formed and reads back the same', () => {
    const parser = new XMLParser({ parseTagValue: false, trimValues: false, processEntities: true });
    const text = fc.string({
      unit: fc.constantFrom('a', ' ', '&', '<', '>', '"', "'", ']]>', 'é', '😀', '&amp;'),
    });
    fc.assert(
      fc.property(text, (name) => {
        const xml = textOf(encode({ name }, 'User'));
        const read = parser.parse(xml) as { user: { name: string } };
        expect(read.user.name).to.equal(name);
      }),
    );
  });
});
