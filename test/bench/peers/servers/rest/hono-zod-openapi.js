/** Hono with zod-openapi. */

import { getRequestListener } from '@hono/node-server';
import { OpenAPIHono, createRoute, z } from '@hono/zod-openapi';
import { listenWith } from '../listen.js';
import { addUser, listUsers, readUser } from '../users-answers.js';

const text = (max) =>
  z
    .string()
    .min(1)
    .max(max)
    // eslint-disable-next-line no-control-regex -- these are what XML cannot carry
    .regex(/^[^\x00-\x08\x0B\x0C\x0E-\x1F]*$/);
const role = z.enum(['user', 'admin']);
const status = z.enum(['active', 'inactive']);
const embed = z.enum(['orders']).optional();
const version = z.enum(['1', '2']).optional();

const userInput = z.strictObject({
  name: text(200),
  email: z.email().max(254),
  password: z.string().min(8).max(128).optional(),
  phone: text(50).optional(),
  city: text(100).optional(),
  role: role.optional(),
  status: status.optional(),
});
const listQuery = z.object({
  role: z.string().optional(),
  status: z.string().optional(),
  city: z.string().optional(),
  page: z.string().optional(),
  limit: z.string().optional(),
  cursor: z
    .string()
    .regex(/^[0-9]*$/)
    .max(18)
    .optional(),
  envelope: z.enum(['true', 'false']).optional(),
  embed,
  version,
});
const json = (schema) => ({ content: { 'application/json': { schema } }, description: 'The answer.' });
const user = z.object({ id: z.string() }).openapi('User');

const get = createRoute({
  method: 'get',
  path: '/api/users/{id}',
  request: {
    params: z.object({ id: z.string() }),
    query: z.object({ embed }),
    headers: z.object({ 'if-none-match': z.string().optional() }),
  },
  responses: { 200: json(user) },
});
const list = createRoute({
  method: 'get',
  path: '/api/users',
  request: { query: listQuery, headers: z.object({ 'x-api-version': version }) },
  responses: { 200: json(z.object({ data: z.array(user) })) },
});
const create = createRoute({
  method: 'post',
  path: '/api/users',
  request: {
    headers: z.object({ 'idempotency-key': z.string().min(1).max(255).optional() }),
    body: { ...json(userInput), required: true },
  },
  responses: { 201: json(user) },
});

const app = new OpenAPIHono();
const send = (context, answer) => context.json(answer.body, answer.status, answer.headers);
app.openapi(get, (context) => send(context, readUser(context.req.valid('param').id)));
app.openapi(list, (context) => send(context, listUsers(context.req.valid('query'))));
// It lets a body of another type pass unchecked.
app.use(create.path, async (context, next) => {
  const isJson = /^application\/json\b/.test(context.req.header('content-type') ?? '');
  if (context.req.method === 'POST' && !isJson) return context.json({ error: 'Unsupported media type' }, 415);
  await next();
});
app.openapi(create, (context) => send(context, addUser(context.req.valid('json'))));
await listenWith(getRequestListener(app.fetch));
