/** The settings of the listening socket, and of what stands in front of it. */

import { choice, integer, text } from './readers.js';
import type { Setting } from './setting.js';

export type LogLevel = 'silent' | 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace';

export const serverSettings = {
  isProduction: {
    name: 'NODE_ENV',
    byDefault: 'none',
    meaning: '`production` makes the service strict: the other defaults say where',
    read: (_given, environment) => environment.isProduction,
  } satisfies Setting<boolean>,
  host: {
    name: 'HOST',
    byDefault: '`127.0.0.1`',
    meaning: 'the address to listen on; `0.0.0.0` or `::` for all',
    read: text('127.0.0.1'),
  } satisfies Setting<string>,
  port: {
    name: 'PORT',
    byDefault: '`3000`',
    meaning: 'the port to listen on; `0` picks a free one, and the first line of the output says which',
    read: integer({ from: 0, to: 65_535 }, 3000),
  } satisfies Setting<number>,
  trustProxy: {
    name: 'TRUST_PROXY',
    byDefault: '`0`',
    meaning:
      'how many reverse proxies stand in front: that many entries of `X-Forwarded-For` are believed; with none, a client is who connects',
    read: integer({ from: 0, to: 10 }, 0),
  } satisfies Setting<number>,
  stopDelaySeconds: {
    name: 'STOP_DELAY',
    byDefault: '`0`',
    meaning:
      'seconds between the signal to stop and the end of accepting, in which `/readyz` answers 503 and a load balancer looks elsewhere',
    read: integer({ from: 0, to: 300 }, 0),
  } satisfies Setting<number>,
  stopTimeoutSeconds: {
    name: 'STOP_TIMEOUT',
    byDefault: '`10`',
    meaning:
      'seconds that requests in flight have to finish when the service stops, before they are broken off',
    read: integer({ from: 1, to: 3600 }, 10),
  } satisfies Setting<number>,
  logLevel: {
    name: 'LOG_LEVEL',
    byDefault: '`info`',
    meaning:
      '`silent`, `fatal`, `error`, `warn`, `info`, `debug` or `trace`; one line a request at `info`: JSON, or readable text on a terminal',
    read: choice<LogLevel>(
      {
        silent: 'silent',
        fatal: 'fatal',
        error: 'error',
        warn: 'warn',
        info: 'info',
        debug: 'debug',
        trace: 'trace',
      },
      'info',
    ),
  } satisfies Setting<LogLevel>,
};
