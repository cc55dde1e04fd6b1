/** The customers, their notes and the users of the five operations. */

export interface User {
  name: string;
}

export interface Customer {
  id: number;
  name: string;
  email: string;
  status: 'active' | 'blocked';
}

export interface Store {
  readonly users: ReadonlyMap<string, User>;
  readonly customers: Map<number, Customer>;
  readonly notes: { text: string; author: string }[];
}

export const pageSize = 2;

export function createStore(): Store {
  const customers: readonly Customer[] = [
    { id: 1, name: 'Blue Door Studio', email: 'office@bluedoor.example', status: 'active' },
    { id: 2, name: 'Kranich', email: 'rechnung@kranich.example', status: 'active' },
    { id: 3, name: 'Old Mill Theatre', email: 'box@oldmill.example', status: 'blocked' },
  ];
  return {
    users: new Map([['token-of-ada', { name: 'Ada' }]]),
    customers: new Map(customers.map((customer) => [customer.id, customer])),
    notes: [],
  };
}

/** An error with a status, which the application's own error handling knows. */
export class AppError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
