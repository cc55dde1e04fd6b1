/** Webhooks and callbacks sent to a server, and what its answers become. */

import { once } from 'node:events';
import { type IncomingMessage, type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import {
  type CallbackClient,
  UnexpectedAnswer,
  type WebhookClient,
  callbackClient,
  webhookClient,
} from '../../../src/runtime/client/index.js';
import type { Exchange, OutgoingContract } from '../../../src/runtime/contract/outgoing.js';
import { fixture } from '../../codegen/contract-list.js';
import { removeDirectory, runCodegen, temporaryPackage } from '../../codegen/generated-contract.js';

interface Received {
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

type Loose = Readonly<Record<string, { readonly request: Record<string, unknown>; readonly answer: object }>>;
type Contract = OutgoingContract<Readonly<Record<string, Exchange>>>;

const json = (status: number, value: unknown, headers = {}): Reply => ({
  status,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(value),
});

describe('outgoing requests', () => {
  let directory = '';
  let server: Server;
  let url = '';
  let received: Received[] = [];
  let reply: Reply = { status: 204 };
  let webhooks: Contract;
  let client: WebhookClient<Loose>;
  let callbacks: CallbackClient<Loose>;

  before(async () => {
    directory = await temporaryPackage();
    await runCodegen({ openapi: fixture('outgoing.openapi-3.1.yaml').file, out: directory });
    const generated = (await import(pathToFileURL(join(directory, 'outgoing.ts')).href)) as {
      readonly webhooks: Contract;
      readonly callbacks: Contract;
    };
    ({ webhooks } = generated);
    client = webhookClient(webhooks as OutgoingContract<Loose>);
    callbacks = callbackClient(generated.callbacks as OutgoingContract<Loose>);
    server = createServer((request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        const line = `${request.method ?? ''} ${request.url ?? ''}`;
        received.push({ line, headers: request.headers, body: Buffer.concat(pieces) });
        response.writeHead(reply.status, reply.headers).end(reply.body);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/hooks`;
  });

  after(async () => {
    server.closeAllConnections();
    server.close();
    await removeDirectory(directory);
  });

  beforeEach(() => {
    received = [];
    reply = { status: 204 };
  });

  const delivery = { 'X-Delivery': '6f1f2f6e-4f3e-4b5e-8f39-0d4c3c1a2b11' };
  const newPet = (more: object = {}) => ({ url, headers: delivery, body: { name: 'Rex' }, ...more });

  /** What sending rejects with. */
  async function failure(sending: Promise<unknown>): Promise<Error> {
    return sending.then(
      () => expect.fail('it was sent'),
      (error: unknown) => error as Error,
    );
  }

  it('carry body, headers, query and cookies as the contract has them, and no defaults', async () => {
    const query = { tags: ['a b', 'c,d'], filter: { kind: 'x&y' } };
    const request = newPet({ url: `${url}?key=1`, query, cookies: { session: 'a;b' } });
    expect(await client.send('newPet', request)).to.deep.equal({ status: 204 });
    const [{ line, headers, body } = expect.fail()] = received;
    expect(line).to.equal('POST /hooks?key=1&tags=a%20b,c%2Cd&filter%5Bkind%5D=x%26y');
    expect(headers).to.include({
      'x-delivery': delivery['X-Delivery'],
      'content-type': 'application/json',
      cookie: 'session=a%3Bb',
    });
    expect(String(body)).to.equal('{"name":"Rex"}');
  });

  it('are answered with typed headers and a checked body', async () => {
    reply = json(200, { number: 7 }, { 'X-Count': '3', 'X-Names': 'a,b' });
    expect(await client.send('newPet', newPet())).to.deep.equal({
      status: 200,
      headers: { 'X-Count': 3, 'X-Names': ['a', 'b'] },
      contentType: 'application/json',
      body: { number: 7 },
    });
    reply = { status: 422, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body: 'too small' };
    expect(await client.send('newPet', newPet())).to.deep.include({ status: 422, body: 'too small' });
  });

  const wrong: readonly (readonly [what: string, change: object, says: string])[] = [
    ['a body of another shape', { body: { name: 7 } }, 'newPet: body/name must be string'],
    ['a read-only property', { body: { name: 'Rex', id: 1 } }, 'newPet: body/id must NOT be sent'],
    ['no body', { body: undefined }, 'newPet: body is required'],
    ['no required header', { headers: {} }, 'newPet: headers/X-Delivery is required'],
    [
      'a header of another shape',
      { headers: { 'X-Delivery': 'x' } },
      'newPet: headers/X-Delivery must match',
    ],
    ['a query of another shape', { query: { size: 101 } }, 'newPet: query/size must be <= 100'],
    ['a header that begins another', { headers: { 'X-Delivery': 'a\r\nb' } }, 'newPet: headers/X-Delivery'],
    ['an address of another scheme', { url: 'file:///etc/passwd' }, 'newPet: the address must be'],
    ['no address', { url: '/hooks' }, 'newPet: the address must be'],
    ['another media type', { contentType: 'text/plain' }, 'newPet: the contract has no body in text/plain'],
  ];
  for (const [what, change, says] of wrong) {
    it(`are not sent with ${what}`, async () => {
      const error = await failure(client.send('newPet', newPet(change)));
      expect(error).to.be.instanceOf(TypeError);
      expect(error.message.startsWith(says), error.message).to.equal(true);
      expect(received).to.deep.equal([]);
    });
  }

  it('are not sent by a name that the contract does not have', async () => {
    for (const name of ['postNewPet', 'constructor']) {
      expect((await failure(client.send(name, newPet()))).message).to.equal(
        `the contract does not send ${name}`,
      );
    }
  });

  const count = { 'X-Count': '1' };
  const unexpected: readonly (readonly [what: string, answer: Reply, says: string])[] = [
    ['a status that is not declared', { status: 500 }, 'the status 500 is not declared'],
    ['a redirect', { status: 302, headers: { Location: '/other' } }, 'the status 302 is not declared'],
    ['a body of another shape', json(200, { number: 'x' }, count), 'body/number must be integer'],
    ['no JSON', { ...json(200, 1, count), body: '{' }, 'body must be valid JSON'],
    [
      'another media type',
      { status: 200, headers: { ...count, 'Content-Type': 'text/html' }, body: '' },
      'the media type text/html is not declared',
    ],
    ['no required header', json(200, { number: 1 }), 'headers/X-Count is required'],
    [
      'a header of another type',
      json(200, { number: 1 }, { 'X-Count': 'x' }),
      'headers/X-Count must be integer',
    ],
    [
      'a header of another value',
      json(200, { number: 1 }, { 'X-Count': '-1' }),
      'headers/X-Count must be >= 0',
    ],
    [
      'a text that is too long',
      { status: 404, headers: { 'Content-Type': 'text/plain' }, body: 'x'.repeat(21) },
      'body must NOT have more than 20 characters',
    ],
  ];
  for (const [what, answer, says] of unexpected) {
    it(`reject for an answer with ${what}, and tell its status`, async () => {
      reply = answer;
      const error = await failure(client.send('newPet', newPet()));
      expect(error).to.be.instanceOf(UnexpectedAnswer);
      expect(error).to.include({ status: answer.status });
      expect(error.message).to.equal(
        `newPet was answered ${String(answer.status)} against the contract: ${says}`,
      );
      expect(received).to.have.length(1);
    });
  }

  it('reject for an answer that is larger than the limit', async () => {
    const small = webhookClient(webhooks as OutgoingContract<Loose>, { answerLimit: 10 });
    reply = json(200, { number: 1_234_567 }, count);
    const { message } = await failure(small.send('newPet', newPet()));
    expect(message).to.match(/the body is larger than 10 bytes$/);
  });

  it('reject for an answer without the body that the contract declares', async () => {
    const own = webhookClient(webhooks as OutgoingContract<Loose>, {
      fetch: () => Promise.resolve(new Response(null, { headers: { 'X-Count': '1' } })),
    });
    expect((await failure(own.send('newPet', newPet()))).message).to.match(/: the body is missing$/);
  });

  it('close the connection of an answer whose status is not declared', async () => {
    let isCancelled = false;
    const endless = new ReadableStream({ cancel: () => void (isCancelled = true) });
    const own = webhookClient(webhooks as OutgoingContract<Loose>, {
      fetch: () => Promise.resolve(new Response(endless, { status: 500 })),
    });
    await failure(own.send('newPet', newPet()));
    expect(isCancelled).to.equal(true);
  });

  it('end with their signal', async () => {
    const sending = client.send('newPet', newPet({ signal: AbortSignal.abort() }));
    expect((await failure(sending)).name).to.equal('AbortError');
  });

  it('carry bytes, text, forms and files', async () => {
    const send = (contentType: string, body: unknown) => client.send('sendPhoto', { url, contentType, body });
    await send('image/png', Uint8Array.of(1, 2));
    await send('text/plain', 'two');
    await send('application/x-www-form-urlencoded', { title: 'a b&c', sizes: [1, 2] });
    const photo = new File(['pixels'], 'photo.png', { type: 'image/png' });
    await send('multipart/form-data', { title: 'title', photo, sizes: [1, 2] });
    await client.send('sendPhoto', { url });
    expect(
      received.slice(0, 3).map(({ headers, body }) => [headers['content-type'], String(body)]),
    ).to.deep.equal([
      ['image/png', '\u0001\u0002'],
      ['text/plain', 'two'],
      ['application/x-www-form-urlencoded', 'title=a%20b%26c&sizes=1&sizes=2'],
    ]);
    const { headers, body } = received[3] ?? expect.fail();

    const type = headers['content-type'] ?? '';
    const carrier = new Response(body, { headers: { 'content-type': type } });
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- a form of a few bytes, in memory
    const form = await carrier.formData();
    expect([
      form.get('title'),
      form.getAll('sizes'),
      await (form.get('photo') as unknown as Blob).text(),
    ]).to.deep.equal(['title', ['1', '2'], 'pixels']);
    expect(received[4]?.body.length).to.equal(0);
    const tooLong = send('multipart/form-data', { title: 'longer than five', photo });
    expect((await failure(tooLong)).message).to.include('body/title must NOT have more than 5 characters');
  });

  it('are callbacks to the address that the call gives', async () => {
    const of = { request: { body: { url } }, response: { body: { id: 'a b' } } };
    expect(await callbacks.send('subscribe.onEvent', { of, body: { id: '1' } })).to.deep.equal({
      status: 204,
    });
    await callbacks.send('subscribe.shared', { of: { request: { query: { done: `${url}/done` } } } });
    expect(received.map(({ line }) => line)).to.deep.equal(['POST /hooks?id=a%20b', 'PUT /hooks/done']);
    const noCall = callbacks.send('subscribe.shared', { of: {} });
    expect((await failure(noCall)).message).to.include('$request.query.done');
  });

  it('pass through a fetch of the caller', async () => {
    const seen: string[] = [];
    const own = webhookClient(webhooks as OutgoingContract<Loose>, {
      fetch: (address, init) => {
        seen.push(`${String(init.method)} ${address.href} ${String(init.redirect)} ${init.body as string}`);
        return Promise.resolve(new Response(null, { status: 204 }));
      },
    });
    await own.send('newPet', newPet());
    expect(seen).to.deep.equal([`POST ${url} manual {"name":"Rex"}`]);
    expect(received).to.deep.equal([]);
  });
});
