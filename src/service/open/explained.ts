/** Waits at the start for a server that does not answer yet, and explains in one sentence why it cannot be used: its own words, and what to do. */

import { setTimeout as sleep } from 'node:timers/promises';
import { type Cause, causeOf } from '../watch/failure-log.js';

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

/** The faults of a server that is not up yet; `57P` is PostgreSQL's class for one that starts or stops. */
const ABSENT =
  /\b57P\d\d\b|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|timeout|terminated|no answer/i;

/** How long a start waits for a server that is not up yet, and where this is reported. */
export interface Waiting {
  readonly seconds: number;
  /** Called when the wait begins, and when it ends. */
  readonly report: (line: string) => void;
}

const pauseMs = 250;

/**
 * @param open - is called again while the server is not up
 * @param waiting - without it, the first failure counts
 * @throws an error with the sentence if the server refuses or does not answer; any other error unchanged
 */
export async function explained<Opened>(
  server: string,
  setting: string,
  open: () => Promise<Opened>,
  { seconds, report }: Waiting = { seconds: 0, report: () => undefined },
): Promise<Opened> {
  const started = performance.now();
  for (let attempt = 0; ; attempt += 1) {
    const ended = (outcome: string): void => {
      const waited = ((performance.now() - started) / 1000).toFixed(1);
      if (attempt > 0) report(`${server} ${outcome} after ${waited} s`);
    };
    try {
      const opened = await open();
      ended('answers');
      return opened;
    } catch (error) {
      const cause = causeOf(error);
      // A failed migration is explained already, and the server could be used.
      const isRefusal = cause.host !== undefined && (error as Error).name !== 'MigrationFailure';
      const label = cause.sqlState ?? cause.code;
      const words = cause.cause.replace(/\.$/, '');
      const text = label === undefined || words.includes(label) ? words : `${words} (${label})`;
      const isAbsent = isRefusal && ABSENT.test(text);
      if (isAbsent && performance.now() - started + pauseMs < seconds * 1000) {
        if (attempt === 0)
          report(
            `${server} at ${addressOf(cause)} does not answer: ${text}; waiting up to ${String(seconds)} s`,
          );
        await sleep(pauseMs);
        continue;
      }
      ended(isAbsent ? 'still does not answer' : 'answers');
      if (!isRefusal) throw error;
      const advice = ADVICE.find(([fault]) => fault.test(text))?.[1](setting);
      throw new Error(
        `${server} at ${addressOf(cause)} cannot be used: ${text}${advice === undefined ? '' : `; ${advice}`}`,
        { cause: error },
      );
    }
  }
}

function addressOf({ host, port }: Cause): string {
  return port === undefined ? String(host) : `${String(host)}:${String(port)}`;
}
