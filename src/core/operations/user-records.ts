/** A user in each version of the contract. Records are mapped field by field, so that a new field is not shown by accident. */

import type { components } from '../../../generated/openapi.js';
import { complete } from '../model/fields.js';
import type { User } from '../model/user.js';

type Schemas = components['schemas'];

/** The user record with a link to the orders. */
export function userRecord(user: User): Schemas['User'] {
  return userWith(user, { orders: `/api/users/${user.id}/orders` }, undefined);
}

/** The user record with the orders in place of the link. */
export function userWithOrders(user: User, orders: Schemas['UserOrder'][]): Schemas['User'] {
  return userWith(user, undefined, orders);
}

/** Version 1. */
export function userV1({ id, name, email, phone }: User): Schemas['UserV1'] {
  return complete<Schemas['UserV1']>({ id, name, email, phone });
}

/** Version 2. */
export function userV2({ id, name, email, createdAt, updatedAt }: User): Schemas['UserV2'] {
  const profile = complete<Schemas['UserV2']['profile']>({ createdAt, updatedAt });
  return complete<Schemas['UserV2']>({ id, fullName: name, emailAddress: email, profile });
}

function userWith(
  user: User,
  links: Schemas['User']['links'],
  orders: Schemas['User']['orders'],
): Schemas['User'] {
  const { id, name, email, phone, city, role, status, createdAt, updatedAt } = user;
  return complete<Schemas['User']>({
    id,
    name,
    email,
    role,
    status,
    createdAt,
    updatedAt,
    phone,
    city,
    links,
    orders,
  });
}
