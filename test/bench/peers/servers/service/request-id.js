/** The id of a request: the client's, when it is well-formed, or a new one. */

import { randomBytes } from 'node:crypto';

const processName = randomBytes(6).toString('hex');
let count = 0;

export function requestIdOf(request) {
  const given = request.headers['x-request-id'];
  if (given !== undefined && /^[\w.:+/=@~-]{1,128}$/.test(given)) return given;
  count += 1;
  return `${processName}-${count.toString(36)}`;
}
