/** Shows users with a link to their orders, or with the orders themselves. */

import type { components } from '../../../generated/openapi.js';
import { decimalOf } from '../model/money.js';
import type { User } from '../model/user.js';
import type { Caller } from '../services/caller.js';
import type { Services } from '../services/services.js';
import { userRecord, userWithOrders } from './user-records.js';

type UserSchema = components['schemas']['User'];

/** Maps users to their records; the orders of all users of a page are read at once. */
export type UserPresenter = (
  users: readonly User[],
  embed: 'orders' | undefined,
  caller: Caller,
) => Promise<UserSchema[]>;

export function userPresenter({ orders }: Services): UserPresenter {
  return async (users, embed, caller) => {
    if (embed === undefined) return users.map(userRecord);
    const summaries = await orders.summarize(
      caller,
      users.map(({ id }) => id),
    );
    return users.map((user, index) =>
      userWithOrders(
        user,
        (summaries[index] ?? []).map(({ id, totalCents }) => ({ id, total: decimalOf(totalCents) })),
      ),
    );
  };
}
