/** The five operations on Express, with express-openapi-validator in front. */

import { fileURLToPath } from 'node:url';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { middleware } from 'express-openapi-validator';
import { AppError, type Customer, type Store, type User, pageSize } from './store.js';

type NewCustomer = Pick<Customer, 'name' | 'email'> & Partial<Customer>;
type SignedIn = Request & { user?: User | undefined };

export function createApp(store: Store): Express {
  const app = express();
  app.use(express.json());
  app.use(
    middleware({
      apiSpec: fileURLToPath(new URL('openapi.yaml', import.meta.url)),
      validateSecurity: {
        handlers: {
          bearer: (request: SignedIn) => {
            request.user = store.users.get(String(request.headers.authorization).replace('Bearer ', ''));
            return request.user !== undefined;
          },
        },
      },
    }),
  );

  app.get('/me', (request: SignedIn, response) => {
    response.json(request.user);
  });

  app.get('/customers', ({ query }, response) => {
    const { page, status } = query as unknown as { page: number; status?: string };
    const all = [...store.customers.values()].filter(
      (each) => status === undefined || each.status === status,
    );
    response.set('X-Total-Count', String(all.length)).json(all.slice((page - 1) * pageSize, page * pageSize));
  });

  app.post('/customers', ({ body }, response) => {
    const { name, email, status = 'active' } = body as NewCustomer;
    const customer = { id: store.customers.size + 1, name, email, status };
    store.customers.set(customer.id, customer);
    response
      .status(201)
      .location(`/customers/${String(customer.id)}`)
      .json(customer);
  });

  app.get('/customers/:id', ({ params }, response) => {
    const customer = store.customers.get(Number(params.id));
    if (customer === undefined) throw new AppError(404, 'No such customer');
    response.json(customer);
  });

  app.post('/customers/:id/notes', (request: SignedIn, response) => {
    if (!store.customers.has(Number(request.params['id']))) throw new AppError(404, 'No such customer');
    const { text } = request.body as { text: string };
    const note = { text, author: request.user?.name ?? '' };
    store.notes.push(note);
    response.status(201).json(note);
  });

  interface Refusal extends Error {
    status?: number;
    errors?: { path: string }[];
  }
  app.use((error: Refusal, _request: Request, response: Response, _next: NextFunction) => {
    const isInvalid = error.status === 400 && error.errors !== undefined;
    const fields = error.errors?.map(({ path }) => path.replace(/^\/\w+\//, ''));
    response
      .status(error.status ?? 500)
      .json(isInvalid ? { message: 'The request has problems', fields } : { message: error.message });
  });
  return app;
}
