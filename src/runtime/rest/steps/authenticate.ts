/** Identifies the caller, and refuses the request when the operation's security is not satisfied. */

import type { Exchange } from './exchange.js';
import { authenticateCaller, hasCredential, missingCredential } from '../operation/security.js';

/** @throws a 401 or 403 `Problem` when the operation's security is not satisfied */
export function authenticate<Caller>(exchange: Exchange<Caller>): Promise<void> | undefined {
  const { request, operation } = exchange;
  const { security, id } = operation;
  if (security === undefined) return undefined;
  if (!hasCredential(security, request)) {
    if (security.isOptional) return undefined;
    throw missingCredential(security, request);
  }
  const caller = authenticateCaller(security, { operationId: id, request }, exchange.caller);
  if (caller instanceof Promise) {
    return caller.then((settled) => {
      exchange.caller = settled;
    });
  }
  exchange.caller = caller;
  return undefined;
}
