/** The settings of those who operate the service: what it says of itself, and how it bears load. */

import { toggle } from './readers.js';
import type { Setting } from './setting.js';

export const operationsSettings = {
  reportVersions: {
    name: 'API_VERSION_REPORTING',
    byDefault: '`on`',
    meaning:
      'whether answers of the user collection say which versions there are, in `X-API-Supported-Versions`',
    read: toggle('on'),
  } satisfies Setting<boolean>,
  checkResponses: {
    name: 'CHECK_RESPONSES',
    byDefault: '`off`',
    meaning: 'whether every answer is held against the contract before it is sent: for development',
    read: toggle('off'),
  } satisfies Setting<boolean>,
};
