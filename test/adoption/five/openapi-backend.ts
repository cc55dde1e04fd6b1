/** The five operations on openapi-backend, behind Express. */

import { fileURLToPath } from 'node:url';
import addFormats from 'ajv-formats';
import express, { type Express, type Request, type Response } from 'express';
import { type Context, OpenAPIBackend } from 'openapi-backend';
import { AppError, type Customer, type Store, type User, pageSize } from './store.js';

type NewCustomer = Pick<Customer, 'name' | 'email'> & Partial<Customer>;

export async function createApp(store: Store): Promise<Express> {
  const userOf = ({ security }: Context): User => security?.['bearer'] as User;

  const api = new OpenAPIBackend({
    definition: fileURLToPath(new URL('openapi.yaml', import.meta.url)),
    strict: true,
    coerceTypes: true,
    customizeAjv: (ajv) => addFormats.default(ajv),
    handlers: {
      getMe: (context: Context, _request: Request, response: Response) => response.json(userOf(context)),

      listCustomers: ({ request: { query } }: Context, _request: Request, response: Response) => {
        const page = Number(query['page'] ?? 1);
        const all = [...store.customers.values()].filter(
          ({ status }) => query['status'] === undefined || status === query['status'],
        );
        response
          .set('X-Total-Count', String(all.length))
          .json(all.slice((page - 1) * pageSize, page * pageSize));
      },

      createCustomer: ({ request }: Context, _request: Request, response: Response) => {
        const { name, email, status = 'active' } = request.requestBody as NewCustomer;
        const customer = { id: store.customers.size + 1, name, email, status };
        store.customers.set(customer.id, customer);
        response
          .status(201)
          .location(`/customers/${String(customer.id)}`)
          .json(customer);
      },

      getCustomer: ({ request: { params } }: Context, _request: Request, response: Response) => {
        const customer = store.customers.get(Number(params['id']));
        if (customer === undefined) throw new AppError(404, 'No such customer');
        response.json(customer);
      },

      addNote: (context: Context, _request: Request, response: Response) => {
        const { params, requestBody } = context.request;
        if (!store.customers.has(Number(params['id']))) throw new AppError(404, 'No such customer');
        const note = { text: (requestBody as { text: string }).text, author: userOf(context).name };
        store.notes.push(note);
        response.status(201).json(note);
      },

      validationFail: ({ validation }: Context, _request: Request, response: Response) => {
        const fields = (validation.errors ?? []).map(({ instancePath, params }) =>
          `${instancePath}/${String(params['missingProperty'] ?? '')}`
            .replace(/\/$/, '')
            .replace(/^\/\w+\//, ''),
        );
        response.status(400).json({ message: 'The request has problems', fields });
      },
      unauthorizedHandler: (_context: Context, _request: Request, response: Response) =>
        response.status(401).json({ message: 'Sign in first' }),
      methodNotAllowed: (_context: Context, _request: Request, response: Response) =>
        response.status(405).json({ message: 'Method not allowed' }),
      notFound: (_context: Context, _request: Request, response: Response) =>
        response.status(404).json({ message: 'Not found' }),
    },
    securityHandlers: {
      bearer: ({ request: { headers } }: Context) =>
        store.users.get(String(headers['authorization']).replace('Bearer ', '')),
    },
  });
  await api.init();

  const app = express();
  app.use(express.json());
  app.use((request, response) =>
    api.handleRequest(
      {
        method: request.method,
        path: request.path,
        body: request.body as unknown,
        query: request.query as Record<string, string>,
        headers: request.headers as Record<string, string>,
      },
      request,
      response,
    ),
  );
  app.use((error: Error, _request: Request, response: Response, _next: unknown) => {
    response.status(error instanceof AppError ? error.status : 500).json({ message: error.message });
  });
  return app;
}
