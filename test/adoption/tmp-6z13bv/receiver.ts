/** A partner of the library: it verifies what the library sends, and lists the books. */

import { createHmac, timingSafeEqual } from 'node:crypto';
import { type HttpHandler, memoryRequest, restEngine } from '@concordat/runtime';
import { nodeTransport } from '@concordat/runtime/node';
import type { components } from './receiver/openapi.js';
import { contract } from './receiver/routing.js';

/** What the partner has of the library. */
export interface Received {
  readonly events: components['schemas']['Event'][];
  /** The shelf of each book, by its ISBN. */
  readonly shelves: Map<string, string | undefined>;
}

/** @param secret - of the webhook, known when it is created */
export function createReceiver(
  secret: () => string,
  { events, shelves }: Received,
): ReturnType<typeof nodeTransport> {
  const engine = restEngine({
    contract,
    operations: {
      receiveEvent({ body: event }) {
        events.push(event);
        if (event.type === 'product.created' && event.data.isbn !== undefined)
          shelves.set(event.data.isbn, event.data.shelf);
        return { status: 204 };
      },
    },
    security: {},
    anonymous: undefined,
    report: console.error,
  });
  const verified: HttpHandler = async (request) => {
    const { method, path, headers } = request;
    const body = await request.readBody(1024 * 1024);
    const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.`;
    const key = Buffer.from(secret().replace('whsec_', ''), 'base64');
    const expected = createHmac('sha256', key).update(signed).update(body).digest();
    const given = Buffer.from(String(headers['webhook-signature']).replace('v1,', ''), 'base64');
    if (given.length !== expected.length || !timingSafeEqual(given, expected))
      return { status: 401, headers: {}, body: 'The signature is wrong\n' };
    return engine(memoryRequest({ method, path, headers, body }));
  };
  return nodeTransport(verified);
}
