/** Tests that missing and unknown names are both refused. */
import { expect } from 'chai';
import { requireExactly } from '../../../src/runtime/rest/rest-engine.js';

describe('requireExactly', () => {
  it('is content with the same names in any order', () => {
    expect(() => {
      requireExactly('handlers', ['a', 'b'], ['b', 'a']);
      requireExactly('handlers', [], []);
    }).to.not.throw();
  });

  it('lists all that is missing and all that is too many, in one sentence', () => {
    const refuse = (needed: string[], given: string[]) => () => {
      requireExactly('handlers', needed, given);
    };
    const sentence = 'the handlers do not fit the contract; ';
    expect(refuse(['a', 'b', 'c'], ['b'])).to.throw(Error, `${sentence}missing: a, c`);
    expect(refuse(['b'], ['a', 'b', 'c'])).to.throw(Error, `${sentence}not in the contract: a, c`);
    expect(refuse(['a'], ['b'])).to.throw(Error, `${sentence}missing: a; not in the contract: b`);
    expect(refuse(['a'], ['A'])).to.throw(Error, `${sentence}missing: a; not in the contract: A`);
  });
});
