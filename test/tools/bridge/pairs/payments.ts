/** Payments: fields are renamed, a name is split, the `enum` of a status grows, and an operation has another name. */

import { type Pair, type Received, changed } from './pair.js';

const old = `
openapi: 3.1.0
info: { title: Payments, version: 1.4.0 }
paths:
  /payments:
    get:
      operationId: listPayments
      responses:
        '200':
          description: The payments
          content:
            application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Payment' } } }
    post:
      operationId: createPayment
      requestBody:
        required: true
        content:
          application/json: { schema: { $ref: '#/components/schemas/NewPayment' } }
      responses:
        '201': { $ref: '#/components/responses/Payment' }
        '400': { $ref: '#/components/responses/Problem' }
  /payments/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string, pattern: '^pay_[0-9]{1,9}$' } }]
    get:
      operationId: getPayment
      responses:
        '200': { $ref: '#/components/responses/Payment' }
        '400': { $ref: '#/components/responses/Problem' }
        '404': { $ref: '#/components/responses/Problem' }
    delete:
      operationId: voidPayment
      responses:
        '204': { description: It is void }
        '400': { $ref: '#/components/responses/Problem' }
        '404': { $ref: '#/components/responses/Problem' }
components:
  responses:
    Payment:
      description: The payment
      content: { application/json: { schema: { $ref: '#/components/schemas/Payment' } } }
    Problem:
      description: What is wrong
      content:
        application/problem+json:
          schema: { type: object, required: [title], properties: { title: { type: string } } }
  schemas:
    NewPayment:
      type: object
      required: [amount, currency, customer_name]
      additionalProperties: false
      properties: &members
        amount: { type: integer, minimum: 1, maximum: 99999999 }
        currency: { enum: [eur, usd] }
        customer_name: { type: string, minLength: 1, maxLength: 60 }
    Payment:
      type: object
      required: [id, amount, currency, customer_name, status]
      properties:
        <<: *members
        id: { type: string }
        status: { enum: [pending, paid] }
`;

const PLATO = { id: 'pay_2', amount: 7, currency: 'eur', customer_name: 'Plato', status: 'paid' };

export const payments: Pair = {
  name: 'payments',
  old,
  new: changed(
    old,
    ['version: 1.4.0', 'version: 2.0.0'],
    ['operationId: voidPayment', 'operationId: cancelPayment'],
    ['amount, currency, customer_name', 'amount_minor, currency, customer'],
    ['amount: {', 'amount_minor: {'],
    [
      'customer_name: { type: string, minLength: 1, maxLength: 60 }',
      `customer:
          type: object
          required: [given_name, family_name]
          properties: { given_name: { type: string }, family_name: { type: string } }`,
    ],
    ['[pending, paid]', '[pending, paid, requires_action]'],
  ),
  conversions: {
    'listPayments.response': 'return { ...answer, body: answer.body.map(oldPayment) };',
    'createPayment.request': `const { amount: amount_minor, customer_name, currency } = request.body;
          const space = customer_name.trimEnd().lastIndexOf(' ');
          const given_name = customer_name.slice(0, Math.max(space, 0));
          const customer = { given_name, family_name: customer_name.slice(space + 1) };
          return { ...request, body: { amount_minor, currency, customer } };`,
    'createPayment.response': 'return { ...answer, body: oldPayment(answer.body) };',
    'getPayment.response': 'return { ...answer, body: oldPayment(answer.body) };',
  },
  helpers: `
function oldPayment({ amount_minor: amount, customer, status, ...payment }: Payment) {
  const customer_name = [customer.given_name, customer.family_name].filter((each) => each !== '').join(' ');
  return { ...payment, amount, customer_name, status: status === 'requires_action' ? 'pending' : status };
}

import type { Payment } from './v2/openapi.js';
`,
  handlers: () => {
    const records = new Map<string, Readonly<Record<string, unknown>>>();
    const known = ({ path = {} }: Received) => records.get(String(path['id']));
    let last = 0;
    const missing = { status: 404, body: { title: 'There is no such payment' } };
    return {
      listPayments: () => ({ status: 200, body: [...records.values()] }),
      createPayment: ({ body = {} }) => {
        const id = `pay_${String((last += 1))}`;
        // A payment in dollars waits for its customer.
        const status = body['currency'] === 'usd' ? 'requires_action' : 'paid';
        records.set(id, { ...body, id, status });
        return { status: 201, body: records.get(id) };
      },
      getPayment: (request) => {
        const record = known(request);
        return record === undefined ? missing : { status: 200, body: record };
      },
      cancelPayment: (request) => {
        if (known(request) === undefined) return missing;
        records.delete(String(request.path?.['id']));
        return { status: 204 };
      },
    };
  },
  exchanges: [
    [
      'POST /payments',
      { amount: 5, currency: 'usd', customer_name: 'Ada King Lovelace' },
      201,
      { id: 'pay_1', amount: 5, currency: 'usd', customer_name: 'Ada King Lovelace', status: 'pending' },
    ],
    ['POST /payments', { amount: 7, currency: 'eur', customer_name: 'Plato' }, 201, PLATO],
    ['GET /payments/pay_2', undefined, 200, PLATO],
    ['GET /payments/pay_9', undefined, 404, { title: 'There is no such payment' }],
    ['DELETE /payments/pay_1', undefined, 204, ''],
    ['GET /payments', undefined, 200, [PLATO]],
  ],
};
