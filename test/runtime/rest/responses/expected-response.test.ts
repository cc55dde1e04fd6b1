/** The one lookup of a response by its status. */
import { expect } from 'chai';
import { expectedResponse, findByStatus } from '../../../../src/runtime/rest/responses/expected-response.js';

const declared = (...keys: readonly string[]) => new Map(keys.map((key) => [key, key]));

describe('findByStatus', () => {
  it('finds the status, else its range, else the default', () => {
    const all = declared('200', '2XX', 'default');
    expect([200, 201, 404].map((status) => findByStatus(all, status))).to.deep.equal([
      '200',
      '2XX',
      'default',
    ]);
    expect(findByStatus(declared('200', '4XX'), 500)).to.equal(undefined);
  });

  it('finds nothing for a number that is no final status (RFC 9110 §15)', () => {
    for (const status of [0, 100, 199, 600, 404.5, NaN])
      expect(findByStatus(declared('1XX', '4XX', 'default'), status), String(status)).to.equal(undefined);
  });

  it('finds the entry for the key of another contract', () => {
    expect(findByStatus(declared('4XX', 'default'), '4XX')).to.equal('4XX');
    expect(findByStatus(declared('default'), '4XX')).to.equal('default');
    expect(findByStatus(declared('200'), 'default')).to.equal(undefined);
  });
});

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
