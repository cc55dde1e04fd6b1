/** The settings of the listening socket, and of what stands in front of it. */

import { choice, integer, text } from './readers.js';
import type { Setting } from './setting.js';

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
  logLevel: {
    name: 'LOG_LEVEL',
    byDefault: '`info`',
    meaning:
      '`silent`, `fatal`, `error`, `warn`, `info`, `debug` or `trace`; one line a request at `info`: JSON, or readable text on a terminal',
    read: choice(
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
  } satisfies Setting<string>,
};
