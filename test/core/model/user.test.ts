/** Tests the rules for a user's texts, and for equal emails. */
import { expect } from 'chai';
import { checkUserTexts, emailKey } from '../../../src/core/model/user.js';

const check = (texts: Parameters<typeof checkUserTexts>[0]) => () => {
  checkUserTexts(texts);
};

describe('checkUserTexts', () => {
  it('checks only the given fields', () => {
    expect(check({})).not.to.throw();
    expect(check({ name: 'A', email: 'a@b.co', phone: '1', city: 'Å' })).not.to.throw();
  });

  for (const [place, texts] of [
    ['name', { name: '' }],
    ['name', { name: 'x'.repeat(201) }],
    ['phone', { phone: 'x'.repeat(51) }],
    ['city', { city: 'x'.repeat(101) }],
    ['city', { city: 'Ro\u0000me' }],
    ['email', { email: `${'x'.repeat(250)}@example.com` }],
  ] as const) {
    it(`refuses ${JSON.stringify(texts).slice(0, 40)}, and names ${place}`, () => {
      expect(check(texts))
        .to.throw(new RegExp(`^${place} must`))
        .with.property('code', 'invalid-input');
    });
  }

  it('refuses an email that is none', () => {
    expect(check({ email: 'a@' })).to.throw('email must match format "email"');
  });
});

describe('emailKey', () => {
  it('is the same for emails that differ in case only', () => {
    expect(emailKey('Ada@Example.COM')).to.equal(emailKey('aDA@eXAMPLE.com'));
    expect(emailKey('ada@example.com')).not.to.equal(emailKey('ada+1@example.com'));
  });
});
