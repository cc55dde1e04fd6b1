/** The one lookup of a response by its status. */
import { expect } from 'chai';
import { expectedResponse } from '../../../../src/runtime/rest/responses/response-checker.js';

describe('expectedResponse', () => {
  it('is not made without a check that the contract names', () => {
    const headers = { 'X-Total': { check: 'isTotal' } };
    expect(() => expectedResponse({ headers }, {})).to.throw('there is no response check isTotal');
    const made = expectedResponse({ headers }, { isTotal: () => true });
    expect(made.headers.map(({ lowerCaseName, isRequired }) => [lowerCaseName, isRequired])).to.deep.equal([
      ['x-total', false],
    ]);
  });
});
