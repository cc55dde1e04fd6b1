/** A user as each version of the contract shows one. Records are mapped field by field: what is not named stays inside. */

import type { components } from '../../../generated/openapi.js';
import type { User } from '../model/user.js';

type Schemas = components['schemas'];

/** The user record with a link to the orders. */
export function userRecord(user: User): Schemas['User'] {
  const record = userFields(user);
  record.links = { orders: `/api/users/${user.id}/orders` };
  return record;
}

/** The user record with the orders in place of the link. */
export function userWithOrders(user: User, orders: Schemas['UserOrder'][]): Schemas['User'] {
  const record = userFields(user);
  record.orders = orders;
  return record;
}

/** Version 1. */
export function userV1({ id, name, email, phone }: User): Schemas['UserV1'] {
  return { id, name, email, ...(phone !== undefined && { phone }) };
}

/** Version 2. */
export function userV2({ id, name, email, createdAt, updatedAt }: User): Schemas['UserV2'] {
  return { id, fullName: name, emailAddress: email, profile: { createdAt, updatedAt } };
}

/** Built by assignment: on the hottest path, spreading optional fields would take longer than all the rest. */
function userFields(user: User): Schemas['User'] {
  const { id, name, email, phone, city, role, status, createdAt, updatedAt } = user;
  const record: Schemas['User'] = { id, name, email, role, status, createdAt, updatedAt };
  if (phone !== undefined) record.phone = phone;
  if (city !== undefined) record.city = city;
  return record;
}
