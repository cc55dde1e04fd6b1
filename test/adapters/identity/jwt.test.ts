/** The tokens: what is read back, and every way of forging one that is known. */
import { createHmac, generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import jwt from 'jsonwebtoken';
import { jwtCodec } from '../../../src/adapters/identity/jwt.js';

const accessSecret = 'an access secret of 32 bytes or more';
const refreshSecret = 'a refresh secret of 32 bytes or more';
const codec = jwtCodec({ accessSecret, refreshSecret });

const from = '2026-01-01T00:00:00.500000Z';
const at = (seconds: number) =>
  new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString().replace('Z', '000Z');
const iat = Date.UTC(2026, 0, 1) / 1000;
const exp = iat + 60;
const validity = { from, seconds: 60 };
const now = at(1);

/** A token of these parts, whatever they are. */
function forge(header: object, claims: unknown, secret = accessSecret, hash = 'sha256'): string {
  const parts = [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${parts}.${createHmac(hash, secret).update(parts).digest('base64url')}`;
}

const HS256 = { alg: 'HS256', typ: 'JWT' };

describe('jwtCodec', () => {
  it('reads what it signed: claims, and when they end', () => {
    const token = codec.signAccess({ userId: '7', email: 'ada@example.com', role: 'admin' }, validity);
    expect(jwt.decode(token, { complete: true })).to.deep.include({
      header: HS256,
      payload: { userId: '7', email: 'ada@example.com', role: 'admin', iat, exp },
    });
    expect(codec.readAccess(token, now)).to.deep.equal({
      userId: '7',
      email: 'ada@example.com',
      role: 'admin',
      expiresAt: new Date(exp * 1000),
    });
    const refresh = codec.signRefresh({ userId: '7', tokenId: 'x' }, validity);
    expect(codec.readRefresh(refresh, now)).to.deep.equal({
      userId: '7',
      tokenId: 'x',
      expiresAt: new Date(exp * 1000),
    });
  });

  it('is valid until the second of its end, by the clock that it is told', () => {
    const token = codec.signAccess({ userId: '7' }, validity);
    expect(codec.readAccess(token, at(59))).to.include({ userId: '7' });
    expect(codec.readAccess(token, at(60))).to.equal(undefined);
  });

  it('takes a token of one kind for nothing else', () => {
    const access = codec.signAccess({ userId: '7' }, validity);
    const refresh = codec.signRefresh({ userId: '7', tokenId: 'x' }, validity);
    expect(codec.readRefresh(access, now)).to.equal(undefined);
    expect(codec.readAccess(refresh, now)).to.equal(undefined);
  });

  it('reads a token that another made with its secret', () => {
    expect(codec.readAccess(forge(HS256, { userId: '7', exp }), now)).to.include({ userId: '7' });
  });

  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const good = forge(HS256, { userId: '7', exp });
  const [header = '', claims = '', signature = ''] = good.split('.');
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

  const forged: Readonly<Record<string, string>> = {
    'no text': '',
    'no token': 'nonsense',
    'no parts': '..',
    'an unsigned token': `${encoded({ alg: 'none' })}.${claims}.`,
    'an unsigned token in capitals': `${encoded({ alg: 'NONE' })}.${claims}.`,
    'alg none with a signature': `${encoded({ alg: 'none' })}.${claims}.${signature}`,
    'a token without its signature': `${header}.${claims}.`,
    'another secret': forge(HS256, { userId: '7', exp }, 'another secret, of 32 bytes and more'),
    'an empty secret': forge(HS256, { userId: '7', exp }, ''),
    'the other kind of secret': forge(HS256, { userId: '7', exp }, refreshSecret),
    'HS384 with the right secret': forge({ alg: 'HS384' }, { userId: '7', exp }, accessSecret, 'sha384'),
    'HS512 with the right secret': forge({ alg: 'HS512' }, { userId: '7', exp }, accessSecret, 'sha512'),
    'HS256 that says RS256': forge({ alg: 'RS256' }, { userId: '7', exp }),
    'RS256 with its own key': jwt.sign({ userId: '7', exp }, privateKey, { algorithm: 'RS256' }),
    'a key that the token brings': forge(
      { ...HS256, jwk: { kty: 'oct', k: 'AAAA' } },
      { userId: '7', exp },
      'AAAA',
    ),
    'no algorithm': forge({}, { userId: '7', exp }),
    'other claims under the same signature': `${header}.${encoded({ userId: '8', exp })}.${signature}`,
    'a longer signature': `${good}AA`,
    'a fourth part': `${good}.x`,
    'no end': forge(HS256, { userId: '7' }),
    'an end that is a text': forge(HS256, { userId: '7', exp: String(exp) }),
    'an end that is null': forge(HS256, { userId: '7', exp: null }),
    'an end in the past': forge(HS256, { userId: '7', exp: iat }),
    'a beginning in the future': forge(HS256, { userId: '7', exp, nbf: exp - 1 }),
    'no user': forge(HS256, { exp }),
    'a user that is an object': forge(HS256, { userId: { id: '7' }, exp }),
    'a user that is a list': forge(HS256, { userId: ['7'], exp }),
    'a user that is a number': forge(HS256, { userId: 7, exp }),
    'a user that is no id': forge(HS256, { userId: "7' or '1'='1", exp }),
    'a user that is the operator': forge(HS256, { userId: '0', exp }),
    'a role that is an object': forge(HS256, { userId: '7', role: { admin: true }, exp }),
    'a role that there is not': forge(HS256, { userId: '7', role: 'root', exp }),
    'a role that is null': forge(HS256, { userId: '7', role: null, exp }),
    'an email that is an object': forge(HS256, { userId: '7', email: {}, exp }),
    'claims that are a text': forge(HS256, 'userId'),
    'claims that are null': forge(HS256, null),
    'claims that are a list': forge(HS256, [{ userId: '7', exp }]),
    'a token of a megabyte': forge(HS256, { userId: '7', exp, filler: 'x'.repeat(1_000_000) }),
  };
  for (const [what, token] of Object.entries(forged)) {
    it(`takes ${what} for nothing`, () => {
      expect(codec.readAccess(token, now)).to.equal(undefined);
      expect(codec.readRefresh(token, now)).to.equal(undefined);
    });
  }

  it('takes a refresh token without a number of its own for nothing', () => {
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
