/** Works on the store as the operator: fills it at the start with demo data and the first admin, and serves the command line. */

import {
  type DemoSignIn,
  type PasswordHasher,
  type Services,
  type ServicesOptions,
  type Storage,
  createServices,
  ensureAdmin,
  fillWithDemoData,
  findDemoSignIns,
  openPolicy,
  operator,
} from '@concordat/core';
import type { Settings } from '../settings/settings.js';

/** Fills the store as the operator, because a strict policy would refuse this. @returns the sign-ins of the demo users, if any */
export async function prepareStore(
  storage: Storage,
  passwordHasher: PasswordHasher,
  { demoData, adminEmail, adminPassword }: Settings,
  announcing: Pick<ServicesOptions, 'events' | 'report'>,
): Promise<readonly DemoSignIn[]> {
  const demoHasher = onceEach(passwordHasher);
  if (demoData) {
    await fillWithDemoData(operatorServices(storage, { passwordHasher: demoHasher }), {
      ...operator,
      address: 'settings',
    });
  }
  if (adminEmail !== undefined && adminPassword !== undefined) {
    await ensureAdmin(storage, passwordHasher, { email: adminEmail, password: adminPassword }, announcing);
  }
  return demoData ? await findDemoSignIns(storage.users, demoHasher) : [];
}

/**
 * Hashes and verifies each password once. All demo users have the same public password, and making or verifying a hash takes as
 * long as the rest of this file.
 */
function onceEach(hasher: PasswordHasher): PasswordHasher {
  const hashes = new Map<string, Promise<string>>();
  const verified = new Map<string, Promise<boolean>>();
  return {
    async hash(password) {
      const hash = await remembered(hashes, password, () => hasher.hash(password));
      verified.set(`${hash} ${password}`, Promise.resolve(true));
      return hash;
    },
    verify: (hash, password) =>
      remembered(verified, `${hash} ${password}`, () => hasher.verify(hash, password)),
  };
}

function remembered<Value>(known: Map<string, Promise<Value>>, key: string, make: () => Promise<Value>) {
  let value = known.get(key);
  if (value === undefined) known.set(key, (value = make()));
  return value;
}

/**
 * Creates the services over the store; call them as the caller `operator`. The policy does not bind operators, because they can
 * access the database anyway.
 */
export function operatorServices(
  storage: Storage,
  options: Pick<ServicesOptions, 'passwordHasher' | 'events' | 'outbox' | 'report'> = {},
): Services {
  return createServices({ storage, policy: openPolicy, ...options });
}
