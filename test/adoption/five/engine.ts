/** The five operations, each as a typed handler. */

import { type CallContext, Problem, type ProblemFormat, type SecurityHandler } from '@concordat/runtime';
import type { Operations } from './generated/operations.js';
import { AppError, type Store, type User, pageSize } from './store.js';

type Call = CallContext<User | undefined>;

export const handlers = (store: Store): Operations<Call> => ({
  getMe: (_request, { caller }) => ({ status: 200, body: signedIn(caller) }),

  listCustomers({ query: { page, status } }) {
    const all = [...store.customers.values()].filter(
      (each) => status === undefined || each.status === status,
    );
    return {
      status: 200,
      headers: { 'X-Total-Count': all.length },
      body: all.slice((page - 1) * pageSize, page * pageSize),
    };
  },

  createCustomer({ body: { name, email, status } }) {
    const customer = { id: store.customers.size + 1, name, email, status };
    store.customers.set(customer.id, customer);
    return { status: 201, headers: { Location: `/customers/${String(customer.id)}` }, body: customer };
  },

  getCustomer({ path }) {
    const customer = store.customers.get(path.id);
    if (customer === undefined) throw new AppError(404, 'No such customer');
    return { status: 200, body: customer };
  },

  addNote({ path, body }, { caller }) {
    if (!store.customers.has(path.id)) throw new AppError(404, 'No such customer');
    const note = { text: body.text, author: signedIn(caller).name };
    store.notes.push(note);
    return { status: 201, body: note };
  },
});

function signedIn(caller: User | undefined): User {
  if (caller === undefined) throw new AppError(401, 'Sign in first');
  return caller;
}

export const bearer = (store: Store): SecurityHandler<User | undefined> => ({
  missing: 'Sign in first',
  authenticate(token) {
    const caller = store.users.get(token);
    return caller === undefined ? { refused: 'Sign in first' } : { caller };
  },
});

/** The application's errors, and its format for all of them. */
export const explain = (error: unknown): Problem | undefined =>
  error instanceof AppError ? new Problem(error.status, error.message) : undefined;

export const problems: ProblemFormat = {
  mediaTypes: ['application/json'],
  body: ({ message, failures }) =>
    failures.length === 0
      ? { message }
      : {
          message: 'The request has problems',
          fields: failures.map(({ pointer }) => pointer.replace(/^\/\w+\//, '')),
        },
};
