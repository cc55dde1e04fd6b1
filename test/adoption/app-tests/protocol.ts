/** Black-box tests of everything around the routes: HEAD, OPTIONS, other methods and paths, broken bodies, request ids. */

import { expect } from 'chai';
import { json, raw } from '../requests/request-makers.js';
import { type Api, expectError } from './api.js';

export function protocolTests(api: Api): void {
  it('HEAD answers as GET does, without the body', async () => {
    for (const path of ['/customers/1', '/invoices', '/reports/revenue']) {
      const get = await api(json('GET', path, 'staff'));
      const head = await api(json('HEAD', path, 'staff'));
      expect(head.status).to.equal(get.status);
      expect(head.text).to.equal('');
      for (const header of ['content-type', 'content-length', 'etag', 'content-disposition']) {
        expect(head.headers[header], header).to.equal(get.headers[header]);
      }
    }
  });

  it('OPTIONS names the methods of a path', async () => {
    const answer = await api(json('OPTIONS', '/customers/1', 'nobody'));
    expect(answer.status).to.equal(200);
    expect(answer.headers.allow).to.equal('HEAD, GET, PUT, PATCH, DELETE');
    expect(answer.text).to.equal('');
  });

  it('other methods are 405 with Allow, or 501', async () => {
    const answer = await api(json('DELETE', '/customers', 'admin'));
    expect(answer.status).to.equal(405);
    expect(answer.headers.allow).to.equal('HEAD, GET, POST');
    expect(answer.text).to.equal('Method Not Allowed');
    expect((await api(json('PROPFIND', '/customers', 'admin'))).status).to.equal(501);
  });

  it('other paths are 404 in the format of errors', async () => {
    const body = expectError(await api(json('GET', '/nothing?x=1', 'nobody')), 404, 'NO_ROUTE');
    expect(body['message']).to.equal('Cannot GET /nothing');
  });

  it('a body that is not JSON is 400, one that is too large 413', async () => {
    for (const body of ['{"name":', '"text"']) {
      expectError(
        await api(raw('POST', '/customers', 'staff', 'application/json', body)),
        400,
        'BAD_REQUEST',
      );
    }
    const large = JSON.stringify({ text: 'x'.repeat(300_000) });
    expectError(await api(raw('POST', '/customers', 'staff', 'application/json', large)), 413, 'TOO_LARGE');
    expectError(await api(json('POST', '/customers', 'staff')), 400, 'BAD_REQUEST');
    expectError(await api(raw('POST', '/customers', 'staff', 'application/xml', '<a/>')), 400, 'BAD_REQUEST');
  });

  it('each answer has a request id: the one that was sent, or the next', async () => {
    expect((await api(json('GET', '/health', 'nobody'))).headers['x-request-id']).to.equal('req-000001');
    expect((await api(json('GET', '/nothing', 'nobody'))).headers['x-request-id']).to.equal('req-000002');
    const given = await api(json('GET', '/health', 'nobody', undefined, { 'x-request-id': 'abc' }));
    expect(given.headers['x-request-id']).to.equal('abc');
  });
}
