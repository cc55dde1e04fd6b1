/** Tests the rules for a user's texts, and for equal emails. */
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import fc from 'fast-check';
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

  for (const email of [
    '',
    'a',
    'a@b',
    '@b.co',
    'a@',
    'a b@c.de',
    'a@b..co',
    'a@-b.co',
    'a@b.co\n',
    'a@b.co, c@d.ef',
    '.a@b.co',
  ]) {
    it(`refuses the email ${JSON.stringify(email)}`, () => {
      expect(check({ email })).to.throw(/^email must/);
    });
  }

  it('takes the emails that ajv-formats takes', () => {
    const isEmail = addFormats.default(new Ajv2020.default()).compile({ type: 'string', format: 'email' });
    const text = fc.stringMatching(/^[a-z.@A-Z0-9+_ -]{3,20}$/);
    fc.assert(
      fc.property(fc.oneof(text, fc.emailAddress({ size: 'small' })), (email) => {
        const taken = isEmail(email);
        if (taken) expect(check({ email })).not.to.throw();
        else expect(check({ email })).to.throw();
      }),
      { numRuns: 500 },
    );
  });
});

describe('emailKey', () => {
  it('is the same for emails that differ in case only', () => {
    expect(emailKey('Ada@Example.COM')).to.equal(emailKey('aDA@eXAMPLE.com'));
    expect(emailKey('ada@example.com')).not.to.equal(emailKey('ada+1@example.com'));
  });
});
