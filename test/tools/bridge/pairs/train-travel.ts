/** The train trips of the shared contracts, with a version 2 that a test makes: names are split, codes are nested, operations renamed. */

import type { SecurityHandler } from '@concordat/runtime';
import { type Pair, type Received, changed } from './pair.js';

const traveller: SecurityHandler<string> = {
  missing: 'the credential is missing',
  authenticate: (credential) =>
    credential.startsWith('wrong')
      ? { refused: 'it is wrong' }
      : { caller: 'traveller', scopes: ['read', 'write'] },
};

const STATION = {
  id: 'efdbb9d1-02c2-4bc3-afb7-6788d8782b1e',
  name: 'Berlin Hauptbahnhof',
  address: 'Invalidenstraße 10557 Berlin, Germany',
  country: { code: 'DE' },
};

const { country: _, ...others } = STATION;
const OLD_STATION = { ...others, country_code: 'DE' };
const BOOKING = {
  id: '00000000-0000-4000-8000-000000000001',
  passenger_name: 'Ada King Lovelace',
  has_dog: true,
};

/** @param old - the text of the document */
export function trainTravel(old: string): Pair {
  return {
    name: 'train-travel',
    old,
    new: changed(
      old,
      ['version: 1.2.1', 'version: 2.0.0'],
      ['operationId: get-stations', 'operationId: list-stations'],
      ['        - country_code\n', '        - country\n'],
      [
        `        country_code:
          type: string
          description: The country code of the station.
          format: iso-country-code
          examples:
            - DE
            - FR
`,
        `        country:
          type: object
          required: [code]
          properties: { code: { type: string, format: iso-country-code } }
`,
      ],
      [
        `          type: string
          description: Name of the passenger
          examples:
            - John Doe
`,
        `          type: object
          required: [given, family]
          properties: { given: { type: string }, family: { type: string } }
`,
      ],
    ),
    accept: [
      'undecoded-body at #/paths/~1bookings/post/requestBody/content/application~1xml',
      'xml-form',
      'unknown-format',
    ],
    conversions: {
      'get-stations.response': `const stations: readonly Station[] = answer.body.data ?? [];
          const data = stations.map(({ country, ...station }) => ({ ...station, country_code: country.code }));
          // The document says both \`object\` and \`Station\` of an item.
          return { ...answer, body: { ...answer.body, data: data as never } };`,
      'get-bookings.response': `if (answer.status !== 200) return answer;
          const bookings: readonly Booking[] = answer.body.data ?? [];
          return { ...answer, body: { ...answer.body, data: bookings.map(oldBooking) as never } };`,
      'create-booking.request': `if (request.contentType !== 'application/json') return request;
          const { passenger_name: name, ...booking } = request.body;
          const [given = '', ...family] = (name ?? '').split(' ');
          const passenger = name === undefined ? {} : { passenger_name: { given, family: family.join(' ') } };
          return { ...request, body: { ...booking, ...passenger } };`,
      'create-booking.response': 'return { ...answer, body: oldBooking(answer.body) };',
      'get-booking.response': 'return { ...answer, body: oldBooking(answer.body) };',
    },
    helpers: `
function oldBooking<Given extends Booking>({ passenger_name: name, ...booking }: Given) {
  return { ...booking, ...(name && { passenger_name: [name.given, name.family].filter(Boolean).join(' ') }) };
}

import type { Booking, Station } from './v2/openapi.js';
`,
    handlers: () => {
      const bookings = new Map<string, object>();
      const known = ({ path = {} }: Received) => bookings.get(String(path['bookingId']).toLowerCase());
      let last = 0;
      const missing = { status: 404, body: { title: 'There is no such booking', status: 404 } };
      const page = (all: readonly object[], { query = {} }: Received) => {
        const [limit, number] = [Number(query['limit']), Number(query['page'])];
        return { status: 200, body: { data: all.slice((number - 1) * limit, number * limit), links: {} } };
      };
      return {
        'list-stations': (request) => {
          const { country = 'DE', search = '' } = request.query ?? {};
          const isFound = country === 'DE' && STATION.name.includes(String(search));
          return page(isFound ? [STATION] : [], request);
        },
        'get-trips': (request) => page([], request),
        'get-bookings': (request) => page([...bookings.values()], request),
        'create-booking': ({ body = {} }) => {
          const id = `00000000-0000-4000-8000-${String((last += 1)).padStart(12, '0')}`;
          bookings.set(id, { ...body, id });
          return { status: 201, body: bookings.get(id) };
        },
        'get-booking': (request) => {
          const booking = known(request);
          return booking === undefined ? missing : { status: 200, body: booking };
        },
        'delete-booking': (request) => {
          if (known(request) === undefined) return missing;
          bookings.delete(String(request.path?.['bookingId']).toLowerCase());
          return { status: 204 };
        },
        'create-booking-payment': ({ body = {} }) => {
          const { source, ...payment } = body;
          void source;
          return { status: 200, body: { ...payment, status: 'pending' } };
        },
      };
    },
    problems: ['application/problem+json', 'application/problem+xml'],
    security: { OAuth2: traveller },
    credentials: { OAuth2: 'token' },
    exchanges: [
      ['GET /stations?search=Berlin', undefined, 200, { data: [OLD_STATION], links: {} }],
      ['POST /bookings', { passenger_name: 'Ada King Lovelace', has_dog: true }, 201, BOOKING],
      ['GET /bookings/' + BOOKING.id, undefined, 200, BOOKING],
      ['GET /bookings', undefined, 200, { data: [BOOKING], links: {} }],
      ['DELETE /bookings/' + BOOKING.id, undefined, 204, ''],
    ],
  };
}
