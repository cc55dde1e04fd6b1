/** Values of a union without a discriminator, of which two members have a text in common: no tag tells such members apart. */

import { expect } from 'chai';
import { loadModules } from '../../generated-modules.js';
import { generated, schemaOf } from '../../written-contract.js';

const at = '2024-02-29T12:30:00.250Z';

/** A member whose `kind` has one of some texts. */
function member(kinds: readonly string[], when: object): object {
  return { type: 'object', required: ['kind'], properties: { kind: { enum: kinds }, at: when } };
}

async function decoderOf(...members: readonly object[]): Promise<(value: unknown) => unknown> {
  const files = await generated(schemaOf({ anyOf: members }), [], { values: { 'date-time': 'Date' } });
  const { decodeA } = loadModules(files).exports['values.ts'] as {
    readonly decodeA: (value: unknown) => unknown;
  };
  return decodeA;
}

/** The name of the class of a decoded moment: its realm has a `Date` of its own. */
function typeOf(value: unknown): string {
  const { at: decoded } = value as { readonly at: unknown };
  return Object.prototype.toString.call(decoded);
}

describe('the members of a union without a discriminator', () => {
  const moment = { type: 'string', format: 'date-time' };
  const number = { type: 'string', pattern: '^no' };

  it('are told apart by the texts of a property, where no two have one in common', async () => {
    const decode = await decoderOf(member(['a', 'b'], moment), member(['c'], number));
    expect(typeOf(decode({ kind: 'b', at }))).to.equal('[object Date]');
    expect(typeOf(decode({ kind: 'c', at: 'none' }))).to.equal('[object String]');
  });

  it('are told apart by their schemas, where two have one in common', async () => {
    const decode = await decoderOf(member(['a', 'b'], moment), member(['b', 'c'], number));
    expect(typeOf(decode({ kind: 'b', at }))).to.equal('[object Date]');
    expect(typeOf(decode({ kind: 'b', at: 'none' }))).to.equal('[object String]');
    expect(typeOf(decode({ kind: 'c', at: 'none' }))).to.equal('[object String]');
  });
});
