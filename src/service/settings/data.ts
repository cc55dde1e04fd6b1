/** The settings of the store and its initial data. */

import { toggle } from './readers.js';
import { type Reader, type Setting, SettingFault } from './setting.js';

/** Where the data is kept. */
export type DatabaseSetting =
  | { readonly kind: 'memory' }
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string };

const readDatabase: Reader<DatabaseSetting> = (url = 'sqlite:./data/service.db') => {
  if (url === 'memory:') return { kind: 'memory' };
  if (url.startsWith('sqlite:') && url.length > 'sqlite:'.length) {
    return { kind: 'sqlite', path: url.slice('sqlite:'.length) };
  }
  if (/^postgres(?:ql)?:\/\//.test(url) && URL.canParse(url)) return { kind: 'postgres', url };
  // The URL may contain a password, so it is not repeated.
  throw new SettingFault('must be memory:, sqlite:<path> or postgres://<user>:<password>@<host>/<database>');
};

export const dataSettings = {
  database: {
    name: 'DATABASE_URL',
    byDefault: '`sqlite:./data/service.db`',
    meaning: '`memory:`, `sqlite:<path>` or `postgres://…`; migrated at the start',
    read: readDatabase,
  } satisfies Setting<DatabaseSetting>,
  demoData: {
    name: 'DEMO_DATA',
    byDefault: '`on`; `off` when `NODE_ENV=production`',
    meaning: 'whether an empty store gets demo records',
    read: toggle(({ isProduction }) => (isProduction ? 'off' : 'on')),
  } satisfies Setting<boolean>,
};
