/** The settings of the service, read from the environment and checked before anything starts. */

import { type Policy, openPolicy, protectedPolicy } from '../core/services/policy.js';

export interface Settings {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  readonly database: DatabaseSetting;
  /** Whether an empty store gets demo data. */
  readonly demoData: boolean;
  readonly policy: Policy;
  /** The admin who exists once the service is up. */
  readonly admin?: { readonly email: string; readonly password: string };
  /** Whether answers of the user collection say which versions there are. */
  readonly reportVersions: boolean;
  /** Whether every answer is held against the contract: for development. */
  readonly checkResponses: boolean;
}

/** Where the data is kept. */
export type DatabaseSetting =
  | { readonly kind: 'memory' }
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string };

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;

/**
 * Reads the settings. An empty setting counts as unset.
 *
 * @throws an error with a line for everything that is wrong
 */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const faults: string[] = [];
  const valueOf = (name: string): string | undefined => environment[name] || undefined;
  const choice = <Value>(name: string, values: Readonly<Record<string, Value>>, fallback: string): Value => {
    const given = valueOf(name) ?? fallback;
    const value = Object.hasOwn(values, given) ? values[given] : undefined;
    if (value === undefined) faults.push(`${name} must be ${Object.keys(values).join(' or ')}, not ${given}`);
    return value ?? (values[fallback] as Value);
  };
  const isProduction = valueOf('NODE_ENV') === 'production';
  const host = valueOf('HOST') ?? '127.0.0.1';

  const port = valueOf('PORT') ?? '3000';
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    faults.push(`PORT must be a number from 0 to 65535, not ${port}`);
  }
  const policyName = valueOf('AUTH_POLICY') ?? (isProduction ? 'protected' : 'open');
  if (policyName === 'open' && valueOf('AUTH_POLICY') === undefined && !LOOPBACK.test(host)) {
    faults.push(
      `AUTH_POLICY must be given where HOST is not loopback (${host}): protected, or open to let everybody in`,
    );
  }
  const settings: Settings = {
    host,
    port: Number(port),
    database: readDatabase(valueOf('DATABASE_URL') ?? 'sqlite:./data/service.db', faults),
    demoData: choice('DEMO_DATA', { on: true, off: false }, isProduction ? 'off' : 'on'),
    policy: choice('AUTH_POLICY', { open: openPolicy, protected: protectedPolicy }, policyName),
    ...readAdmin(valueOf('ADMIN_EMAIL'), valueOf('ADMIN_PASSWORD'), faults),
    reportVersions: choice('API_VERSION_REPORTING', { on: true, off: false }, 'on'),
    checkResponses: choice('CHECK_RESPONSES', { on: true, off: false }, 'off'),
  };
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return settings;
}

function readDatabase(url: string, faults: string[]): DatabaseSetting {
  if (url === 'memory:') return { kind: 'memory' };
  if (url.startsWith('sqlite:') && url.length > 'sqlite:'.length) {
    return { kind: 'sqlite', path: url.slice('sqlite:'.length) };
  }
  if (/^postgres(?:ql)?:\/\//.test(url) && URL.canParse(url)) return { kind: 'postgres', url };
  // The URL may carry a password, so it is not repeated.
  faults.push(
    'DATABASE_URL must be memory:, sqlite:<path> or postgres://<user>:<password>@<host>/<database>',
  );
  return { kind: 'memory' };
}

function readAdmin(
  email: string | undefined,
  password: string | undefined,
  faults: string[],
): Pick<Settings, 'admin'> {
  if (email === undefined && password === undefined) return {};
  if (email === undefined || password === undefined) {
    faults.push('ADMIN_EMAIL and ADMIN_PASSWORD go together: give both or none');
    return {};
  }
  if (password.length < 8 || password.length > 128)
    faults.push('ADMIN_PASSWORD must have 8 to 128 characters');
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email))
    faults.push(`ADMIN_EMAIL must be an email address, not ${email}`);
  return { admin: { email, password } };
}
