/** The sandbox of a shop: a line belongs to its cart, and what checkout creates is among the orders. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { memoryRequest } from '@concordat/runtime';
import { nodeTransport } from '@concordat/runtime/node';
import { handlerOf, sandboxOf } from '../../../../src/tools/mock/mock-handlers.js';
import { runContract } from '../../../../src/tools/running/running-contract.js';
import { violationsOf } from '../mock-server.js';

type Body = Readonly<Record<string, unknown>>;

const text = { type: 'string' };
const number = { type: 'integer' };
const object = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
});
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const list = (name: string) => ({ type: 'array', items: ref(name) });
const answer = (schema: object) => ({ description: 'Done', content: { 'application/json': { schema } } });
const sent = (properties: object, required: readonly string[] = []) => ({
  requestBody: { content: { 'application/json': { schema: object(properties, required) } } },
});
const missing = { 404: { description: 'Missing' } };
const inPath = (...names: readonly string[]) => ({
  parameters: names.map((name) => ({ name, in: 'path', required: true, schema: text })),
});
const line = sent({ variant_id: text, quantity: number }, ['variant_id', 'quantity']);

const shop = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  paths: {
    '/carts': {
      get: { responses: { 200: answer(list('Cart')) } },
      post: {
        ...sent({ email: text, items: list('Line'), notes: list('Note') }),
        responses: { 201: answer(ref('Cart')) },
      },
    },
    '/carts/{id}': { ...inPath('id'), get: { responses: { 200: answer(ref('Cart')), ...missing } } },
    '/carts/{id}/line-items': { ...inPath('id'), post: { ...line, responses: { 200: answer(ref('Cart')) } } },
    '/carts/{id}/line-items/{line_id}': {
      ...inPath('id', 'line_id'),
      post: { ...sent({ quantity: number }), responses: { 200: answer(ref('Cart')) } },
      delete: { responses: { 200: answer(ref('Cart')) } },
    },
    '/carts/{id}/notes': {
      ...inPath('id'),
      get: { responses: { 200: answer(list('Note')) } },
      post: { ...sent({ text }, ['text']), responses: { 201: answer(ref('Note')) } },
    },
    '/carts/{id}/notes/{note_id}': {
      ...inPath('id', 'note_id'),
      get: { responses: { 200: answer(ref('Note')), ...missing } },
      patch: { ...sent({ text }), responses: { 200: answer(ref('Note')), ...missing } },
      delete: { responses: { 204: { description: 'Gone' }, ...missing } },
    },
    '/carts/{id}/notes/{note_id}/hide': {
      ...inPath('id', 'note_id'),
      post: { responses: { 200: answer(object({ done: text })) } },
    },
    '/carts/{id}/checkout': { ...inPath('id'), post: { responses: { 201: answer(ref('Order')) } } },
    '/carts/{id}/complete': {
      ...inPath('id'),
      post: {
        responses: {
          200: answer({
            oneOf: [
              object({ type: { const: 'cart' }, cart: ref('Cart') }, ['type', 'cart']),
              object({ type: { const: 'order' }, order: ref('Order') }, ['type', 'order']),
            ],
          }),
        },
      },
    },
    '/carts/{id}/preview': { ...inPath('id'), post: { responses: { 200: answer(ref('Order')) } } },
    '/orders': {
      get: {
        parameters: [{ name: 'limit', in: 'query', schema: number }],
        responses: { 200: answer(object({ orders: list('Order'), count: number, total: number })) },
      },
    },
    '/orders/{id}': { ...inPath('id'), get: { responses: { 200: answer(ref('Order')), ...missing } } },
    '/orders/{id}/duplicate': { ...inPath('id'), post: { responses: { 201: answer(ref('Order')) } } },
    '/orders/checkout': {
      post: { ...sent({ cart_id: text }, ['cart_id']), responses: { 200: answer(ref('Order')) } },
    },
  },
  components: {
    schemas: {
      Cart: object({ id: text, email: text, items: list('Line'), notes: list('Note'), total: number }, [
        'id',
        'items',
        'total',
      ]),
      Line: object({ id: text, cart_id: text, variant_id: text, quantity: number }, [
        'id',
        'variant_id',
        'quantity',
      ]),
      Note: object({ id: text, text }, ['id', 'text']),
      Order: object(
        { id: text, status: { enum: ['pending', 'done'] }, cart_id: text, email: text, items: list('Line') },
        ['id', 'status', 'items'],
      ),
    },
  },
};

describe('the sandbox of a shop', () => {
  let file = '';
  let running: Awaited<ReturnType<typeof runContract>>;
  let send: (method: string, path: string, value?: unknown) => Promise<readonly [status: number, body: Body]>;
  let lines: readonly string[];
  before(async () => {
    const directory = await mkdtemp(join(tmpdir(), 'concordat-shop-'));
    file = join(directory, 'openapi.json');
    await writeFile(file, JSON.stringify(shop));
    running = await runContract(file);
  });
  after(() => rm(join(file, '..'), { recursive: true }));
  beforeEach(() => {
    const sandbox = sandboxOf(running);
    lines = sandbox.explained();
    const mock = handlerOf(file, running, undefined, sandbox);
    send = async (method, path, value) => {
      const sentBody =
        value === undefined
          ? {}
          : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
      const [route = '', query = ''] = path.split('?');
      const { status, body } = await mock(memoryRequest({ method, path: route, query, ...sentBody }));
      return [status, typeof body === 'string' ? (JSON.parse(body) as Body) : {}];
    };
  });

  const itemsOf = async (path = '/carts/1', member = 'items') => (await send('GET', path))[1][member];

  it('shows a line in its cart, also when it is changed and removed, by operations that answer with the cart', async () => {
    await send('POST', '/carts', { email: 'a@b.c' });
    await send('POST', '/carts', { email: 'd@e.f' });
    const first = { id: '1', cart_id: '1', variant_id: 'v1', quantity: 2 };
    const [status, cart] = await send('POST', '/carts/1/line-items', { variant_id: 'v1', quantity: 2 });
    expect([status, cart['id'], cart['items']]).to.deep.equal([200, '1', [first]]);
    await send('POST', '/carts/1/line-items', { variant_id: 'v2', quantity: 3 });
    await send('POST', '/carts/1/line-items/2', { quantity: 4 });
    expect(await itemsOf()).to.deep.equal([first, { id: '2', cart_id: '1', variant_id: 'v2', quantity: 4 }]);
    const [, left] = await send('DELETE', '/carts/1/line-items/1');
    expect(left['items']).to.have.lengthOf(1);
    expect(await itemsOf()).to.deep.equal(left['items']);
    expect(await itemsOf('/carts/2')).to.deep.equal([]);
  });

  it('changes a line that was sent with its cart', async () => {
    await send('POST', '/carts', { items: [{ id: 'x', variant_id: 'v1', quantity: 1 }] });
    await send('POST', '/carts/1/line-items/x', { quantity: 9 });
    expect(await itemsOf()).to.deep.equal([{ id: 'x', cart_id: '1', variant_id: 'v1', quantity: 9 }]);
  });

  it('shows in a record what operations of its own keep below it', async () => {
    await send('POST', '/carts', {});
    const [, note] = await send('POST', '/carts/1/notes', { text: 'a' });
    expect(await itemsOf('/carts/1', 'notes')).to.deep.equal([note]);
    expect((await send('GET', '/carts/1/notes'))[1]).to.deep.equal([note]);
    await send('DELETE', `/carts/1/notes/${String(note['id'])}`);
    expect(await itemsOf('/carts/1', 'notes')).to.deep.equal([]);
  });

  it('shows the last 1,000 in a record, and keeps the others below it', async () => {
    const notes = Array.from({ length: 1000 }, (_, index) => ({ id: `n${String(index)}`, text: 'a' }));
    await send('POST', '/carts', { notes });
    const [, last] = await send('POST', '/carts/1/notes', { text: 'last' });
    const shown = [...notes.slice(1), last];
    expect(await itemsOf('/carts/1', 'notes')).to.deep.equal(shown);
    expect(await send('PATCH', '/carts/1/notes/n0', { text: 'b' })).to.deep.equal([
      200,
      { id: 'n0', text: 'b' },
    ]);
    expect(await itemsOf('/carts/1', 'notes')).to.deep.equal(shown);
  });

  for (const [path, value, open] of [
    ['/carts/1/checkout', undefined, (body: Body) => body],
    ['/carts/1/complete', undefined, (body: Body) => body['order'] as Body],
    ['/orders/checkout', { cart_id: '1' }, (body: Body) => body],
  ] as const) {
    it(`lists the order that ${path} answers with, which has the members of the cart`, async () => {
      await send('POST', '/carts', { email: 'a@b.c' });
      await send('POST', '/carts/1/line-items', { variant_id: 'v1', quantity: 2 });
      const order = open((await send('POST', path, value))[1]);
      expect(order).to.deep.include({ cart_id: '1', email: 'a@b.c', items: await itemsOf() });
      const [, { orders }] = await send('GET', '/orders');
      expect(orders).to.deep.include(order);
      expect((await send('GET', `/orders/${String(order['id'])}`))[1]).to.deep.equal(order);
    });
  }

  it('counts the records of a page beside their total', async () => {
    await send('POST', '/carts', {});
    for (let made = 0; made < 3; made += 1) await send('POST', '/carts/1/checkout');
    // With the example of the list, since no operation adds an order.
    expect((await send('GET', '/orders?limit=2'))[1]).to.include({ count: 2, total: 4 });
  });

  it('answers what is below a missing record by 404, and no other record', async () => {
    await send('POST', '/carts', {});
    for (const [method, path, value] of [
      ['POST', '/carts/9/line-items', { variant_id: 'v1', quantity: 2 }],
      ['POST', '/carts/9/line-items/1', { quantity: 2 }],
      ['POST', '/carts/1/line-items/9', { quantity: 2 }],
      ['DELETE', '/carts/1/line-items/9'],
      ['POST', '/carts/9/notes', { text: 'a' }],
      ['POST', '/carts/9/notes/1/hide'],
      ['POST', '/carts/1/notes/9/hide'],
      ['POST', '/carts/9/checkout'],
    ] as const)
      expect([path, (await send(method, path, value))[0]]).to.deep.equal([path, 404]);
    expect((await send('GET', '/carts'))[1]).to.have.lengthOf(1);
  });

  it('keeps no record of a preview, nor the copy of a record', () => {
    for (const verb of ['preview', 'duplicate'])
      expect(lines.find((each) => each.includes(`/${verb}:`))).to.match(/no state/);
  });

  it('is without a violation', async () => {
    const server = createServer(nodeTransport(handlerOf(file, running, undefined, sandboxOf(running))));
    const violations = await violationsOf(server, file);
    server.close();
    server.closeAllConnections();
    expect(violations).to.deep.equal([]);
  });
});
