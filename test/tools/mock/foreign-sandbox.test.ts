/** The sandbox of contracts as others write them: their envelopes, paths, ids and pages. */

import { expect } from 'chai';
import { type Shown, answer, inPath, inQuery, object, sandboxed, sent, text } from './sandboxed.js';

const boat = object({ id: text, name: text });
/** A collection of boats, and its items. @param end - of every path @param read - the answers of a read */
const boats = (end = '', read: object = { 404: { description: 'Missing' } }, more: object = {}) => ({
  [`/boats${end}`]: {
    get: { responses: { 200: answer({ type: 'array', items: boat }) } },
    post: { requestBody: sent(object({ name: text })), responses: { 201: answer(boat) } },
  },
  [`/boats/{id}${end}`]: {
    parameters: [inPath('id')],
    get: { responses: { 200: answer(boat), ...read } },
    delete: { responses: { 204: { description: 'Deleted' }, ...read } },
    ...more,
  },
});

describe('the sandbox of a foreign contract', () => {
  for (const end of ['.json', '/', '']) {
    it(`has one collection where its paths end with "${end}"`, async () => {
      const { send } = await sandboxed(boats(end));
      const { id } = (await send('POST', `/boats${end}`, { name: 'Demo' })).body;
      expect((await send('GET', `/boats/${String(id)}${end}`)).body).to.deep.equal({ id, name: 'Demo' });
      expect((await send('DELETE', `/boats/${String(id)}${end}`)).status).to.equal(204);
      expect((await send('GET', `/boats/${String(id)}${end}`)).status).to.equal(404);
    });
  }

  for (const status of ['200', '2XX', 'default'])
    it(`keeps no record that an answer of ${status} cannot show`, async () => {
      const short = object({ id: text, name: { type: 'string', maxLength: 4 } });
      const { send } = await sandboxed({
        '/boats': {
          post: { requestBody: sent(object({ name: text })), responses: { 204: { description: 'Added' } } },
          get: { responses: { 200: answer({ type: 'array', items: boat }) } },
        },
        '/boats/{id}': { parameters: [inPath('id')], get: { responses: { [status]: answer(short) } } },
      });
      for (const name of ['Demo', 'Demonstration']) await send('POST', '/boats', { name });
      const list = (await send('GET', '/boats')).body as unknown as readonly Shown['body'][];
      const names = list.map(({ name }) => name);
      expect(names).to.include('Demo');
      expect(names).not.to.include('Demonstration');
    });

  it('gives who asks for a text no record', async () => {
    const paths = boats();
    const { content } = answer(object({ boats: { type: 'array', items: boat } }));
    const list = { description: 'Boats', content: { ...content, 'text/*': {} } };
    Object.assign(paths['/boats']?.get ?? {}, { responses: { 200: list } });
    const { send } = await sandboxed(paths);
    const { status, mark } = await send('GET', '/boats', undefined, 'text/*');
    expect([status, mark]).to.deep.equal([200, 'true']);
    expect((await send('GET', '/boats')).mark).to.equal('state');
  });

  it('has items whose parameter is in brackets, or changed by POST', async () => {
    const post = { requestBody: sent(object({ name: text })), responses: { 200: answer(boat) } };
    const paths: Record<string, unknown> = boats('', {}, { post });
    paths['/boats({id})'] = paths['/boats/{id}'];
    delete paths['/boats/{id}'];
    const { send } = await sandboxed(paths);
    await send('POST', '/boats', { name: 'Demo' });
    expect((await send('POST', '/boats(1)', { name: 'Ada' })).body).to.deep.equal({ id: '1', name: 'Ada' });
    expect((await send('GET', '/boats(1)')).body).to.deep.equal({ id: '1', name: 'Ada' });
  });

  it('remembers what is read without a declared 404, and says so', async () => {
    const { send, lines } = await sandboxed(boats('', {}));
    await send('POST', '/boats', { name: 'Demo' });
    expect((await send('GET', '/boats/1')).body).to.deep.equal({ id: '1', name: 'Demo' });
    const missing = await send('GET', '/boats/2');
    expect([missing.status, missing.mark]).to.deep.equal([404, 'state']);
    expect(lines).to.include(
      'GET /boats/{id}: read boats (path and method; a missing record is answered by 404, which its read does not declare)',
    );
  });

  it('takes and answers envelopes, without what the answer does not name', async () => {
    const envelope = object({ boat }, { required: ['boat'] });
    const { send } = await sandboxed({
      '/boats': {
        post: {
          requestBody: sent(
            object({
              boat: object({ name: text, secret: text }),
              options: object({ dry: { type: 'boolean' } }),
            }),
          ),
          responses: { 200: answer(envelope) },
        },
        get: { responses: { 200: answer(object({ boats: { type: 'array', items: boat } })) } },
      },
      '/boats/{id}': {
        parameters: [inPath('id')],
        get: { responses: { 200: answer(envelope), 404: { description: 'Missing' } } },
      },
    });
    const created = await send('POST', '/boats', { boat: { name: 'Demo', secret: 'x' } });
    expect(created.body).to.deep.equal({ boat: { id: '1', name: 'Demo' } });
    expect((await send('GET', '/boats/1')).body).to.deep.equal(created.body);
    expect((await send('GET', '/boats')).body).to.deep.equal({ boats: [created.body['boat']] });
  });

  it('reads a list page by page that PUT adds to, with the total of its items', async () => {
    const page = object({ items: { type: 'array', items: boat }, total: { type: 'integer' } });
    const example = { items: [{ id: '1', name: 'Demo' }], total: 4 };
    const { send } = await sandboxed({
      '/me/boats': {
        get: {
          parameters: ['limit', 'offset'].map((name) => inQuery(name, { type: 'integer' })),
          responses: {
            200: { description: 'Boats', content: { 'application/json': { schema: page, example } } },
          },
        },
        put: { parameters: [inQuery('ids')], responses: { 204: { description: 'Added' } } },
      },
    });
    expect((await send('GET', '/me/boats')).body).to.deep.equal({ ...example, total: 1 });
    expect((await send('GET', '/me/boats?limit=5&offset=5')).body).to.deep.equal({ items: [], total: 1 });
  });

  it('gives ids that the path parameter takes', async () => {
    for (const schema of [
      { type: 'string', pattern: '^boat_[a-z0-9]{8}$' },
      { type: 'integer', minimum: 1000 },
      { type: 'string', format: 'uuid' },
    ]) {
      const paths = boats();
      Object.assign(paths['/boats/{id}'] ?? {}, { parameters: [inPath('id', schema)] });
      const { send } = await sandboxed(paths);
      const ids = await Promise.all(
        ['a', 'b'].map(async (name) => (await send('POST', '/boats', { name })).body['id']),
      );
      expect(new Set(ids).size).to.equal(2);
      for (const id of ids) expect((await send('GET', `/boats/${String(id)}`)).body).to.include({ id });
    }
  });

  it('answers a nested action below a missing record by 404, and gives a nested record the values of its path', async () => {
    const line = object({ id: text, boatId: text, name: text });
    const { send, lines } = await sandboxed({
      ...boats('', {}),
      '/boats/{boatId}/sail': { parameters: [inPath('boatId')], post: { responses: { 200: answer(boat) } } },
      '/boats/{boatId}/duplicate': {
        parameters: [inPath('boatId')],
        post: { responses: { 201: answer(boat) } },
      },
      '/boats/batch/add': { post: { responses: { 201: answer(boat) } } },
      '/boats/{boatId}/lines': {
        parameters: [inPath('boatId')],
        post: { requestBody: sent(object({ name: text })), responses: { 201: answer(line) } },
        get: { responses: { 200: answer({ type: 'array', items: line }) } },
      },
    });
    expect((await send('POST', '/boats/7/sail')).status).to.equal(404);
    await send('POST', '/boats', { name: 'Demo' });
    expect((await send('POST', '/boats/1/sail')).status).to.equal(200);
    expect((await send('POST', '/boats/1/lines', { name: 'a' })).body).to.include({ boatId: '1', name: 'a' });
    for (const verb of ['{boatId}/duplicate', 'batch/add'])
      expect(lines.find((each) => each.includes(verb))).to.match(/no state/);
  });

  const envelopes: readonly (readonly [string, object, object, (body: Shown['body']) => unknown, object])[] =
    [
      [
        'Django',
        object(
          {
            count: { type: 'integer' },
            next: { type: ['string', 'null'], format: 'uri' },
            previous: { type: ['string', 'null'], format: 'uri' },
            results: { type: 'array', items: boat },
          },
          { required: ['count', 'results', 'next', 'previous'] },
        ),
        inQuery('page', { type: 'integer' }),
        (body) => body['results'],
        { count: 3, next: 'http://localhost:3000/boats?page=2&limit=2', previous: null },
      ],
      [
        'Spring',
        object({
          content: { type: 'array', items: boat },
          sort: { type: 'array', items: object({ property: text }) },
          totalElements: { type: 'integer' },
          number: { type: 'integer' },
          numberOfElements: { type: 'integer' },
          first: { type: 'boolean' },
          last: { type: 'boolean' },
          empty: { type: 'boolean' },
        }),
        inQuery('page', { type: 'integer', minimum: 0, default: 0 }),
        (body) => body['content'],
        { totalElements: 3, number: 0, numberOfElements: 2, first: true, last: false, empty: false },
      ],
      [
        'JSON:API',
        object({
          data: { type: 'array', items: boat },
          included: { type: 'array', items: object({ type: text }) },
          links: object({ next: text }),
        }),
        inQuery('page', { type: 'integer' }),
        (body) => body['data'],
        { links: { next: '/boats?page=2&limit=2' } },
      ],
      [
        'HAL',
        object({
          _embedded: object({ boats: { type: 'array', items: boat } }),
          _links: object({ next: object({ href: text }) }),
        }),
        inQuery('page', { type: 'integer' }),
        (body) => (body['_embedded'] as Shown['body'])['boats'],
        { _links: { next: { href: '/boats?page=2&limit=2' } } },
      ],
      [
        'a cursor',
        object({ data: { type: 'array', items: boat }, next: text }),
        inQuery('cursor', { type: 'string', pattern: '^c_[a-z0-9]{6}$' }),
        (body) => body['data'],
        {},
      ],
    ];
  for (const [name, schema, parameter, itemsOf, facts] of envelopes) {
    it(`keeps its records over the pages of ${name}`, async () => {
      const paths = boats();
      const limit = inQuery('limit', { type: 'integer' });
      Object.assign(paths['/boats']?.get ?? {}, {
        parameters: [parameter, limit],
        responses: { 200: answer(schema) },
      });
      const { send } = await sandboxed(paths);
      for (const each of ['a', 'b', 'c']) await send('POST', '/boats', { name: each });
      const first = await send('GET', '/boats?limit=2');
      expect([first.status, first.mark]).to.deep.equal([200, 'state']);
      expect(first.body).to.deep.include(facts);
      const next =
        name === 'a cursor'
          ? `cursor=${String(first.body['next'])}`
          : name === 'Spring'
            ? 'page=1'
            : 'page=2';
      const second = await send('GET', `/boats?limit=2&${next}`);
      const names = [first, second].flatMap(({ body }) =>
        (itemsOf(body) as { name: string }[]).map((each) => each.name),
      );
      expect(names).to.deep.equal(['a', 'b', 'c']);
    });
  }

  it('deletes all records below a parent, and lists those that name it by a longer member', async () => {
    const alert = object({ id: text, lago_wallet_id: text, name: text });
    const inWallet = [inPath('lago_id')];
    const { send } = await sandboxed({
      '/alerts': {
        post: { requestBody: sent(alert), responses: { 201: answer(alert) } },
        get: { responses: { 200: answer({ type: 'array', items: alert }) } },
      },
      '/alerts/{id}': { parameters: [inPath('id')], get: { responses: { 200: answer(alert) } } },
      '/wallets/{lago_id}/alerts': {
        parameters: inWallet,
        get: { responses: { 200: answer({ type: 'array', items: alert }) } },
        delete: { responses: { 204: { description: 'Gone' } } },
      },
    });
    for (const lago_wallet_id of ['w1', 'w2']) await send('POST', '/alerts', { lago_wallet_id, name: 'low' });
    expect((await send('GET', '/wallets/w1/alerts')).body).to.have.lengthOf(1);
    expect((await send('DELETE', '/wallets/w1/alerts')).status).to.equal(204);
    expect((await send('GET', '/wallets/w1/alerts')).body).to.have.lengthOf(0);
    expect((await send('GET', '/alerts')).body).to.have.lengthOf(1);
  });
});
