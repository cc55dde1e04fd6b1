/** The settings of who may do what, and of how people sign in. */

import { type Policy, openPolicy, protectedPolicy } from '../../core/services/policy.js';
import { choice } from './readers.js';
import { type Reader, type Setting, SettingFault } from './setting.js';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/;

const policyOf = choice<Policy>({ open: openPolicy, protected: protectedPolicy }, ({ isProduction }) =>
  isProduction ? 'protected' : 'open',
);

const readPolicy: Reader<Policy> = (given, environment) => {
  const policy = policyOf(given, environment);
  const host = environment.valueOf('HOST') ?? '127.0.0.1';
  if (given === undefined && policy === openPolicy && !LOOPBACK.test(host)) {
    throw new SettingFault(
      `must be given where HOST is not loopback (${host}): protected, or open to let everybody in`,
    );
  }
  return policy;
};

const readAdminEmail: Reader<string | undefined> = (given, { valueOf }) => {
  if (given === undefined && valueOf('ADMIN_PASSWORD') !== undefined) {
    throw new SettingFault('and ADMIN_PASSWORD go together: give both or none');
  }
  if (given !== undefined && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(given)) {
    throw new SettingFault(`must be an email address, not ${given}`);
  }
  return given;
};

const readAdminPassword: Reader<string | undefined> = (given, { valueOf }) => {
  if (given === undefined && valueOf('ADMIN_EMAIL') !== undefined) {
    throw new SettingFault('and ADMIN_EMAIL go together: give both or none');
  }
  if (given !== undefined && (given.length < 8 || given.length > 128)) {
    throw new SettingFault('must have 8 to 128 characters');
  }
  return given;
};

export const identitySettings = {
  policy: {
    name: 'AUTH_POLICY',
    byDefault: '`open`; `protected` when `NODE_ENV=production`',
    meaning: 'who may do what: `open` or `protected`; must be given where `HOST` is not loopback',
    read: readPolicy,
  } satisfies Setting<Policy>,
  adminEmail: {
    name: 'ADMIN_EMAIL',
    byDefault: 'none',
    meaning: 'given, an admin with this address exists once the service is up',
    read: readAdminEmail,
  } satisfies Setting<string | undefined>,
  adminPassword: {
    name: 'ADMIN_PASSWORD',
    byDefault: 'none',
    meaning: "that admin's password, 8 to 128 characters",
    read: readAdminPassword,
  } satisfies Setting<string | undefined>,
};
