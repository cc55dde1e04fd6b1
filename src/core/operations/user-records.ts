/** A user in each version of the contract. Records are mapped field by field, so that a new field is not shown by accident. */

import type { components } from '../../../generated/openapi.js';
import { complete } from '../model/fields.js';
import { decimalOf } from '../model/money.js';
import type { User } from '../model/user.js';
import type { Caller } from '../services/caller.js';
import type { Services } from '../services/services.js';

type Schemas = components['schemas'];

/** Maps users to their records; the orders of all users of a page are read at once. */
export type UserPresenter = (
  users: readonly User[],
  embed: 'orders' | undefined,
  caller: Caller,
) => Promise<Schemas['User'][]>;

export function userPresenter({ orders }: Services): UserPresenter {
  return async (users, embed, caller) => {
    if (embed === undefined) return users.map((user) => userRecord(user));
    const ids = users.map(({ id }) => id);
    const summaries = await orders.summarize(caller, ids);
    return users.map((user, index) => {
      const summary = summaries[index] ?? [];
      return userRecord(
        user,
        summary.map(({ id, totalCents }) => ({ id, total: decimalOf(totalCents) })),
      );
    });
  };
}

/** The user record with a link to the orders, or with the orders in place of the link. */
export function userRecord(user: User, orders?: Schemas['UserOrder'][]): Schemas['User'] {
  const { id, name, email, phone, city, role, status, createdAt, updatedAt } = user;
  const links = orders === undefined ? { orders: `/api/users/${id}/orders` } : undefined;
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

/** Version 1. */
export function userV1({ id, name, email, phone }: User): Schemas['UserV1'] {
  return complete<Schemas['UserV1']>({ id, name, email, phone });
}

/** Version 2. */
export function userV2({ id, name, email, createdAt, updatedAt }: User): Schemas['UserV2'] {
  const profile = complete<Schemas['UserV2']['profile']>({ createdAt, updatedAt });
  return complete<Schemas['UserV2']>({ id, fullName: name, emailAddress: email, profile });
}
