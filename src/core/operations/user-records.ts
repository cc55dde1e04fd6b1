/** A user as each version of the contract shows one. Records are mapped field by field: what is not named stays inside. */

import type { components } from '../../../generated/openapi.js';
import type { User } from '../model/user.js';

type Schemas = components['schemas'];

/** The user record with a link to the orders. */
export function userRecord(user: User): Schemas['User'] {
  return { ...userFields(user), links: { orders: `/api/users/${user.id}/orders` } };
}

/** The user record with the orders in place of the link. */
export function userWithOrders(user: User, orders: readonly Schemas['UserOrder'][]): Schemas['User'] {
  return { ...userFields(user), orders: [...orders] };
}

/** Version 1 (interface §9.3). */
export function userV1({ id, name, email, phone }: User): Schemas['UserV1'] {
  return { id, name, email, ...(phone !== undefined && { phone }) };
}

/** Version 2 (interface §9.4). */
export function userV2({ id, name, email, createdAt, updatedAt }: User): Schemas['UserV2'] {
  return { id, fullName: name, emailAddress: email, profile: { createdAt, updatedAt } };
}

function userFields(user: User): Omit<Schemas['User'], 'links' | 'orders'> {
  const { id, name, email, phone, city, role, status, createdAt, updatedAt } = user;
  return {
    id,
    name,
    email,
    ...(phone !== undefined && { phone }),
    ...(city !== undefined && { city }),
    role,
    status,
    createdAt,
    updatedAt,
  };
}
