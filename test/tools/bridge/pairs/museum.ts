/** The museum of the shared contracts, with a version 2 that a test makes: prices get a currency, hours an envelope, tickets a new type. */

import type { SecurityHandler } from '@concordat/runtime';
import { type Pair, type Received, changed } from './pair.js';

const TITLE = { title: 'There is no such event' };
const FIRST = '00000000-0000-4000-8000-000000000001';
const PARTY = { name: 'Tea', location: 'Room', eventDescription: 'Sip', dates: ['2026-01-02'], price: 60 };
const LATER = { ...PARTY, eventId: FIRST, price: 15.5, location: 'Sea' };
const TICKET = { ticketType: 'general', ticketDate: '2026-01-02' };
const BOUGHT = { message: 'Bought', confirmationCode: 'T-1' };
const DAYS = ['2026-01-02', '2026-01-03', '2026-01-04'].map((date) => {
  return { date, timeOpen: '09:00', timeClose: '18:00' };
});
const visitor: SecurityHandler<string> = {
  missing: 'the credential is missing',
  authenticate: (credential) =>
    atob(credential).startsWith('wrong') ? { refused: 'it is wrong' } : { caller: 'visitor' },
};

/** @param old - the text of the document */
export function museum(old: string): Pair {
  return {
    name: 'museum',
    old,
    new: changed(
      old,
      ['version: 1.2.1', 'version: 2.0.0'],
      ['operationId: buyMuseumTickets', 'operationId: buyTickets'],
      [
        '        - general\n      example: event',
        '        - general\n        - member\n      example: event',
      ],
      [
        '      type: number\n      format: float\n      example: 25',
        '      type: object\n      required: [amount, currency]\n      properties: { amount: { type: number }, currency: { enum: [EUR] } }',
      ],
      [
        `      type: array
      items:
        $ref: "#/components/schemas/MuseumDailyHours"`,
        `      type: object
      required: [days]
      properties: { days: { type: array, items: { $ref: "#/components/schemas/MuseumDailyHours" } } }`,
      ],
    ),
    conversions: {
      'getMuseumHours.response': 'return { ...answer, body: answer.body.days };',
      'listSpecialEvents.response': 'return { ...answer, body: answer.body.map(oldEvent) };',
      'createSpecialEvent.request': `const { price: amount, ...event } = request.body;
          return { ...request, body: { ...event, price: { amount, currency: 'EUR' as const } } };`,
      'createSpecialEvent.response': 'return { ...answer, body: oldEvent(answer.body) };',
      'getSpecialEvent.response': 'return { ...answer, body: oldEvent(answer.body) };',
      'updateSpecialEvent.request': `const { price: amount, ...event } = request.body;
          const price = amount === undefined ? {} : { price: { amount, currency: 'EUR' as const } };
          return { ...request, body: { ...event, ...price } };`,
      'updateSpecialEvent.response': 'return { ...answer, body: oldEvent(answer.body) };',
      'buyMuseumTickets.response': `const { ticketType, ...ticket } = answer.body;
          return { ...answer, body: { ...ticket, ticketType: ticketType === 'member' ? 'general' : ticketType } };`,
    },
    helpers: `
function oldEvent({ price, ...event }: SpecialEvent) {
  return { ...event, price: price.amount };
}

import type { SpecialEvent } from './v2/openapi.js';
`,
    handlers: () => {
      const events = new Map<string, Readonly<Record<string, unknown>>>();
      const known = ({ path = {} }: Received) => events.get(String(path['eventId']).toLowerCase());
      const missing = { status: 404, body: TITLE };
      let last = 0;
      const page = <Each>(all: readonly Each[], { query = {} }: Received): readonly Each[] => {
        const limit = Math.max(Number(query['limit']), 0);
        const start = Math.max(Number(query['page']) - 1, 0) * limit;
        return all.slice(start, start + limit);
      };
      return {
        getMuseumHours: (request) => ({ status: 200, body: { days: page(DAYS, request) } }),
        createSpecialEvent: ({ body = {} }) => {
          const eventId = `00000000-0000-4000-8000-${String((last += 1)).padStart(12, '0')}`;
          events.set(eventId, { ...body, eventId });
          return { status: 201, body: events.get(eventId) };
        },
        listSpecialEvents: (request) => ({ status: 200, body: page([...events.values()], request) }),
        getSpecialEvent: (request) => {
          const event = known(request);
          return event === undefined ? missing : { status: 200, body: event };
        },
        updateSpecialEvent: (request) => {
          const event = known(request);
          if (event === undefined) return missing;
          const { eventId } = event;
          events.set(String(eventId), { ...event, ...request.body, eventId });
          return { status: 200, body: events.get(String(eventId)) };
        },
        deleteSpecialEvent: (request) => {
          const event = known(request);
          if (event === undefined) return missing;
          events.delete(String(event['eventId']));
          return { status: 204 };
        },
        buyTickets: ({ body = {} }) => {
          const { email: _, ...ticket } = body;
          // This museum sells general tickets to members alone.
          const ticketType = ticket['ticketType'] === 'general' ? 'member' : ticket['ticketType'];
          return { status: 201, body: { ...ticket, ticketType, ...BOUGHT } };
        },
        getTicketCode: () => ({ status: 200, body: Uint8Array.of(137, 80, 78, 71) }),
      };
    },
    security: { MuseumPlaceholderAuth: visitor },
    credentials: { MuseumPlaceholderAuth: 'visitor:secret' },
    exchanges: [
      ['GET /museum-hours?limit=1', undefined, 200, [DAYS[0]]],
      ['POST /special-events', PARTY, 201, { ...PARTY, eventId: FIRST }],
      ['PATCH /special-events/' + FIRST, { price: 15.5 }, 200, { ...PARTY, eventId: FIRST, price: 15.5 }],
      ['PATCH /special-events/' + FIRST, { location: 'Sea' }, 200, LATER],
      ['GET /special-events/' + FIRST, undefined, 200, LATER],
      ['GET /special-events', undefined, 200, [LATER]],
      ['DELETE /special-events/' + FIRST, undefined, 204, ''],
      ['GET /special-events/' + FIRST, undefined, 404, TITLE],
      ['POST /tickets', TICKET, 201, { ...TICKET, ...BOUGHT }],
      [
        'POST /tickets',
        { ...TICKET, ticketType: 'event' },
        201,
        { ...TICKET, ...BOUGHT, ticketType: 'event' },
      ],
    ],
  };
}
