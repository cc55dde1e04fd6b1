/** The id of a request, which its answer and its log lines share. */

import { randomBytes } from 'node:crypto';

/** Matches ids that are safe in a header, a log and a shell. Longer ids serve no purpose. */
const WELL_FORMED = /^[\w.:+/=@~-]{1,128}$/;

/** Each process has a random name and counts its requests: as unique as one random id per request, and many times cheaper. */
const processName = randomBytes(6).toString('hex');
let count = 0;

/** @param given - the `X-Request-Id` that the client, or a proxy in front of the service, sent */
export function requestIdOf(given: string | readonly string[] | undefined): string {
  if (typeof given === 'string' && WELL_FORMED.test(given)) return given;
  count += 1;
  return `${processName}-${count.toString(36)}`;
}
