/** The settings of the service: one table, read from the environment and validated before anything starts. */

import { inspect } from 'node:util';
import { dataSettings } from './data.js';
import { type Setting, givenSettings, readValues, slipWarnings, variableNames } from './setting.js';
import { graphqlSettings, operationsSettings } from './operations.js';
import { identitySettings } from './identity.js';
import { givenSocket, serverSettings, socketWarnings } from './server.js';

/** All settings, in the order of the README's table. */
export const settingsTable = {
  ...serverSettings,
  ...dataSettings,
  ...identitySettings,
  ...graphqlSettings,
  ...operationsSettings,
} satisfies Record<string, Setting<unknown>>;

const rows = Object.values<Setting<unknown>>(settingsTable);

/** The values of the settings: one per row of the table. */
export type Settings = {
  readonly [Key in keyof typeof settingsTable]: ReturnType<(typeof settingsTable)[Key]['read']>;
} & {
  /** The descriptor of a listening socket that systemd holds; undefined to listen on `host` and `port`. */
  readonly socket: number | undefined;
  /** Whether AUTH_POLICY is given. */
  readonly isPolicyGiven: boolean;
  /** Probable mistakes of the operator, one sentence each. */
  readonly warnings: readonly string[];
};

const ENVIRONMENTS = ['production', 'development', 'test'];

/**
 * Reads the settings. An empty setting counts as unset.
 *
 * @param variables - such as `process.env`
 * @throws an error with one line per wrong setting
 */
export function readSettings(variables: Readonly<Record<string, string | undefined>>): Settings {
  const environment = givenSettings(variables, rows);
  const mode = environment.valueOf('NODE_ENV') ?? 'development';
  const values: Record<string, unknown> = {
    socket: givenSocket(variables),
    isPolicyGiven: environment.valueOf('AUTH_POLICY') !== undefined,
    warnings: [
      ...(ENVIRONMENTS.includes(mode)
        ? []
        : [`NODE_ENV=${mode} counts as development: only production makes the service strict`]),
      ...socketWarnings(variables),
      ...slipWarnings(variables, variableNames(rows)),
    ],
    // Own properties, so that copies with other values have them too.
    toJSON: printed,
    [inspect.custom]: printed,
  };
  return Object.assign(values, readValues(settingsTable, environment)) as Settings;
}

/**
 * The printed form of settings: numbers and switches are shown. Other values, such as secrets and addresses with passwords, are
 * printed as `(given)`.
 */
function printed(this: Readonly<Record<string, unknown>>): object {
  const entries = Object.entries(this).filter(
    ([, value]) => value !== undefined && typeof value !== 'function',
  );
  return Object.fromEntries(
    entries.map(([key, value]) => [
      key,
      typeof value === 'number' || typeof value === 'boolean' ? value : '(given)',
    ]),
  );
}
