/** What a client of webhooks and callbacks refuses to compile. */

import type { Programs } from './programs.js';

const PROGRAM = `import { callbackClient, webhookClient } from '@concordat/runtime/client';
import type { SubscribeRequest } from './outgoing/operations.js';
import { callbacks, webhooks } from './outgoing/outgoing.js';

const client = webhookClient(webhooks);
const headers = { 'X-Delivery': '1' };

export async function added(url: URL): Promise<number | string> {
  const answer = await client.send('newPet', { url, headers, body: { name: 'Rex' }, query: { tags: ['a'] } });
  if (answer.status === 200) return answer.headers['X-Count'] + answer.body.number;
  return answer.status === 204 ? 'taken' : answer.body;
}

export async function photo(url: string, file: File): Promise<number> {
  await client.send('sendPhoto', { url });
  await client.send('sendPhoto', { url, contentType: 'text/plain', body: 'text' });
  const body = { title: 'title', photo: file };
  return (await client.send('sendPhoto', { url, contentType: 'multipart/form-data', body })).status;
}

export async function happened(request: SubscribeRequest): Promise<204 | 410> {
  const send = callbackClient(callbacks, { answerLimit: 100 }).send;
  return (await send('subscribe.onEvent', { of: { request }, body: { id: '1' } })).status;
}
`;

const refusals: readonly (readonly [what: string, piece: string, replacement: string, says: RegExp])[] = [
  ['a name that there is not', "'newPet'", "'oldPet'", /'"oldPet"' is not assignable/],
  ['a body of another type', "name: 'Rex'", 'name: 7', /'number' is not assignable to type 'string'/],
  ['no body', ", body: { name: 'Rex' }", '', /'body' is missing/],
  ['a read-only property', "name: 'Rex'", "name: 'Rex', id: 1", /'id' does not exist/],
  ['no required header', 'headers, body', 'body', /'headers' is missing|not assignable/],
  ['another query', "{ tags: ['a'] }", '{ tag: 1 }', /'tag' does not exist/],
  ['no address', "send('newPet', { url, ", "send('newPet', { ", /'url' is missing|not assignable/],
  ['a body that the status does not have', 'answer.body.number', 'answer.body.name', /'name' does not exist/],
  ['a status that is not declared', 'answer.status === 204', 'answer.status === 201', /no overlap/],
  [
    'a body of another media type',
    "contentType: 'text/plain', body: 'text'",
    "contentType: 'text/plain', body: 7",
    /not assignable/,
  ],
  ['a callback without its call', 'of: { request }, ', '', /'of' is missing/],
  ['a callback by another name', "'subscribe.onEvent'", "'subscribe.onOther'", /is not assignable/],
];

export const outgoing: Programs = {
  title: 'a client of webhooks and callbacks',
  program: PROGRAM,
  refusals: refusals.map(([what, piece, replacement, says]) => ({
    what,
    change: [piece, replacement],
    says,
  })),
  fixture: 'outgoing.openapi-3.1.yaml',
};
