/** Traffic of an ordinary day: every route of the application, on good and bad paths. It is sent in this order to one instance. */

import type { HttpRequest } from '../../support/send.js';
import { csvImport, json, newCustomer, newLines, png, raw, upload, webhook } from './request-makers.js';

/** Requests with the route that serves them, such as `GET /customers/:id`. */
type RouteRequests = readonly [route: string, ...requests: HttpRequest[]];

const routes: readonly RouteRequests[] = [
  ['GET /health', json('GET', '/health', 'nobody'), json('HEAD', '/health', 'nobody')],
  ['GET /docs', json('GET', '/docs', 'nobody')],
  [
    'POST /login',
    json('POST', '/login', 'nobody', { email: 'ada@lantern.example', password: 'correct-horse-1' }),
    json('POST', '/login', 'nobody', { email: 'ada@lantern.example', password: 'wrong' }),
    json('POST', '/login', 'nobody', { email: 'ada' }),
  ],
  ['GET /me', json('GET', '/me', 'admin'), json('GET', '/me', 'staff'), json('GET', '/me', 'nobody')],
  [
    'PATCH /me',
    json('PATCH', '/me', 'viewer', { phone: '+49 30 5550177' }),
    json('PATCH', '/me', 'viewer', { name: '' }),
  ],
  [
    'GET /customers',
    json('GET', '/customers', 'viewer'),
    json('GET', '/customers?page=2&perPage=1&status=active&sort=-name', 'viewer'),
    json('GET', '/customers?q=door', 'viewer'),
    json('GET', '/customers?page=0', 'viewer'),
    json('GET', '/customers', 'nobody'),
  ],
  [
    'POST /customers',
    json('POST', '/customers', 'staff', newCustomer),
    json('POST', '/customers', 'staff', {
      ...newCustomer,
      email: 'zwei@nordlicht.example',
      phone: undefined,
      vatNumber: null,
    }),
    json('POST', '/customers', 'staff', newCustomer),
    json('POST', '/customers', 'staff', { name: '' }),
    json('POST', '/customers', 'viewer', newCustomer),
  ],
  [
    'GET /customers/:id',
    json('GET', '/customers/1', 'viewer'),
    json('GET', '/customers/2', 'viewer'),
    json('GET', '/customers/4', 'viewer'),
    json('GET', '/customers/1', 'viewer', undefined, { 'if-none-match': '"customer-1-1"' }),
    json('GET', '/customers/99', 'viewer'),
    json('GET', '/customers/abc', 'viewer'),
  ],
  [
    'PUT /customers/:id',
    json(
      'PUT',
      '/customers/4',
      'staff',
      { ...newCustomer, name: 'Nordlicht AG' },
      { 'if-match': '"customer-4-1"' },
    ),
    json('PUT', '/customers/4', 'staff', newCustomer, { 'if-match': '"customer-4-1"' }),
    json('PUT', '/customers/4', 'staff', { ...newCustomer, address: {} }),
  ],
  [
    'PATCH /customers/:id',
    json('PATCH', '/customers/3', 'staff', { status: 'active', tags: ['events', 'back'] }),
    json('PATCH', '/customers/3', 'staff', { name: 'Old Mill', phone: null }),
    json('PATCH', '/customers/3', 'staff', { status: 'gone' }),
  ],
  [
    'DELETE /customers/:id',
    json('DELETE', '/customers/5', 'admin'),
    json('DELETE', '/customers/1', 'admin'),
    json('DELETE', '/customers/4', 'staff'),
  ],
  [
    'GET /customers/:id/notes',
    json('GET', '/customers/1/notes', 'viewer'),
    json('GET', '/customers/2/notes', 'viewer'),
  ],
  [
    'POST /customers/:id/notes',
    json('POST', '/customers/2/notes', 'staff', { text: 'Calls back on Friday.' }),
    json('POST', '/customers/2/notes', 'staff', {}),
  ],
  [
    'GET /invoices',
    json('GET', '/invoices', 'viewer'),
    json('GET', '/invoices?page=2', 'viewer'),
    json('GET', '/invoices?status=open&status=paid', 'viewer'),
    json('GET', '/invoices?from=2026-02-01&to=2026-02-28', 'viewer'),
    json('GET', '/invoices?from=yesterday', 'viewer'),
  ],
  [
    'POST /invoices',
    json('POST', '/invoices', 'staff', { customerId: 2, lines: newLines, memo: 'Thanks' }),
    json('POST', '/invoices', 'staff', { customerId: 1 }),
    json('POST', '/invoices', 'staff', { customerId: 77, lines: [{ text: '', quantity: 0 }] }),
  ],
  [
    'POST /payments',
    json(
      'POST',
      '/payments',
      'staff',
      { invoiceId: 'INV-1002', amount: 31790, method: 'card' },
      { 'idempotency-key': 'k-1' },
    ),
    json(
      'POST',
      '/payments',
      'staff',
      { invoiceId: 'INV-1002', amount: 31790, method: 'card' },
      { 'idempotency-key': 'k-1' },
    ),
    raw(
      'POST',
      '/payments',
      'staff',
      'application/x-www-form-urlencoded',
      'invoiceId=INV-1004&amount=500&method=cash&reference=Till+2',
    ),
    json('POST', '/payments', 'staff', { invoiceId: 'INV-1001', amount: 1, method: 'cash' }),
    json('POST', '/payments', 'staff', { invoiceId: 'INV-9', amount: 1, method: 'cash' }),
    json('POST', '/payments', 'staff', { amount: -1, method: 'shells' }),
  ],
  [
    'POST /payments/:id/refunds',
    json('POST', '/payments/pay_0001/refunds', 'admin', { amount: 2500, reason: 'An hour less' }),
    json('POST', '/payments/pay_0001/refunds', 'admin', { amount: 9000, reason: 'Too much' }),
    json('POST', '/payments/pay_0001/refunds', 'admin', { amount: 0 }),
  ],
  [
    'GET /products',
    json('GET', '/products', 'nobody'),
    json('GET', '/products?category=furniture&tags=oak,seating&active=true', 'nobody'),
  ],
  [
    'POST /products/import',
    raw('POST', '/products/import', 'staff', 'text/csv', csvImport),
    raw('POST', '/products/import', 'staff', 'text/csv', 'a,b\n'),
    json('POST', '/products/import', 'staff', {}),
  ],
  [
    'GET /products/:sku',
    json('GET', '/products/CHAIR-01', 'nobody'),
    json('GET', '/products/LAMP-02', 'nobody'),
    json('GET', '/products/NO-00', 'nobody'),
  ],
  [
    'PATCH /products/:sku',
    raw(
      'PATCH',
      '/products/CHAIR-01',
      'staff',
      'application/merge-patch+json',
      '{"price":"139.00","dimensions":null}',
    ),
    json('PATCH', '/products/LAMP-02', 'staff', { active: true }),
    json('PATCH', '/products/LAMP-02', 'staff', { price: '1' }),
  ],
  [
    'PUT /products/:sku/image',
    raw('PUT', '/products/MUG-07/image', 'staff', 'image/png', png),
    raw('PUT', '/products/MUG-07/image', 'staff', 'image/gif', 'GIF89a'),
  ],
  [
    'GET /products/:sku/image',
    json('GET', '/products/MUG-07/image', 'nobody'),
    json('GET', '/products/LAMP-02/image', 'nobody'),
  ],
  [
    'GET /stock',
    json('GET', '/stock', 'scanner'),
    json('GET', '/stock', 'staff'),
    json('GET', '/stock', 'nobody'),
  ],
  [
    'POST /stock/:sku/movements',
    json('POST', '/stock/MUG-07/movements', 'scanner', { delta: -6, reason: 'sale' }),
    json('POST', '/stock/MUG-07/movements', 'staff', { delta: 1, reason: 'count' }),
    json('POST', '/stock/MUG-07/movements', 'scanner', { delta: -1000, reason: 'sale' }),
    json('POST', '/stock/MUG-07/movements', 'scanner', { delta: 'six' }),
  ],
  [
    'POST /files',
    upload('staff', 'plan.txt', 'text/plain', 'Ground floor: 4 tables.', 'Floor plan'),
    upload('staff', 'photo.jpg', 'image/jpeg', 'not really a photo'),
    json('POST', '/files', 'staff', { file: 'plan.txt' }),
  ],
  [
    'GET /files/:id',
    json('GET', '/files/file-0001', 'viewer'),
    json('GET', '/files/file-0002', 'viewer'),
    json('GET', '/files/file-9', 'viewer'),
  ],
  [
    'DELETE /files/:id',
    json('DELETE', '/files/file-0002', 'staff'),
    json('DELETE', '/files/file-0002', 'staff'),
  ],
  [
    'GET /reports/revenue',
    json('GET', '/reports/revenue', 'staff'),
    json('GET', '/reports/revenue?from=2026-02-01&to=2026-02-28&format=json', 'staff'),
    json('GET', '/reports/revenue?from=feb', 'staff'),
  ],
  [
    'POST /exports',
    json('POST', '/exports', 'staff', { kind: 'customers' }),
    json('POST', '/exports', 'staff', { kind: 'products' }),
  ],
  [
    'GET /jobs/:id',
    json('GET', '/jobs/1', 'viewer'),
    json('GET', '/jobs/1', 'viewer'),
    json('GET', '/jobs/1', 'viewer'),
    json('GET', '/jobs/77', 'viewer'),
    json('GET', '/jobs/last', 'viewer'),
  ],
  [
    'GET /exports/customers.ndjson',
    json('GET', '/exports/customers.ndjson', 'staff'),
    json('GET', '/exports/customers.ndjson', 'viewer'),
  ],
  [
    'GET /search',
    json('GET', '/search?q=o', 'viewer'),
    json('GET', '/search?q=a&type[]=customer&type[]=product&limit=2', 'viewer'),
    json('GET', '/search', 'viewer'),
  ],
  [
    'POST /webhooks/payments',
    webhook({ type: 'payment.succeeded', data: { invoice: 'INV-1004', amount: 13900 } }),
    webhook({ type: 'payment.failed', data: {} }),
    webhook({ type: 'payment.succeeded', data: { invoice: 'INV-9' } }),
    webhook('not JSON'),
    webhook({ type: 'payment.succeeded' }, 'another secret'),
  ],
  ['POST /logout', json('POST', '/logout', 'viewer'), json('POST', '/logout', 'nobody')],
];

