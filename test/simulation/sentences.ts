/** The sentences with which the document and the decisions have requests refused over REST. */

import { type Answer, type Call, Fault } from './calls.js';

/** By the path, what is not found. */
const missing: readonly (readonly [path: RegExp, sentence: RegExp])[] = [
  [/^\/api\/users\/[^/]+\/orders\/[^/]+\/items\//, /^(?:User|Order|Item) not found$/],
  [/^\/api\/users\/[^/]+\/orders\/./, /^(?:User|Order) not found$/],
  [/^\/api\/users\/./, /^User not found$/],
  [/^\/api\/orders\/./, /^Order not found$/],
  [/^\/api\/products\/./, /^Product not found$/],
  [/^\/api\/comments\/./, /^Comment not found$/],
  [/^\/api\/posts\/./, /^Post not found$/],
  [/^\/api\/keys\/./, /^API key not found$/],
  [/^\/api\/webhooks\/./, /^\w+ not found$/],
  [/./, /^Not found$/],
];

/** What is said of a credential, and where an operation has sentences of its own. */
function unauthenticated({ path, sender }: Call): RegExp {
  if (path.startsWith('/api/auth/login')) return /^Invalid credentials$/;
  if (path.startsWith('/api/auth/refresh')) return /^(?:Refresh token required|Invalid refresh token)$/;
  if (path.startsWith('/api/auth/idp')) return /^External sign-in failed$/;
  if (path === '/api/keys/current' && sender.kind !== 'key') return /^API key required$/;
  switch (sender.kind) {
    case 'nobody':
      return /^(?:No token provided|Not authenticated)$/;
    case 'key':
      return /^(?:Invalid API key|No token provided|Not authenticated)$/;
    default:
      return /^(?:Invalid token|Not authenticated)$/;
  }
}

const conflicts =
  /^(?:Email already in use|The last admin cannot be (?:deleted|demoted|deactivated)|An order.* this one is \w+|(?:A|The) .*Idempotency-Key.*)$/;

function expected(call: Call, status: number): RegExp | undefined {
  if (status === 401) return unauthenticated(call);
  if (status === 403) return /^Insufficient permissions$/;
  if (status === 404) return missing.find(([path]) => path.test(call.path))?.[1];
  if (status === 409 && !/^\/api\/(?:auth|webhooks)/.test(call.path)) return conflicts;
  if (status === 412) return /^\w+ (?:has changed|exists in a version)/;
  if (status === 422) return /^This Idempotency-Key was used for another request/;
  return undefined;
}

/** @throws {@link Fault} for a refusal in other words */
export function requireSentence(call: Call, { status, body }: Answer): void {
  const sentence = expected(call, status);
  const { error = '' } = Object(body) as { readonly error?: string };
  if (call.path.startsWith('/api/') && sentence?.test(error) === false)
    throw new Fault(`${call.method} ${call.path} is refused with ${String(status)} ${error}`);
}
