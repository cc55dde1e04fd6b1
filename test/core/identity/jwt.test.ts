/** Tests of tokens: the claims that are read back, and every known way to forge one. */
import { expect } from 'chai';
import jwt from 'jsonwebtoken';
import { tokenChecks } from '../../../src/core/conformance/tokens.js';
import { jwtCodec } from '../../../src/core/identity/jwt.js';
import { forge, forgedAccessTokens, forgedTokens, HS256 } from '../../support/forged-tokens.js';

const accessSecret = 'an access secret of 32 bytes or more';
const refreshSecret = 'a refresh secret of 32 bytes or more';
const codec = jwtCodec({ accessSecret, refreshSecret });

const kidOf = (token: string) => jwt.decode(token, { complete: true })?.header.kid;
const from = '2026-01-01T00:00:00.500000Z';
const at = (seconds: number) =>
  new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString().replace('Z', '000Z');
const iat = Date.UTC(2026, 0, 1) / 1000;
const exp = iat + 60;
const validity = { from, seconds: 60 };
const now = at(1);

describe('jwtCodec', () => {
  for (const check of tokenChecks) {
    it(`${check.level} ${check.id}: ${check.name}`, () =>
      check.run(() => jwtCodec({ accessSecret, refreshSecret })));
  }

  it('reads the tokens that it signed: claims and expiry', () => {
    const token = codec.signAccess({ userId: '7', email: 'ada@example.com', role: 'admin' }, validity);
    expect(jwt.decode(token, { complete: true })).to.deep.include({
      header: { ...HS256, kid: kidOf(token) },
      payload: { userId: '7', email: 'ada@example.com', role: 'admin', iat: iat + 0.5, exp },
    });
    expect(codec.readAccess(token, now)).to.deep.equal({
      userId: '7',
      email: 'ada@example.com',
      role: 'admin',
      expiresAt: new Date(exp * 1000),
      issuedAt: from,
    });
    const refresh = codec.signRefresh({ userId: '7', tokenId: 'x' }, validity);
    expect(codec.readRefresh(refresh, now)).to.deep.equal({
      userId: '7',
      tokenId: 'x',
      expiresAt: new Date(exp * 1000),
    });
  });

  it('verifies the tokens of 10,000 subscribers once, whose order is the same at each event', () => {
    const caching = jwtCodec({ accessSecret, refreshSecret });
    const claims = { email: undefined, role: undefined };
    const tokens = Array.from({ length: 10_000 }, (_, id) =>
      caching.signAccess({ ...claims, userId: String(id + 1) }, validity),
    );
    for (let event = 0; event < 3; event++) {
      for (const token of tokens) expect(caching.readAccess(token, now) === undefined).to.equal(false);
    }
    expect([caching.cache.misses, caching.cache.hits]).to.deep.equal([10_000, 20_000]);
  });

  it('reads a token that another made with its secret', () => {
    expect(codec.readAccess(forge(HS256, { userId: '7', exp }, accessSecret), now)).to.include({
      userId: '7',
      issuedAt: '1970-01-01T00:00:00.000000Z',
    });
  });

  const target = { secret: accessSecret, otherSecret: refreshSecret, userId: '7', exp, past: iat };
  const forged = {
    ...forgedAccessTokens(target),
    'no text': '',
    'a token of a megabyte': forge(HS256, { userId: '7', exp, filler: 'x'.repeat(1_000_000) }, accessSecret),
  };
  for (const [what, token] of Object.entries(forged)) {
    it(`takes ${what} for nothing`, () => {
      expect(codec.readAccess(token, now)).to.equal(undefined);
      expect(codec.readRefresh(token, now)).to.equal(undefined);
    });
  }

  for (const [what, token] of Object.entries(
    forgedTokens({
      ...target,
      secret: refreshSecret,
      otherSecret: accessSecret,
      claims: { jti: 'x' },
    }),
  )) {
    it(`takes ${what} for no refresh token either`, () => {
      expect(codec.readRefresh(token, now)).to.equal(undefined);
    });
  }

  it('reads a token again as it read it first, until it expires', () => {
    const token = codec.signAccess({ userId: '7', email: undefined, role: undefined }, validity);
    for (let second = 1; second < 60; second += 1) {
      expect(codec.readAccess(token, at(second)), String(second)).to.include({ userId: '7' });
    }
    for (const second of [60, 61, 1e6]) expect(codec.readAccess(token, at(second))).to.equal(undefined);
    // A clock that is set back.
    expect(codec.readAccess(token, at(59))).to.include({ userId: '7' });
  });

  it('refuses a token before it is valid, also when it was read later', () => {
    const token = forge(HS256, { userId: '7', nbf: iat + 10, exp }, accessSecret);
    expect(codec.readAccess(token, at(9))).to.equal(undefined);
    expect(codec.readAccess(token, at(10))).to.include({ userId: '7' });
    expect(codec.readAccess(token, at(9))).to.equal(undefined);
  });

  it('reads more tokens than it remembers, each as itself', () => {
    const tokens = Array.from({ length: 1200 }, (_, id) =>
      codec.signAccess({ userId: String(id + 1), email: undefined, role: undefined }, validity),
    );
    for (let round = 1; round <= 2; round += 1) {
      tokens.forEach((token, id) => {
        expect(codec.readAccess(token, now)).to.include({ userId: String(id + 1) });
        expect(codec.readAccess(`${token.slice(0, -4)}AAAA`, now)).to.equal(undefined);
      });
    }
  });

  it('refuses a refresh token without an id', () => {
    const of = (fields: object) => forge(HS256, { userId: '7', exp, ...fields }, refreshSecret);
    expect(codec.readRefresh(of({ jti: 'x' }), now)).to.include({ tokenId: 'x' });
    expect(codec.readRefresh(of({}), now)).to.equal(undefined);
    expect(codec.readRefresh(of({ jti: 1 }), now)).to.equal(undefined);
  });

  it('does not work with a secret that is short, nor with one for both', () => {
    expect(() => jwtCodec({ accessSecret: 'x'.repeat(31), refreshSecret })).to.throw('32 bytes');
    expect(() => jwtCodec({ accessSecret, refreshSecret: '' })).to.throw('32 bytes');
    expect(() => jwtCodec({ accessSecret, refreshSecret: accessSecret })).to.throw('differ');
  });
});
