/** The settings of the listening socket, which systemd may give to the process, of proxies in front of it, and of the log. */

import { isIP } from 'node:net';
import { type Environment, type Reader, SettingFault, choice, integer } from './setting.js';

const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Unlike host names in DNS (RFC 1123 §2.1), names in the hosts file may have underscores. */
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_-]{0,62})(?:\.[a-z0-9_][a-z0-9_-]{0,62})*\.?$/i;

/** The address to listen on; undefined if HOST is invalid. */
export function hostOf(environment: Environment): string | undefined {
  const host = environment.valueOf('HOST') ?? '127.0.0.1';
  return isIP(host) !== 0 || HOST_NAME.test(host) ? host : undefined;
}

const readHost: Reader<string> = (given, environment) => {
  const host = hostOf(environment);
  if (host !== undefined) return host;
  throw new SettingFault(`must be an IP address or the name of a host, not ${String(given)}`);
};

export const serverSettings = {
  isProduction: {
    name: 'NODE_ENV',
    byDefault: 'none',
    meaning: '`production` makes the service strict, by the defaults of other settings',
    read: ((_given, environment) => environment.isProduction) satisfies Reader<boolean>,
  },
  host: {
    name: 'HOST',
    byDefault: '`127.0.0.1`',
    meaning: 'the address to listen on; `0.0.0.0` or `::` for all',
    read: readHost,
  },
  port: integer(
    'PORT',
    'the port to listen on; `0` picks a free one, and the first line of the output says which',
    { from: 0, to: 65_535, byDefault: 3000 },
  ),
  trustProxy: integer(
    'TRUST_PROXY',
    'the number of reverse proxies in front: that many entries of `X-Forwarded-For` are trusted; with none, the address of the connection is used',
    { from: 0, to: 10, byDefault: 0 },
  ),
  stopDelaySeconds: integer(
    'STOP_DELAY',
    'seconds between the signal to stop and the end of accepting connections; `/readyz` answers 503 in that time, so that load balancers turn away',
    { from: 0, to: 300, byDefault: 0 },
  ),
  stopTimeoutSeconds: integer(
    'STOP_TIMEOUT',
    'seconds that requests in flight have to finish when the service stops, before they are cut off',
    { from: 1, to: 3600, byDefault: 10 },
  ),
  logLevel: {
    name: 'LOG_LEVEL',
    byDefault: '`info`',
    meaning:
      '`silent`, `fatal`, `error`, `warn`, `info`, `debug` or `trace`; one line per request at `info`: JSON, or readable text on a terminal; the line with the URL at any level',
    read: choice(logLevels, 'info'),
  },
};

/** The first descriptor that systemd gives (sd_listen_fds(3)): the one after stdin, stdout and stderr. */
const FIRST_DESCRIPTOR = 3;

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * @param variables - such as `process.env`
 * @returns the descriptor of the socket; undefined when this process is given none
 * @throws an error when it is given several: connections to the others would wait forever
 */
export function givenSocket({ LISTEN_FDS, LISTEN_PID }: Variables): number | undefined {
  if (!isGiven(LISTEN_FDS) || LISTEN_PID !== String(process.pid)) return undefined;
  if (LISTEN_FDS === '1') return FIRST_DESCRIPTOR;
  throw new Error(
    `LISTEN_FDS gives ${String(LISTEN_FDS)} sockets, and the service listens on one: leave one ListenStream= in the socket unit`,
  );
}

/** A socket that is given to another process, such as a wrapper of this one, is not used: the service would seem to run without it. */
export function socketWarnings({ LISTEN_FDS, LISTEN_PID }: Variables): readonly string[] {
  if (!isGiven(LISTEN_FDS) || LISTEN_PID === String(process.pid)) return [];
  return [
    `the socket of LISTEN_FDS is not used: it is for process ${LISTEN_PID ?? 'none'} (LISTEN_PID), and this is ${String(process.pid)}`,
  ];
}

function isGiven(count: string | undefined): boolean {
  return /^[1-9]\d*$/.test(count ?? '');
}
