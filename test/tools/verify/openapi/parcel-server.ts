/** A server whose parcels go through states, and refer to a depot that must exist; with the document that describes it. */

import type { RequestListener, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

const id = { type: 'string', pattern: '^[0-9]+$', maxLength: 9 };
const label = { type: 'string', minLength: 1, maxLength: 20 };
const closed = (properties: object, required: readonly string[]): object => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required,
});
const parcel = { id, depotId: id, label, state: { enum: ['packed', 'sent', 'delivered'] } };
const inputs = closed({ depotId: id, label }, ['depotId', 'label']);
const takes = (schema: object): object => ({
  requestBody: { required: true, content: { 'application/json': { schema } } },
});
const answers = (status: number | '2xx', schema: object, links: object = {}): object => ({
  responses: {
    [status]: { description: 'Done', content: { 'application/json': { schema } }, links },
    ...Object.fromEntries([400, 404, 409, 412].map((code) => [code, { description: 'No' }])),
  },
});
const shown = closed({ ...parcel, stamps: { type: 'array', items: closed({ id }, ['id']) } }, [
  ...Object.keys(parcel),
  'stamps',
]);
const link = (operationId: string): object => ({ operationId, parameters: { parcel: '$response.body#/id' } });
const path = (name: string): object => ({ name, in: 'path', required: true, schema: id });
const ifMatch = { name: 'If-Match', in: 'header', schema: { type: 'string' } };
const onParcel = (operation: object, operationId: string): object => ({
  parameters: [path('parcel')],
  post: { operationId, ...operation },
});

/** The contract of {@link parcelServer}. */
export const document = {
  openapi: '3.1.0',
  info: { title: 'Parcels', version: '1' },
  paths: {
    '/depots': { post: { operationId: 'createDepot', ...answers(201, closed({ id }, ['id'])) } },
    '/depots/{depot}': {
      parameters: [path('depot')],
      get: { operationId: 'getDepot', ...answers(200, closed({ id }, ['id'])) },
    },
    '/parcels': {
      post: {
        operationId: 'createParcel',
        ...takes(inputs),
        ...answers(201, shown, {
          send: { ...link('sendParcel'), requestBody: { label: '$request.body#/label' } },
        }),
      },
    },
    '/parcels/{parcel}': {
      parameters: [path('parcel')],
      get: { operationId: 'getParcel', ...answers(200, shown) },
      put: { operationId: 'replaceParcel', parameters: [ifMatch], ...takes(inputs), ...answers(200, shown) },
    },
    '/parcels/{parcel}/stamps/{stamp}': {
      parameters: [path('parcel'), path('stamp')],
      get: { operationId: 'getStamp', ...answers(200, closed({ id }, ['id'])) },
    },
    // Only the label of the parcel sends it. A range may be written in lower case.
    '/parcels/{parcel}/sending': onParcel(
      {
        ...takes(closed({ label }, ['label'])),
        ...answers('2xx', shown, {
          deliver: { operationId: 'deliverParcel', parameters: { 'path.parcel': '$request.path.parcel' } },
        }),
      },
      'sendParcel',
    ),
    '/parcels/{parcel}/delivery': onParcel(answers(200, shown), 'deliverParcel'),
  },
};

interface Parcel {
  readonly id: string;
  depotId: string;
  label: string;
  state: string;
  readonly stamps: readonly { readonly id: string }[];
}

export interface ParcelServer {
  readonly listener: RequestListener;
  isDeliveryBroken: boolean;
  isLabelRefused: boolean;
}

class Refusal extends Error {
  constructor(readonly status: number) {
    super();
  }
}

