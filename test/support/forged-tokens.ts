/** Forged tokens, by every known method: the service did not issue them, or issued them for another use. */
import { createHmac, generateKeyPairSync } from 'node:crypto';
import jwt from 'jsonwebtoken';

export const HS256 = { alg: 'HS256', typ: 'JWT' };

/** A token of any given parts. */
export function forge(header: object, claims: unknown, secret: string, hash = 'sha256'): string {
  const parts = [header, claims].map(encoded).join('.');
  return `${parts}.${createHmac(hash, secret).update(parts).digest('base64url')}`;
}

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** The knowledge of a forger. */
export interface Target {
  /** The secret of the tokens to forge, for forgeries that use it. */
  readonly secret: string;
  /** The secret of the other kind of tokens. */
  readonly otherSecret: string;
  /** The id of an existing user. */
  readonly userId: string;
  /** A time in the future, in seconds. */
  readonly exp: number;
  /** A time in the past, in seconds. */
  readonly past: number;
  /** The other claims of this kind of token. */
  readonly claims?: object;
}

/** The tokens by their fault. */
export function forgedTokens({
  secret,
  otherSecret,
  userId,
  exp,
  past,
  claims: more = {},
}: Target): Readonly<Record<string, string>> {
  const sound = { userId, exp, ...more };
  const good = forge(HS256, sound, secret);
  const [header = '', claims = '', signature = ''] = good.split('.');
  const of = (fields: object) => forge(HS256, { ...sound, ...fields }, secret);
  return {
    'no token': 'nonsense',
    'no parts': '..',
    'an unsigned token': `${encoded({ alg: 'none' })}.${claims}.`,
    'an unsigned token in capitals': `${encoded({ alg: 'NONE' })}.${claims}.`,
    'alg none with a signature': `${encoded({ alg: 'none' })}.${claims}.${signature}`,
    'a token without its signature': `${header}.${claims}.`,
    'another secret': forge(HS256, sound, 'another secret, of 32 bytes and more'),
    'an empty secret': forge(HS256, sound, ''),
    'the other kind of secret': forge(HS256, sound, otherSecret),
    'HS384 with the right secret': forge({ alg: 'HS384' }, sound, secret, 'sha384'),
    'HS512 with the right secret': forge({ alg: 'HS512' }, sound, secret, 'sha512'),
    'a critical extension that is unknown': forge({ ...HS256, crit: ['exp2'], exp2: 1 }, sound, secret),
    'HS256 that says RS256': forge({ alg: 'RS256' }, sound, secret),
    'RS256 with its own key': jwt.sign(sound, privateKey, { algorithm: 'RS256' }),
    'a key that the token brings': forge({ ...HS256, jwk: { kty: 'oct', k: 'AAAA' } }, sound, 'AAAA'),
    'no algorithm': forge({}, sound, secret),
    'other claims under the same signature': `${header}.${encoded({ ...sound, more: 1 })}.${signature}`,
    'a longer signature': `${good}AA`,
    'a fourth part': `${good}.x`,
    'no end': of({ exp: undefined }),
    'an end that is a text': of({ exp: String(exp) }),
    'an end that is null': of({ exp: null }),
    'an end in the past': of({ exp: past }),
    'a time of issue that is a text': of({ iat: 'now' }),
    'a beginning in the future': of({ nbf: exp - 1 }),
    'no user': of({ userId: undefined }),
    'a user that is an object': of({ userId: { id: userId } }),
    'a user that is a list': of({ userId: [userId] }),
    'a user that is a number': of({ userId: Number(userId) }),
    'a user that is no id': of({ userId: "7' or '1'='1" }),
    'a user that is the operator': of({ userId: '0' }),
    'claims that are a text': forge(HS256, 'userId', secret),
    'claims that are null': forge(HS256, null, secret),
    'claims that are a list': forge(HS256, [sound], secret),
    'a long filler': of({ filler: 'x'.repeat(6_000) }),
  };
}

/** Forgeries of access tokens only, made with their secret. */
export function forgedAccessTokens(target: Target): Readonly<Record<string, string>> {
  const { secret, userId, exp } = target;
  const of = (fields: object) => forge(HS256, { userId, exp, ...fields }, secret);
  return {
    ...forgedTokens(target),
    'a role that is an object': of({ role: { admin: true } }),
    'a role that there is not': of({ role: 'root' }),
    'a role that is null': of({ role: null }),
    'an email that is an object': of({ email: {} }),
  };
}
