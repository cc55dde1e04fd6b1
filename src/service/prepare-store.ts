/** What an empty store starts with: demo data and the first admin, where the settings ask for them. */

import {
  type DemoSignIn,
  type PasswordHasher,
  type Storage,
  ensureAdmin,
  fillWithDemoData,
  findDemoSignIns,
  operator,
} from '@concordat/core';
import { operatorServices } from './operator-services.js';
import type { Settings } from './settings.js';

/** A deployer's policy does not bind the service itself. @returns how to sign in as the demo users, where there are any */
export async function prepareStore(
  storage: Storage,
  passwordHasher: PasswordHasher,
  { demoData, adminEmail, adminPassword }: Settings,
): Promise<readonly DemoSignIn[]> {
  if (demoData) await fillWithDemoData(operatorServices(storage, { passwordHasher }), operator);
  if (adminEmail !== undefined && adminPassword !== undefined) {
    await ensureAdmin(storage, passwordHasher, { email: adminEmail, password: adminPassword });
  }
  return demoData ? await findDemoSignIns(storage.users, passwordHasher) : [];
}
