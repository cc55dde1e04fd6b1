/** The checks that a token codec must pass. */
import assert from 'node:assert/strict';
import type { Timestamp } from '../model/timestamp.js';
import type { AccessClaims, TokenCodec } from '../ports/sign-in.js';
import { musts } from './check.js';

const issuedAt = '2026-01-01T00:00:00.000000Z';
const validity = { from: issuedAt, seconds: 60 };
const now = at(1);
const expiresAt = new Date(Date.UTC(2026, 0, 1, 0, 1));
const refreshClaims = { userId: '7', tokenId: 'one of a kind' };

function at(second: number): Timestamp {
  return new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString().replace('Z', '000Z');
}

const unsigned = [
  { alg: 'none', typ: 'JWT' },
  { userId: '7', jti: 'x', exp: 4e9 },
]
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .join('.');

/** The claims of a token that names only its user. */
const bare: AccessClaims = { userId: '7', email: undefined, role: undefined };

/** Texts that no codec has signed. */
const oddTexts = ['', ' ', '.', '..', 'a.b.c', 'null', '{}', '\u0000', '💡', 'x'.repeat(100_000)].concat(
  unsigned,
  `${unsigned}.`,
);

/** Asserts that a codec reads a text as neither kind of token. */
async function refuses(codec: TokenCodec, text: string, why: string): Promise<void> {
  assert.equal(await codec.readAccess(text, now), undefined, `no access token: ${why}`);
  assert.equal(await codec.readRefresh(text, now), undefined, `no refresh token: ${why}`);
}

/**
 * All checks. Every codec that the factory makes must have the same keys, like the processes of a deployment.
 *
 * @example
 * ```ts
 * for (const check of tokenChecks) {
 *   it(`${check.level} ${check.id}: ${check.name}`, () => check.run(() => jwtCodec(secrets)));
 * }
 * ```
 */
export const tokenChecks = musts<TokenCodec>({
  'tokens-access: an access token reads back as it was signed, with its expiry; claims that were not given are absent':
    async (make) => {
      const codec = await make();
      const email = `${'a'.repeat(242)}@example.com`;
      const cases: readonly AccessClaims[] = [
        { userId: '7', email, role: 'admin' },
        { userId: '9'.repeat(18), email: undefined, role: 'user' },
        bare,
      ];
      for (const claims of cases) {
        const token = await codec.signAccess(claims, validity);
        assert.deepEqual(await codec.readAccess(token, now), { ...claims, expiresAt, issuedAt });
      }
    },

  'tokens-issued-at: the time of issue of an access token keeps its microseconds, and the expiry is a whole second':
    async (make) => {
      const codec = await make();
      for (const from of ['000001', '000999', '123456', '999999'].map((part) =>
        issuedAt.replace('000000Z', `${part}Z`),
      )) {
        const read = await codec.readAccess(await codec.signAccess(bare, { from, seconds: 60 }), now);
        assert.deepEqual(read, { ...bare, expiresAt, issuedAt: from });
      }
    },

  'tokens-refresh: a refresh token reads back as it was signed, with its expiry; tokens with different ids are different texts':
    async (make) => {
      const codec = await make();
      const token = await codec.signRefresh(refreshClaims, validity);
      assert.deepEqual(await codec.readRefresh(token, now), { ...refreshClaims, expiresAt });
      assert.notEqual(await codec.signRefresh({ ...refreshClaims, tokenId: 'another' }, validity), token);
    },

  'tokens-apart: a token of one kind is not accepted as the other': async (make) => {
    const codec = await make();
    const access = await codec.signAccess(bare, validity);
    const refresh = await codec.signRefresh(refreshClaims, validity);
    assert.equal(await codec.readRefresh(access, now), undefined);
    assert.equal(await codec.readAccess(refresh, now), undefined);
  },

  'tokens-end: a token is valid until the second of its expiry, by the given time': async (make) => {
    const codec = await make();
    const access = await codec.signAccess(bare, validity);
    const refresh = await codec.signRefresh(refreshClaims, validity);
    assert.notEqual(await codec.readAccess(access, at(59)), undefined);
    assert.notEqual(await codec.readRefresh(refresh, at(59)), undefined);
    for (const second of [60, 61, 1e9]) {
      assert.equal(await codec.readAccess(access, at(second)), undefined);
      assert.equal(await codec.readRefresh(refresh, at(second)), undefined);
    }
  },

  'tokens-altered: a token that was altered, truncated or extended never gives other claims than those signed':
    async (make) => {
      const codec = await make();
      const token = await codec.signAccess({ ...bare, role: 'user' }, validity);
      const signed = await codec.readAccess(token, now);
      assert.notEqual(signed, undefined);
      for (let index = 0; index < token.length; index += 1) {
        const other = token[index] === 'A' ? 'B' : 'A';
        const altered = token.slice(0, index) + other + token.slice(index + 1);
        const read = await codec.readAccess(altered, now);
        // The last character of a base64 text has unused bits, so changing it may change nothing.
        if (read !== undefined) assert.deepEqual(read, signed, `altered at ${String(index)}`);
      }
      await refuses(codec, token.slice(0, token.length / 2), 'half a token');
      await refuses(codec, token.slice(0, token.lastIndexOf('.') + 1), 'no signature');
      await refuses(codec, token + token, 'two tokens');
    },

  'tokens-odd: a text that was not signed is not a token, and does not throw': async (make) => {
    const codec = await make();
    for (const text of oddTexts) await refuses(codec, text, JSON.stringify(text.slice(0, 99)));
  },

  'tokens-shared: a token is valid in every process of a deployment': async (make) => {
    const [one, other] = [await make(), await make()];
    const access = await one.signAccess(bare, validity);
    const refresh = await one.signRefresh(refreshClaims, validity);
    assert.deepEqual(await other.readAccess(access, now), { ...bare, expiresAt, issuedAt });
    assert.deepEqual(await other.readRefresh(refresh, now), { ...refreshClaims, expiresAt });
  },
});
