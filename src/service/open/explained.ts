/** Explains in one sentence why a server cannot be used at the start: which server, its own words, and what to do. */

import { type Cause, causeOf } from '../watch/causes.js';

/** The advice for a cause, by its code or its text; the first row that fits applies. */
const ADVICE: readonly (readonly [fault: RegExp, advice: (setting: string) => string])[] = [
  [
    /unsupported startup parameter/,
    () => 'this is PgBouncer: set DATABASE_POOLER=transaction and DATABASE_DIRECT_URL',
  ],
  [/ECONNREFUSED/, (setting) => `nothing listens there: start it, or correct ${setting}`],
  [/ENOTFOUND|EAI_AGAIN/, (setting) => `this host name is not known: correct ${setting}`],
  [/ETIMEDOUT|timeout|no answer/i, (setting) => `is a firewall in between, or is ${setting} wrong?`],
  [
    /CERT|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)/,
    () => 'its certificate is not trusted: give that of its authority in NODE_EXTRA_CA_CERTS',
  ],
  [/does not support SSL/, (setting) => `it has no TLS: remove sslmode from ${setting}`],
  [
    /\b28\w{3}\b|WRONGPASS|NOAUTH|password|SASL|auth/i,
    (setting) => `check the user and the password in ${setting}`,
  ],
  [/\b3D000\b|no such database/, (setting) => `create the database, or correct ${setting}`],
];

/** @throws an error with the sentence if the server refuses or does not answer; any other error unchanged */
export async function explained<Opened>(
  server: string,
  setting: string,
  opened: Promise<Opened>,
): Promise<Opened> {
  try {
    return await opened;
  } catch (error) {
    const cause = causeOf(error);
    // A failed migration is explained already, and the server could be used.
    if (cause.host === undefined || (error as Error).name === 'MigrationFailure') throw error;
    throw new Error(sentenceOf(cause, server, setting), { cause: error });
  }
}

function sentenceOf({ cause, code, sqlState, host, port }: Cause, server: string, setting: string): string {
  const label = sqlState ?? code;
  const words = cause.replace(/\.$/, '');
  const text = label === undefined || words.includes(label) ? words : `${words} (${label})`;
  const advice = ADVICE.find(([fault]) => fault.test(text))?.[1](setting);
  const address = port === undefined ? String(host) : `${String(host)}:${String(port)}`;
  return `${server} at ${address} cannot be used: ${text}${advice === undefined ? '' : `; ${advice}`}`;
}
