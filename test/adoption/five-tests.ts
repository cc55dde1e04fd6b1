/** The black-box tests of the five operations, which run unchanged on each library and at each stage. */

import { expect } from 'chai';
import { type HttpAnswer, send } from '../support/send.js';
import type { Start, Started } from './start-legacy-app.js';

/** @param start - starts an instance for each test */
export function fiveTests(start: Start): void {
  let started: Started;
  beforeEach(async () => {
    started = await start();
  });
  afterEach(() => started.stop());

  const ada = { authorization: 'Bearer token-of-ada' };
  const api = (
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ) =>
    send(started.url, {
      method,
      path,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const json = ({ status, text }: HttpAnswer): unknown => [status, text === '' ? '' : JSON.parse(text)];
  const refusal = (...fields: readonly string[]) => [400, { message: 'The request has problems', fields }];

  it('GET /me knows the user', async () => {
    expect(json(await api('GET', '/me', undefined, ada))).to.deep.equal([200, { name: 'Ada' }]);
    expect((await api('GET', '/me')).status).to.equal(401);
    expect((await api('GET', '/me', undefined, { authorization: 'Bearer guess' })).status).to.equal(401);
  });

  it('GET /customers answers a page', async () => {
    const first = await api('GET', '/customers');
    expect(first.headers['x-total-count']).to.equal('3');
    expect((JSON.parse(first.text) as { id: number }[]).map(({ id }) => id)).to.deep.equal([1, 2]);
    const blocked = await api('GET', '/customers?status=blocked');
    expect((JSON.parse(blocked.text) as { id: number }[]).map(({ id }) => id)).to.deep.equal([3]);
    expect(json(await api('GET', '/customers?page=0'))).to.deep.equal(refusal('page'));
    expect(json(await api('GET', '/customers?status=gone'))).to.deep.equal(refusal('status'));
  });

  it('POST /customers creates one', async () => {
    const nordlicht = { name: 'Nordlicht', email: 'hallo@nordlicht.example' };
    const answer = await api('POST', '/customers', nordlicht, ada);
    expect(json(answer)).to.deep.equal([201, { id: 4, ...nordlicht, status: 'active' }]);
    expect(answer.headers.location).to.equal('/customers/4');
    expect((await api('POST', '/customers', nordlicht)).status).to.equal(401);
    expect(json(await api('POST', '/customers', { name: 'x' }, ada))).to.deep.equal(refusal('email'));
    expect(json(await api('POST', '/customers', { ...nordlicht, name: '' }, ada))).to.deep.equal(
      refusal('name'),
    );
  });

  it('GET /customers/{id} finds one', async () => {
    const answer = await api('GET', '/customers/3');
    expect(json(answer)).to.deep.equal([
      200,
      { id: 3, name: 'Old Mill Theatre', email: 'box@oldmill.example', status: 'blocked' },
    ]);
    expect(answer.headers['content-type']).to.match(/^application\/json/);
    expect(json(await api('GET', '/customers/9'))).to.deep.equal([404, { message: 'No such customer' }]);
    expect(json(await api('GET', '/customers/abc'))).to.deep.equal(refusal('id'));
  });

  it('POST /customers/{id}/notes keeps a note of the user', async () => {
    const note = { text: 'Paid late.' };
    expect(json(await api('POST', '/customers/1/notes', note, ada))).to.deep.equal([
      201,
      { ...note, author: 'Ada' },
    ]);
    expect(json(await api('POST', '/customers/1/notes', {}, ada))).to.deep.equal(refusal('text'));
    expect((await api('POST', '/customers/9/notes', note, ada)).status).to.equal(404);
    expect((await api('POST', '/customers/1/notes', note)).status).to.equal(401);
  });

  it('other paths are 404, and other methods 405', async () => {
    expect((await api('GET', '/nothing')).status).to.equal(404);
    expect((await api('DELETE', '/customers')).status).to.equal(405);
    expect((await api('PUT', '/customers/1', {})).status).to.equal(405);
  });
}
