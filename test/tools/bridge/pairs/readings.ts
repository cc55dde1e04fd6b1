/** Readings of stations: the items of two streams change, and version 2 has no summary any more. */

import { type Pair, changed } from './pair.js';

const old = `
openapi: 3.2.0
info: { title: Readings, version: 1.0.0 }
paths:
  /readings:
    get:
      operationId: streamReadings
      parameters:
        - { name: station, in: query, required: true, schema: { enum: [north, south] } }
      responses:
        '200':
          description: A line per reading
          content: { application/jsonl: { itemSchema: { $ref: '#/components/schemas/Reading' } } }
        '400':
          description: The station is unknown
          content: { application/problem+json: { schema: { type: object, required: [title] } } }
  /alarms:
    get:
      operationId: watchAlarms
      responses:
        '200':
          description: An event per alarm
          content:
            text/event-stream:
              itemSchema:
                type: object
                required: [event, data]
                properties:
                  event: { const: alarm }
                  data:
                    type: string
                    contentMediaType: application/json
                    contentSchema: { $ref: '#/components/schemas/Reading' }
  /summary:
    get:
      operationId: getSummary
      responses:
        '200':
          description: The highest of all readings
          content:
            application/json:
              schema: { type: object, required: [highest], properties: { highest: { type: number } } }
components:
  schemas:
    Reading:
      type: object
      required: [station, celsius]
      properties: { station: { enum: [north, south] }, celsius: { type: number } }
`;

const summary = old.slice(old.indexOf('  /summary:'), old.indexOf('components:'));

export const readings: Pair = {
  name: 'readings',
  old,
  new: changed(
    old,
    ['version: 1.0.0', 'version: 2.0.0'],
    [summary, ''],
    ['required: [station, celsius]', 'required: [station, temperature]'],
    [
      'celsius: { type: number }',
      'temperature: { type: object, required: [kelvin], properties: { kelvin: { type: number } } }',
    ],
  ),
  conversions: {
    'streamReadings.response': 'return { ...answer, body: eachItem(answer.body, oldReading) };',
    'watchAlarms.response': `const old = eachItem(answer.body, (alarm) => ({ ...alarm, data: oldReading(alarm.data) }));
          return { ...answer, body: old };`,
    'getSummary.handler': 'return { status: 200 as const, body: { highest: 20 } };',
  },
  helpers: `
function oldReading({ station, temperature }: Reading) {
  return { station, celsius: Math.round(temperature.kelvin * 100 - 27_315) / 100 };
}

import { eachItem } from '@concordat/runtime/bridge';
import type { Reading } from './v2/openapi.js';
`,
  handlers: () => {
    const readingsOf = (station: unknown): readonly object[] =>
      [273.15, 293.15].map((kelvin) => ({ station, temperature: { kelvin } }));
    return {
      streamReadings: ({ query = {} }) => ({ status: 200, body: stream(readingsOf(query['station'])) }),
      watchAlarms: () => ({
        status: 200,
        body: stream(readingsOf('south').map((data) => ({ event: 'alarm', data }))),
      }),
    };
  },
  exchanges: [
    [
      'GET /readings?station=north',
      undefined,
      200,
      '{"station":"north","celsius":0}\n{"station":"north","celsius":20}\n',
    ],
    [
      'GET /alarms',
      undefined,
      200,
      'event: alarm\ndata: {"station":"south","celsius":0}\n\nevent: alarm\ndata: {"station":"south","celsius":20}\n\n',
    ],
    ['GET /summary', undefined, 200, { highest: 20 }],
  ],
};

async function* stream(items: readonly object[]): AsyncGenerator<object> {
  for (const item of items) yield await Promise.resolve(item);
}
