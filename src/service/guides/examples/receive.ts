// receive.ts
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { type HttpHandler, memoryRequest, restEngine } from '@concordat/runtime';
import { nodeTransport } from '@concordat/runtime/node';
import { contract } from './receiver/routing.js';

/** In your database, stored in the transaction of what you do with the event. */
const processed = new Set<string>();

const engine = restEngine({
  contract,
  operations: {
    receiveEvent: ({ body: event }) => {
      if (processed.has(event.id)) return { status: 204 };
      if (event.type === 'user.created') console.log(`${event.data.name} was created`);
      processed.add(event.id);
      return { status: 204 };
    },
  },
  security: {},
  anonymous: undefined,
  report: console.error,
});

const secret = process.env['WEBHOOK_SECRET'] ?? '';
if (!/^whsec_.{20}/.test(secret)) throw new Error('WEBHOOK_SECRET must be the secret of the webhook');

/** Verifies the signature of the bytes as they came, before anything is read from them. */
const verified: HttpHandler = async (request) => {
  const { method, path, headers } = request;
  const body = await request.readBody(1024 * 1024);
  const [id, time, given] = ['id', 'timestamp', 'signature'].map((name) =>
    String(headers[`webhook-${name}`]),
  );
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest();
  const isSigned = (given ?? '').split(' ').some((each) => {
    const signature = Buffer.from(each.replace('v1,', ''), 'base64');
    return signature.length === expected.length && timingSafeEqual(signature, expected);
  });
  const isRecent = Math.abs(Date.now() / 1000 - Number(time)) < 300;
  if (!isSigned || !isRecent) return { status: 401, headers: {}, body: 'The signature is wrong\n' };
  return await engine(memoryRequest({ method, path, headers, body }));
};

createServer(nodeTransport(verified)).listen(Number(process.env['PORT'] ?? 3001));
