/** The one sentence that a caller reads of a failed check. */
import { expect } from 'chai';
import type { Check, CheckError } from '../../../src/engine/contract.js';
import { failureOf } from '../../../src/engine/rest/check.js';

function failed(...errors: readonly Partial<CheckError>[]): Check {
  return Object.assign(() => false, {
    errors: errors.map((error) => ({ instancePath: '', keyword: 'type', params: {}, ...error })),
  });
}

describe('failureOf', () => {
  const type = { message: 'must be string' };
  const sentences: readonly (readonly [error: Partial<CheckError>, subject: string, sentence: string])[] = [
    [type, 'body', 'body must be string'],
    [{ ...type, instancePath: '/name' }, 'body', 'body/name must be string'],
    [{ ...type, instancePath: '/query/limit' }, '', 'query/limit must be string'],
    [{ ...type, instancePath: '/a~1b/c~0d/~01' }, 'body', 'body/a/b/c~d/~1 must be string'],
    [{ instancePath: '/x' }, 'body', 'body/x is not valid'],
    [
      { keyword: 'enum', params: { allowedValues: ['a', 1, null] }, message: 'must be equal to one of the allowed values' },
      'body',
      'body must be equal to one of the allowed values: a, 1, null',
    ],
    [
      { keyword: 'const', params: { allowedValue: { a: 1 } }, message: 'must be equal to constant' },
      'body',
      'body must be equal to constant: {"a":1}',
    ],
    [
      { keyword: 'additionalProperties', params: { additionalProperty: 'x' }, message: 'must NOT have additional properties' },
      'body',
      'body must NOT have additional properties: x',
    ],
    [
      { keyword: 'unevaluatedProperties', params: { unevaluatedProperty: 'x' }, message: 'must NOT have unevaluated properties' },
      'body',
      'body must NOT have unevaluated properties: x',
    ],
    [{ keyword: 'enum', params: {}, message: 'must be one' }, 'body', 'body must be one'],
  ]; // prettier-ignore
  for (const [error, subject, sentence] of sentences) {
    it(`says ${JSON.stringify(sentence)}`, () => {
      expect(failureOf(failed(error), subject)).to.equal(sentence);
    });
  }

  it('says the first of several', () => {
    expect(failureOf(failed({ message: 'is first' }, { message: 'is second' }), 'body')).to.equal(
      'body is first',
    );
  });

  it('says something of a check that left no failure', () => {
    expect(failureOf(() => false, 'body')).to.equal('body is not valid');
    expect(failureOf(failed(), '')).to.equal('is not valid');
  });
});
