/** Makes requests to the application: who calls, and with which body. */

import { createHmac } from 'node:crypto';
import type { HttpRequest } from '../../support/send.js';

export const webhookSecret = 'whsec_for_the_tests';

export const callers = {
  admin: { authorization: 'Bearer adm_5f0c9e1b7a3d4e21' },
  staff: { authorization: 'Bearer stf_77ab01c2d9e84f30' },
  viewer: { authorization: 'Bearer vwr_0d1e2f3a4b5c6d7e' },
  scanner: { 'x-api-key': 'scan-9f8e7d6c5b4a3210' },
  nobody: {},
} as const;

export type CallerName = keyof typeof callers;

type Headers = Readonly<Record<string, string>>;

/** A request with a JSON body, where there is one. */
export function json(
  method: string,
  path: string,
  by: CallerName,
  body?: unknown,
  headers: Headers = {},
): HttpRequest {
  const sent = { ...callers[by], ...headers };
  if (body === undefined) return { method, path, headers: sent };
  return {
    method,
    path,
    headers: { 'content-type': 'application/json', ...sent },
    body: JSON.stringify(body),
  };
}

/** A request whose body is of any other type. */
export function raw(
  method: string,
  path: string,
  by: CallerName,
  type: string,
  body: string | Uint8Array,
): HttpRequest {
  return { method, path, headers: { ...callers[by], 'content-type': type }, body };
}

const boundary = 'lantern-house-7f3a';

/** A multipart body with a label and a file. */
export function upload(
  by: CallerName,
  name: string,
  type: string,
  content: string,
  label?: string,
): HttpRequest {
  const parts = [
    ...(label === undefined ? [] : [`Content-Disposition: form-data; name="label"\r\n\r\n${label}`]),
    `Content-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n${content}`,
  ];
  const body = `${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}--\r\n`;
  return raw('POST', '/files', by, `multipart/form-data; boundary=${boundary}`, body);
}

/** An event as the payment provider sends it. */
export function webhook(event: unknown, secret = webhookSecret): HttpRequest {
  const body = typeof event === 'string' ? event : JSON.stringify(event);
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  return {
    method: 'POST',
    path: '/webhooks/payments',
    headers: { 'content-type': 'application/json', 'x-signature': `sha256=${signature}` },
    body,
  };
}

export const newCustomer = {
  name: 'Nordlicht GmbH',
  email: 'Hallo@Nordlicht.example',
  phone: '+49 40 5550123',
  vatNumber: 'DE299312345',
  address: { street: 'Kai 1', zip: '20095', city: 'Hamburg' },
  tags: ['new'],
};

export const newLines = [
  { text: 'Loft, 2 hours', quantity: 2, unitPriceCents: 3200 },
  { text: 'House mug', quantity: 6, unitPriceCents: 1250, sku: 'MUG-07' },
];

export const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b55', 'hex');

export const csvImport = [
  'sku,name,price,category',
  'MUG-07,House mug,13.00,kitchen',
  'MUG-08,Tall mug,14.50,kitchen',
  'bad,Broken,1,kitchen',
].join('\n');
