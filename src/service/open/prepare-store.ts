/** Fills the store at the start with demo data and the first admin, if the settings ask for them. */

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
import type { Settings } from '../settings/settings.js';

/** Works as the operator, because a strict policy would refuse these writes. @returns the sign-ins of the demo users, if any */
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
