/** The id of a request, which its answer, its lines in the log and its trace have in common. */

import { randomBytes } from 'node:crypto';

/** What is safe in a header, a log and a shell; nobody needs a longer one. */
const WELL_FORMED = /^[\w.:+/=@~-]{1,128}$/;

/** A process has a random name and counts: as good as a random id a request, and many times cheaper. */
const processName = randomBytes(6).toString('hex');
let count = 0;

/** @param given - what the client, or a proxy in front of the service, sent as `X-Request-Id` */
export function requestIdOf(given: string | readonly string[] | undefined): string {
  if (typeof given === 'string' && WELL_FORMED.test(given)) return given;
  count += 1;
  return `${processName}-${count.toString(36)}`;
}
