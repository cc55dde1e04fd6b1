/** Tickets of a help desk: integer ids become texts, and pages by offset become pages by cursor. */

import { type Pair, type Received, changed } from './pair.js';

const old = `
openapi: 3.1.0
info: { title: Tickets, version: 1.0.0 }
paths:
  /tickets:
    get:
      operationId: listTickets
      parameters:
        - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 50, default: 20 } }
        - { name: offset, in: query, schema: { type: integer, minimum: 0, maximum: 10000, default: 0 } }
      responses:
        '200':
          description: A page
          content:
            application/json:
              schema:
                type: object
                required: [items]
                properties:
                  items: { type: array, items: { $ref: '#/components/schemas/Ticket' } }
                  next_offset: { type: integer, description: Absent on the last page }
        '400': { $ref: '#/components/responses/Error' }
    post:
      operationId: openTicket
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [subject]
              additionalProperties: false
              properties: { subject: { $ref: '#/components/schemas/Subject' } }
      responses:
        '201': { $ref: '#/components/responses/Ticket' }
        '400': { $ref: '#/components/responses/Error' }
  /tickets/{id}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: integer, minimum: 1, maximum: 2000000000 } }
    get:
      operationId: getTicket
      responses:
        '200': { $ref: '#/components/responses/Ticket' }
        '400': { $ref: '#/components/responses/Error' }
        '404': { $ref: '#/components/responses/Error' }
    delete:
      operationId: closeTicket
      responses:
        '204': { description: It is closed }
        '400': { $ref: '#/components/responses/Error' }
        '404': { $ref: '#/components/responses/Error' }
components:
  responses:
    Ticket:
      description: The ticket
      content: { application/json: { schema: { $ref: '#/components/schemas/Ticket' } } }
    Error:
      description: What is wrong
      content:
        application/problem+json:
          schema: { type: object, required: [title], properties: { title: { type: string } } }
  schemas:
    Subject: { type: string, minLength: 1, maxLength: 100 }
    Ticket:
      type: object
      required: [id, subject]
      properties: { id: { type: integer }, subject: { $ref: '#/components/schemas/Subject' } }
`;

export const tickets: Pair = {
  name: 'tickets',
  old,
  new: changed(
    old,
    ['version: 1.0.0', 'version: 2.0.0'],
    [
      'name: offset, in: query, schema: { type: integer, minimum: 0, maximum: 10000, default: 0 }',
      "name: cursor, in: query, required: true, schema: { type: string, pattern: '^after-[0-9]+$' }",
    ],
    ['next_offset: { type: integer,', "next: { type: string, pattern: '^after-[0-9]+$',"],
    [
      'schema: { type: integer, minimum: 1, maximum: 2000000000 }',
      "schema: { type: string, pattern: '^T[0-9]+$' }",
    ],
    ['id: { type: integer }', "id: { type: string, pattern: '^T[0-9]+$' }"],
  ),
  conversions: {
    'listTickets.request': `const { offset, limit } = request.query;
          return { ...request, query: { limit, cursor: \`after-\${offset}\` } };`,
    'listTickets.response': `const { items, next } = answer.body;
          const next_offset = next === undefined ? {} : { next_offset: Number(next.slice('after-'.length)) };
          return { ...answer, body: { items: items.map(oldTicket), ...next_offset } };`,
    'openTicket.response': 'return { ...answer, body: oldTicket(answer.body) };',
    'getTicket.request': 'return { ...request, path: { id: `T${request.path.id}` } };',
    'getTicket.response': 'return { ...answer, body: oldTicket(answer.body) };',
    'closeTicket.request': 'return { ...request, path: { id: `T${request.path.id}` } };',
  },
  helpers: `
function oldTicket({ id, ...ticket }: Ticket) {
  return { ...ticket, id: Number(id.slice(1)) };
}

import type { Ticket } from './v2/openapi.js';
`,
  handlers: () => {
    const records = new Map<string, object>();
    let last = 0;
    const known = ({ path = {} }: Received) => records.get(String(path['id']));
    const missing = { status: 404, body: { title: 'There is no such ticket' } };
    return {
      listTickets: ({ query = {} }) => {
        const start = Number(String(query['cursor']).slice('after-'.length));
        const end = start + Number(query['limit']);
        const items = [...records.values()].slice(start, end);
        return { status: 200, body: { items, ...(end < records.size && { next: `after-${String(end)}` }) } };
      },
      openTicket: ({ body = {} }) => {
        const id = `T${String((last += 1))}`;
        records.set(id, { id, ...body });
        return { status: 201, body: records.get(id) };
      },
      getTicket: (request) => {
        const record = known(request);
        return record === undefined ? missing : { status: 200, body: record };
      },
      closeTicket: (request) => {
        if (known(request) === undefined) return missing;
        records.delete(String(request.path?.['id']));
        return { status: 204 };
      },
    };
  },
  exchanges: [
    ['POST /tickets', { subject: 'a' }, 201, { id: 1, subject: 'a' }],
    ['POST /tickets', { subject: 'b' }, 201, { id: 2, subject: 'b' }],
    ['POST /tickets', { subject: 'c' }, 201, { id: 3, subject: 'c' }],
    ['GET /tickets?limit=1&offset=1', undefined, 200, { items: [{ id: 2, subject: 'b' }], next_offset: 2 }],
    ['GET /tickets?offset=2', undefined, 200, { items: [{ id: 3, subject: 'c' }] }],
    ['GET /tickets/3', undefined, 200, { id: 3, subject: 'c' }],
    ['DELETE /tickets/3', undefined, 204, ''],
    ['GET /tickets/3', undefined, 404, { title: 'There is no such ticket' }],
  ],
};
