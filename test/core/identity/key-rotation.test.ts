/** The keys of tokens while they are replaced: which sign, which verify, and which a token may name. */

import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import jwt from 'jsonwebtoken';
import { tokenChecks } from '../../../src/core/conformance/tokens.js';
import { jwtCodec, type JwtSecrets } from '../../../src/core/identity/jwt.js';
import { forge, HS256 } from '../../support/forged-tokens.js';

const [one, two, three] = ['one', 'two', 'three'].map(
  (name) => `the ${name} secret of 32 bytes, or more`,
) as [string, string, string];
const refreshSecret = 'the refresh secret of 32 bytes or more';
const validity = { from: '2026-01-01T00:00:00.000000Z', seconds: 60 };
const now = '2026-01-01T00:00:01.000000Z';
const exp = Date.UTC(2026, 0, 1) / 1000 + 60;
const claims = { userId: '7', email: undefined, role: undefined };

function privateKey(namedCurve = 'prime256v1', type: 'pkcs8' | 'sec1' = 'pkcs8'): string {
  return generateKeyPairSync('ec', { namedCurve }).privateKey.export({ type, format: 'pem' }) as string;
}

const [pem, otherPem] = [privateKey(), privateKey('prime256v1', 'sec1')];
const access = (keys: Omit<JwtSecrets, 'refreshSecret'>) => jwtCodec({ refreshSecret, ...keys });
const headerOf = (token: string) => jwt.decode(token, { complete: true })?.header;

describe('the keys of tokens', () => {
  for (const check of tokenChecks) {
    it(`${check.level} ${check.id}, with an ES256 key: ${check.name}`, () =>
      check.run(() => access({ accessKey: pem, accessSecret: one })));
  }

  it('verify the tokens of each other exactly while they share the key that signed', () => {
    const secretLists = fc.uniqueArray(fc.constantFrom(one, two, three), { minLength: 1 });
    fc.assert(
      fc.property(secretLists, secretLists, (before, after) => {
        const isKept = after.includes(before[0] ?? '');
        const codecs = [before, after].map((secrets) => jwtCodec({ accessSecret: secrets, refreshSecret }));
        const refreshing = [before, after].map((secrets) =>
          jwtCodec({ accessSecret: refreshSecret, refreshSecret: secrets }),
        );
        const token = codecs[0]?.signAccess(claims, validity) ?? '';
        expect(codecs[1]?.readAccess(token, now) !== undefined).to.equal(isKept);
        const refresh = refreshing[0]?.signRefresh({ userId: '7', tokenId: 'x' }, validity) ?? '';
        expect(refreshing[1]?.readRefresh(refresh, now) !== undefined).to.equal(isKept);
      }),
    );
  });

  it('have ids that reveal nothing of a secret, not even the digest that HMAC uses in its place', () => {
    const long = 'x'.repeat(100);
    const { kid = '' } = headerOf(access({ accessSecret: long }).signAccess(claims, validity)) ?? {};
    const digest = createHash('sha256').update(long).digest();
    expect(kid).to.match(/^[\w-]{12}$/);
    expect(digest.toString('base64url')).not.to.include(kid);
    // With that digest, tokens can be forged.
    const forged = jwt.sign({ userId: '7', exp }, digest, { noTimestamp: true });
    expect(access({ accessSecret: long }).readAccess(forged, now)).to.include({ userId: '7' });
  });

  it('are all tried for a token without a kid, and a token is refused by another kid than its own', () => {
    const codec = access({ accessSecret: [one, two], accessKey: pem });
    const kid = headerOf(access({ accessSecret: two }).signAccess(claims, validity))?.kid;
    const of = (header: object, secret = two) => forge({ ...HS256, ...header }, { userId: '7', exp }, secret);
    expect(codec.readAccess(of({}), now)).to.include({ userId: '7' });
    expect(codec.readAccess(of({ kid }), now)).to.include({ userId: '7' });
    expect(codec.readAccess(of({ kid }, one), now), 'the kid of another key').to.equal(undefined);
    for (const unknown of ['', 'unknown', null, 0, {}, [kid], '__proto__', 'constructor', '../../dev/null']) {
      expect(codec.readAccess(of({ kid: unknown }), now), JSON.stringify(unknown)).to.equal(undefined);
    }
  });

  it('sign with ES256, and then accept the tokens of the secret too', () => {
    const codec = access({ accessKey: `${pem}\n${otherPem}`, accessSecret: one });
    const token = codec.signAccess(claims, validity);
    const [published, other] = codec.publicKeys;
    expect(headerOf(token)).to.deep.equal({ alg: 'ES256', typ: 'JWT', kid: published?.kid });
    for (const earlier of [access({ accessSecret: one }), access({ accessKey: otherPem })]) {
      expect(codec.readAccess(earlier.signAccess(claims, validity), now)).to.include({ userId: '7' });
    }
    expect(access({ accessKey: otherPem }).readAccess(token, now)).to.equal(undefined);
    expect(access({ accessKey: otherPem }).publicKeys).to.deep.equal([other]);
    expect(access({ accessSecret: one }).publicKeys).to.deep.equal([]);
    expect(Object.keys(published ?? {})).to.have.members(['kty', 'crv', 'x', 'y', 'kid', 'alg', 'use']);
  });

  it('are used with their own algorithm only', () => {
    const codec = access({ accessKey: pem, accessSecret: one });
    const [published] = codec.publicKeys;
    const spki = createPublicKey(pem).export({ type: 'spki', format: 'pem' }) as string;
    const secrets = {
      'the public key as PEM': spki,
      'the public key as PEM without its last line end': spki.trim(),
      'the public key as JSON': JSON.stringify(published),
      'its x coordinate': published?.['x'] ?? '',
    };
    for (const [what, secret] of Object.entries(secrets)) {
      for (const kid of [undefined, published?.kid]) {
        const token = forge({ ...HS256, ...(kid && { kid }) }, { userId: '7', exp }, secret);
        expect(codec.readAccess(token, now), `HS256 with ${what}`).to.equal(undefined);
      }
    }
    const none = forge({ alg: 'none', kid: published?.kid }, { userId: '7', exp }, '').replace(/[^.]*$/, '');
    expect(codec.readAccess(none, now)).to.equal(undefined);
    const es256 = codec.signAccess(claims, validity);
    expect(codec.readRefresh(es256, now)).to.equal(undefined);
  });

  it('are refused when ES256 cannot use them', () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const publicPem = generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).publicKey;
    const keys = [
      '',
      'nonsense',
      '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----',
      privateKey('secp384r1'),
      rsa.export({ type: 'pkcs8', format: 'pem' }) as string,
      publicPem.export({ type: 'spki', format: 'pem' }) as string,
      `${pem}\n${privateKey('secp384r1')}`,
      // The first key would be left out: one with a passphrase has headers (RFC 1421), and the end of another is missing.
      `${pem.replace('\n', '\nProc-Type: 4,ENCRYPTED\n\n')}\n${otherPem}`,
      `${otherPem.replace(/-----END.*/, '')}\n${privateKey('prime256v1', 'sec1')}`,
    ];
    for (const accessKey of keys) {
      expect(() => access({ accessKey }), accessKey)
        .to.throw(/^a token key must be a private key for ES256/)
        .with.property('message')
        .that.does.not.include(accessKey.slice(40, 60) || '\u0000');
    }
    expect(() => access({})).to.throw('need a secret or a private key');
    expect(() => access({ accessSecret: [one, refreshSecret] })).to.throw('must differ');
    expect(() => access({ accessSecret: [one, 'short'] })).to.throw('32 bytes');
  });
});
