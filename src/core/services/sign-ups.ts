/** Limits how many users one address creates. */
import { tooManyRequests } from '../model/error.js';
import type { AttemptLimiter } from '../ports/attempt-limiter.js';
import { networkOf } from './network.js';

/**
 * Counts a sign-up before the password is hashed, and also where the email turns out to be in use: both could be abused.
 *
 * @param limiter - undefined for no limit
 * @param address - the client's address; a sign-up without one is not counted
 * @throws ServiceError `too-many-requests` after too many sign-ups from the address
 */
export async function countSignUp(
  limiter: AttemptLimiter | undefined,
  address: string | undefined,
): Promise<void> {
  if (address === undefined) return;
  const seconds = await limiter?.take(`sign-up:${networkOf(address)}`);
  if (seconds !== undefined) throw tooManyRequests('Too many sign-ups', seconds);
}
