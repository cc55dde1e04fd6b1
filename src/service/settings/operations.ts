/** The settings of those who operate the service: what it says of itself, and how it bears load. */

import { integer, toggle } from './readers.js';
import { type Reader, type Setting, SettingFault } from './setting.js';

/** `*`, or origins as browsers send them. */
export type CorsOrigins = '*' | ReadonlySet<string>;

const readOrigins: Reader<CorsOrigins | undefined> = (given) => {
  if (given === undefined || given === '*') return given;
  const origins = given.split(',').map((origin) => origin.trim());
  for (const origin of origins) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
      throw new SettingFault(
        `must be * or origins such as https://example.com, with commas between, not ${origin}`,
      );
    }
  }
  return new Set(origins);
};

export const operationsSettings = {
  reportVersions: {
    name: 'API_VERSION_REPORTING',
    byDefault: '`on`',
    meaning:
      'whether answers of the user collection say which versions there are, in `X-API-Supported-Versions`',
    read: toggle('on'),
  } satisfies Setting<boolean>,
  rateLimit: {
    name: 'RATE_LIMIT',
    byDefault: 'off',
    meaning:
      'requests a minute that one address may send; counted over all processes where `EVENTS_URL` is `redis://…`, else by each',
    read: integer({ from: 1, to: 1_000_000 }, undefined),
  } satisfies Setting<number | undefined>,
  corsOrigins: {
    name: 'CORS_ORIGINS',
    byDefault: 'off',
    meaning: 'the origins whose pages may call the service from a browser, with commas between; `*` for all',
    read: readOrigins,
  } satisfies Setting<CorsOrigins | undefined>,
  securityHeaders: {
    name: 'SECURITY_HEADERS',
    byDefault: '`on`',
    meaning: "whether answers carry helmet's headers; `off` where a proxy sets its own",
    read: toggle('on'),
  } satisfies Setting<boolean>,
  checkResponses: {
    name: 'CHECK_RESPONSES',
    byDefault: '`off`',
    meaning: 'whether every answer is held against the contract before it is sent: for development',
    read: toggle('off'),
  } satisfies Setting<boolean>,
};
