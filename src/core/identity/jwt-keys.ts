/** The keys of JSON Web Tokens: secrets (HS256) and private keys (ES256), each with the `kid` by which a token names it. */

import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  type KeyObject,
} from 'node:crypto';
import type { PublicTokenKey } from '../ports/sign-in.js';

/** One secret, or several while they are replaced: the first signs, and all verify. */
export type Secrets = string | readonly string[];

/** A key with its only algorithm; the algorithm in a token's header is not trusted. */
export interface JwtKey {
  /** The name by which a token refers to its key (RFC 7515 §4.1.4). That of a secret reveals nothing about the secret. */
  readonly kid: string;
  readonly algorithm: 'HS256' | 'ES256';
  readonly signing: KeyObject;
  readonly verifying: KeyObject;
  /** The public half, for other services; undefined for a secret, which has none. */
  readonly published: PublicTokenKey | undefined;
}

/** The minimum length of a secret in bytes. */
export const minSecretBytes = 32;

/** @throws for a secret that is too short */
export function secretKey(secret: string): JwtKey {
  const bytes = Buffer.from(secret);
  if (bytes.length < minSecretBytes) {
    throw new Error(`a token secret must have at least ${String(minSecretBytes)} bytes`);
  }
  const key = createSecretKey(bytes);
  // Not the SHA-256 of the secret: HMAC takes that for the key if a secret is longer than 64 bytes (RFC 2104 §2).
  const kid = createHmac('sha256', key).update('kid').digest('base64url').slice(0, 12);
  return { kid, algorithm: 'HS256', signing: key, verifying: key, published: undefined };
}

/**
 * Reads the private keys in a PEM text. Other blocks, such as `EC PARAMETERS`, are ignored.
 *
 * @throws when it has none, and for a key that ES256 cannot use
 */
export function privateKeysOf(pem: string): readonly JwtKey[] {
  const blocks = pem.split(/(?=-----BEGIN )/).filter((block) => PRIVATE_KEY.test(block));
  if (blocks.length === 0) throw new Error(KEY_FAULT);
  return blocks.map(privateKey);
}

const PRIVATE_KEY = /^-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/;

const KEY_FAULT =
  'a token key must be a private key for ES256 as PEM, without a passphrase: openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256';

function privateKey(pem: string): JwtKey {
  let signing: KeyObject;
  try {
    signing = createPrivateKey(pem);
  } catch (error) {
    throw new Error(KEY_FAULT, { cause: error });
  }
  // Node calls the curve P-256 (RFC 7518 §3.4) `prime256v1`.
  if (signing.asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw new Error(KEY_FAULT);
  const verifying = createPublicKey(signing);
  const { x = '', y = '' } = verifying.export({ format: 'jwk' });
  // The thumbprint of the key: these members, in this order (RFC 7638 §3.2).
  const members = JSON.stringify({ crv: 'P-256', kty: 'EC', x, y });
  const kid = createHash('sha256').update(members).digest('base64url');
  const published = { kty: 'EC', crv: 'P-256', x, y, kid, alg: 'ES256', use: 'sig' } as const;
  return { kid, algorithm: 'ES256', signing, verifying, published };
}

/** The keys of one kind of tokens. */
export function keyRing(given: readonly JwtKey[]) {
  const [current] = given;
  if (current === undefined) throw new Error('tokens need a secret or a private key');
  const keys = [...new Map(given.map((key) => [key.kid, key])).values()];
  return {
    /** The key that signs. */
    current,
    /** The keys that may have signed a token: the one that it names, or all if it names none. */
    candidates: (kid: unknown) => keys.filter((key) => kid === undefined || key.kid === kid),
    published: keys.flatMap(({ published }) => published ?? []),
  };
}
