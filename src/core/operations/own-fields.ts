/** Which operations read the application's own fields, of which record, and how: handlers read by it, and it is checked with a contract. */
import type { Operations } from '../../../generated/operations.js';
import type { FieldReading } from '../model/stored.js';

export const reads = {
  createUser: ['User', 'given'],
  replaceUser: ['User', 'whole'],
  updateUser: ['User', 'changed'],
  listUsers: ['User', 'filter'],
  createProduct: ['Product', 'given'],
  replaceProduct: ['Product', 'whole'],
  updateProduct: ['Product', 'changed'],
  listProducts: ['Product', 'filter'],
  createOrder: ['Order', 'given'],
  replaceOrder: ['Order', 'whole'],
  updateOrder: ['Order', 'changed'],
  listOrders: ['Order', 'filter'],
  listPosts: ['Post', 'filter'],
  createComment: ['Comment', 'given'],
  listComments: ['Comment', 'filter'],
  replaceProductCategories: ['Category', 'given'],
} as const satisfies { readonly [Id in keyof Operations]?: FieldReading };
