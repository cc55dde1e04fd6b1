/** Parameters that may have one of several shapes. */
import { expect } from 'chai';
import type { ParameterCodec } from '../../../../src/runtime/contract/contract.js';
import { decodeOne, refusalOf } from './decode-one.js';

const string = { type: 'string' } as const;
const integer = { type: 'integer' } as const;
const integers = { type: 'array', items: integer } as const;

describe('several shapes', () => {
  const either = (anyOf: readonly ParameterCodec['value'][], explode = false) => {
    return { in: 'query', style: 'form', explode, value: { anyOf } } as const;
  };

  it('try arrays and objects before scalars', () => {
    expect(decodeOne(either([string, integers]), 'color=1,2')).to.deep.equal([1, 2]);
    expect(decodeOne(either([string, integers]), 'color=x')).to.equal('x');
    expect(decodeOne(either([string, integers], true), 'color=1&color=2')).to.deep.equal([1, 2]);
    expect(decodeOne(either([string, integers], true), 'color=x')).to.equal('x');
    const object = { type: 'object', properties: { R: integer } } as const;
    expect(decodeOne(either([string, object], true), 'R=1')).to.deep.equal({ R: 1 });
    expect(decodeOne(either([string, object], true), 'color=x')).to.equal('x');
    expect(decodeOne(either([string, object], true), '')).to.equal(undefined);
  });

  it('try scalars in the order of the contract, but those of one union from null to string', () => {
    expect(decodeOne(either([string, integer]), 'color=1')).to.equal('1');
    expect(decodeOne(either([integer, string]), 'color=1')).to.equal(1);
    expect(decodeOne(either([{ type: ['string', 'integer'] }]), 'color=1')).to.equal(1);
  });

  it('are all named when none takes the text', () => {
    expect(
      refusalOf(() => decodeOne(either([integer, integers, { type: ['null', 'boolean'] }]), 'color=x')),
    ).to.equal('query/color must be integer,array,null,boolean');
  });
});