/** One request of the day, with the route that serves it. */
interface DayRequest extends HttpRequest {
  /** Such as `GET /customers/:id`. */
  readonly route: string;
}

export const day: readonly DayRequest[] = routes.flatMap(([route, ...sent]) =>
  sent.map((request) => ({ ...request, route })),
);

/** Everything around the routes: sessions by cookie, HEAD, OPTIONS, other methods and paths, broken bodies, request ids. */
const edges: readonly HttpRequest[] = [
  { method: 'GET', path: '/me', headers: { cookie: 'sid=adm_5f0c9e1b7a3d4e21' } },
  { method: 'POST', path: '/logout', headers: { cookie: 'sid=adm_5f0c9e1b7a3d4e21' } },
  ...['/customers/1', '/invoices', '/reports/revenue'].map((path) => json('HEAD', path, 'staff')),
  json('OPTIONS', '/customers/1', 'nobody'),
  json('DELETE', '/customers', 'admin'),
  json('PROPFIND', '/customers', 'admin'),
  json('GET', '/nothing?x=1', 'nobody'),
  json('GET', '/health', 'nobody', undefined, { 'x-request-id': 'abc' }),
  raw('POST', '/customers', 'staff', 'application/json', '{"name":'),
  raw('POST', '/customers', 'staff', 'application/json', '"text"'),
  raw('POST', '/customers', 'staff', 'application/json', JSON.stringify({ text: 'x'.repeat(300_000) })),
  raw('POST', '/customers', 'staff', 'application/xml', '<a/>'),
  json('POST', '/customers', 'staff'),
  json('POST', '/customers', 'staff', [newCustomer]),
  json('POST', '/customers', 'staff', { email: 'x', address: { city: 'Ulm' }, tags: [1] }),
  raw('POST', '/files', 'staff', 'multipart/form-data', 'x'),
  upload('staff', 'a.bin', 'application/octet-stream', 'x'.repeat(1_048_577)),
  raw('PUT', '/products/MUG-07/image', 'staff', 'image/png', Buffer.alloc(512 * 1024 + 1)),
];

/** Requests that leave out members which each request of the day has. */
const others: readonly HttpRequest[] = [
  json('POST', '/customers', 'staff', {
    ...newCustomer,
    tags: undefined,
    vatNumber: undefined,
    email: 'c@d.example',
  }),
  json('GET', '/customers?sort=-name&status=active', 'viewer'),
  json('PATCH', '/products/CHAIR-01', 'staff', { name: 'Chair', description: null }),
  webhook({}),
];

/** What the day does not show. */
export const beyond: readonly HttpRequest[] = [...edges, ...others];
