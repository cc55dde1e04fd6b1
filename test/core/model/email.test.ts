/** The core's rule for emails, which GraphQL and imports have alone, beside the format of the REST contract. */

import { expect } from 'chai';
import fc from 'fast-check';
import { isEmail } from '../../../src/core/model/text.js';
import { operations } from '../../../generated/routing.js';
import { runs } from '../../support/budget.js';

const { check } = operations.createUser.requestBody.content['application/json'];
const isEmailOfContract = (email: string): boolean => check({ name: 'Ada', email });

describe('an email', () => {
  for (const email of [
    'ada@example.com',
    'a@b',
    'ada+tag@example.co.uk',
    '"ada lovelace"@example.com',
    'ada@[127.0.0.1]',
    'ada@[IPv6:::1]',
    `${'a'.repeat(64)}@example.com`,
  ]) {
    it(`is ${email}`, () => {
      expect(isEmail(email)).to.equal(true);
      expect(isEmailOfContract(email)).to.equal(true);
    });
  }

  for (const email of [
    '',
    '@',
    'ada',
    'ada@',
    '@example.com',
    'ada@@example.com',
    'a..b@example.com',
    '.a@example.com',
    'a b@example.com',
    'ada@-example.com',
    'ada@example..com',
    'ada@[1.2.3]',
    'ada@[::1]',
    'ada@[IPv6:fe80::1%eth0]',
    'äda@example.com',
    `${'a'.repeat(65)}@example.com`,
  ]) {
    it(`is not ${email || 'empty'}`, () => {
      expect(isEmail(email)).to.equal(false);
      expect(isEmailOfContract(email)).to.equal(false);
    });
  }

  it('is the same for the core and for the contract', () => {
    const piece = fc.constantFrom(
      'a',
      'B',
      '0',
      '@',
      '.',
      '-',
      '_',
      '"',
      ' ',
      '\\',
      '[',
      ']',
      'IPv6:',
      ':',
      '::',
      '1',
      '255',
      '!',
      'é',
      '\n',
    );
    const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
    const address = fc.tuple(text, text).map(([local, domain]) => `${local}@${domain}`);
    const literal = fc
      .oneof(
        fc.ipV4(),
        fc.ipV6().map((ip) => `IPv6:${ip}`),
      )
      .map((ip) => `a@[${ip}]`);
    fc.assert(
      fc.property(fc.oneof(text, address, literal, fc.emailAddress()), (email) => {
        fc.pre(email.length >= 3 && email.length <= 254);
        expect(isEmail(email), email).to.equal(isEmailOfContract(email));
      }),
      { numRuns: runs(5000) },
    );
  });
});