export function parcelServer(): ParcelServer {
  const depots = new Set<string>();
  const parcels = new Map<string, Parcel>();
  const state = { isDeliveryBroken: false, isLabelRefused: false };
  let last = 0;
  const find = (key: string): Parcel => {
    const found = parcels.get(key);
    if (found === undefined) throw new Refusal(404);
    return found;
  };
  const requireThat = (isSo: boolean, status: number): void => {
    if (!isSo) throw new Refusal(status);
  };
  const inputOf = (body: string, ...names: readonly string[]): Readonly<Record<string, string>> => {
    const given = parsed(body);
    requireThat(
      Object.keys(given).every((name) => names.includes(name)),
      400,
    );
    requireThat(
      names.every((name) => typeof given[name] === 'string'),
      400,
    );
    const { depotId = '0', label: name = '' } = given as Readonly<Record<string, string>>;
    requireThat(/^[0-9]{1,9}$/.test(depotId) && name !== '' && Array.from(name).length <= 20, 400);
    return given as Readonly<Record<string, string>>;
  };
  const placed = ({ depotId = '', label: name = '' }: Readonly<Record<string, string>>) => {
    requireThat(depots.has(depotId) && !state.isLabelRefused, 400);
    return { depotId, label: name };
  };
  const answer = (
    call: string,
    key: string,
    stampId: string,
    body: string,
    condition?: string,
  ): [number, unknown] => {
    switch (call) {
      case 'POST depots':
        depots.add(String((last += 1)));
        return [201, { id: String(last) }];
      case 'GET depots/{}':
        requireThat(depots.has(key), 404);
        return [200, { id: key }];
      case 'POST parcels': {
        const given = placed(inputOf(body, 'depotId', 'label'));
        const made = {
          id: String((last += 1)),
          ...given,
          state: 'packed',
          stamps: [{ id: String((last += 1)) }],
        };
        parcels.set(made.id, made);
        return [201, made];
      }
      case 'GET parcels/{}':
        return [200, find(key)];
      case 'PUT parcels/{}': {
        const input = inputOf(body, 'depotId', 'label');
        const found = find(key);
        requireThat(condition === undefined || condition === '*', 412);
        requireThat(input['depotId'] === found.depotId, 400);
        return [200, Object.assign(found, placed(input))];
      }
      case 'GET parcels/{}/stamps/{}':
        requireThat(
          find(key).stamps.some((stamp) => stamp.id === stampId),
          404,
        );
        return [200, { id: stampId }];
      case 'POST parcels/{}/sending': {
        const input = inputOf(body, 'label');
        const found = find(key);
        requireThat(found.state === 'packed' && found.label === input['label'], 409);
        return [200, Object.assign(found, { state: 'sent' })];
      }
      case 'POST parcels/{}/delivery': {
        const found = find(key);
        requireThat(found.state === 'sent', 409);
        if (state.isDeliveryBroken) return [500, {}];
        return [200, Object.assign(found, { state: 'delivered' })];
      }
      default:
        throw new Refusal(405);
    }
  };
  const send = (response: ServerResponse, status: number, value?: unknown): void => {
    const headers = {
      ...(status === 405 && { allow: 'GET' }),
      ...(value !== undefined && { 'content-type': 'application/json' }),
    };
    response.writeHead(status, headers).end(value === undefined ? undefined : JSON.stringify(value));
  };
  const listener: RequestListener = (request, response) => {
    const { method = '', url = '', headers } = request;
    void text(request).then((body) => {
      const [, first = '', key, member, stampId] = url.split('/');
      const name = [
        first,
        ...(key === undefined ? [] : ['{}']),
        ...(member === undefined ? [] : [member]),
        ...(stampId === undefined ? [] : ['{}']),
      ].join('/');
      try {
        const isJson = body === '' || headers['content-type'] === 'application/json';
        requireThat(isJson, 400);
        send(response, ...answer(`${method} ${name}`, key ?? '', stampId ?? '', body, headers['if-match']));
      } catch (error) {
        send(response, error instanceof Refusal ? error.status : 500);
      }
    });
  };
  return Object.assign(state, { listener });
}

function parsed(body: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Readonly<Record<string, unknown>>;
  } catch {
    // It is refused below.
  }
  throw new Refusal(400);
}
