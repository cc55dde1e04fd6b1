/** Inputs that tests of several services send. */

import { type OrderStatus, orderStatuses } from '../../src/core/model/order.js';

/** A person who is not in the store yet. */
export const eve = { name: 'Eve', email: 'eve@example.com' };

/** An item without a product. */
export const twine = { name: 'Twine', unitPrice: 0.1, quantity: 3 };

/** The items of an order, and others to replace them. */
export const orderOfTwine = { items: [twine] };
export const orderOfShears = { items: [{ name: 'Shears', unitPrice: 19.99, quantity: 2 }] };

/** All states of an order but these. */
export function statusesBut(...these: readonly OrderStatus[]): readonly OrderStatus[] {
  return orderStatuses.filter((status) => !these.includes(status));
}

export const enginePost = { title: 'On engines', content: 'They weave.' };
