/** Black-box tests of customers and their notes. */

import { expect } from 'chai';
import { json, newCustomer } from '../requests/request-makers.js';
import { type Api, expectEmpty, expectError, fieldsOf, read, readObject } from './api.js';

export function customerTests(api: Api): void {
  it('GET /customers answers a page as a list, with its links in headers', async () => {
    const first = await api(json('GET', '/customers?perPage=2', 'viewer'));
    expect(read(first, 200)).to.deep.equal([
      {
        id: 1,
        name: 'Blue Door Studio',
        email: 'office@bluedoor.example',
        status: 'active',
        tags: ['design', 'monthly'],
      },
      { id: 2, name: 'Kranich & Söhne', email: 'rechnung@kranich.example', status: 'active', tags: [] },
    ]);
    expect(first.headers['x-total-count']).to.equal('3');
    expect(first.headers['link']).to.equal('</customers?page=2&perPage=2>; rel="next"');
    const second = await api(json('GET', '/customers?page=2&perPage=2', 'viewer'));
    expect(read(second, 200)).to.have.length(1);
    expect(second.headers).not.to.have.property('link');
  });

  it('GET /customers filters and sorts', async () => {
    const names = async (query: string): Promise<unknown[]> =>
      (read(await api(json('GET', `/customers?${query}`, 'viewer')), 200) as { name: string }[]).map(
        ({ name }) => name,
      );
    expect(await names('status=blocked')).to.deep.equal(['Old Mill Theatre']);
    expect(await names('q=DOOR')).to.deep.equal(['Blue Door Studio']);
    expect(await names('sort=-name&status=active')).to.deep.equal(['Kranich & Söhne', 'Blue Door Studio']);
    expectError(await api(json('GET', '/customers?page=0', 'viewer')), 400, 'BAD_QUERY');
    expectError(await api(json('GET', '/customers?perPage=1000', 'viewer')), 400, 'BAD_QUERY');
    expectError(await api(json('GET', '/customers', 'nobody')), 401, 'UNAUTHENTICATED');
  });

  it('POST /customers creates one', async () => {
    const answer = await api(json('POST', '/customers', 'staff', newCustomer));
    const customer = readObject(answer, 201);
    expect(customer).to.deep.equal({
      id: 4,
      ...newCustomer,
      email: 'hallo@nordlicht.example',
      address: { ...newCustomer.address, country: 'DE' },
      status: 'active',
      createdAt: '2026-03-02T09:30:00.000Z',
      updatedAt: '2026-03-02T09:30:00.000Z',
      version: 1,
    });
    expect(answer.headers.location).to.equal('/customers/4');
    expect(read(await api(json('GET', '/customers/4', 'viewer')), 200)).to.deep.equal(customer);
  });

  it('POST /customers has no phone number and a null VAT number where none are given', async () => {
    const { name, email, address } = newCustomer;
    const answer = await api(json('POST', '/customers', 'admin', { name, email, address }));
    const customer = readObject(answer, 201);
    expect(customer).to.include({ vatNumber: null });
    expect(customer).not.to.have.property('phone');
    expect(customer['tags']).to.deep.equal([]);
  });

  it('POST /customers refuses what is not a customer', async () => {
    const bad = await api(
      json('POST', '/customers', 'staff', { email: 'x', address: { city: 'Ulm' }, tags: [1] }),
    );
    expect(fieldsOf(expectError(bad, 422, 'VALIDATION'))).to.deep.equal([
      'name',
      'email',
      'tags',
      'address.street',
    ]);
    const taken = { ...newCustomer, email: 'office@bluedoor.example' };
    expectError(await api(json('POST', '/customers', 'staff', taken)), 409, 'CONFLICT');
    expectError(await api(json('POST', '/customers', 'viewer', newCustomer)), 403, 'FORBIDDEN');
    expectError(await api(json('POST', '/customers', 'staff', [newCustomer])), 400, 'BAD_REQUEST');
  });

  it('GET /customers/:id answers 304 to a version that is known', async () => {
    const answer = await api(json('GET', '/customers/1', 'viewer'));
    expect(read(answer, 200)).to.include({ id: 1, vatNumber: 'DE811907980', phone: '+49 30 5550199' });
    expect(answer.headers.etag).to.equal('"customer-1-1"');
    const again = await api(
      json('GET', '/customers/1', 'viewer', undefined, { 'if-none-match': '"customer-1-1"' }),
    );
    expectEmpty(again, 304);
    expect(again.headers.etag).to.equal('"customer-1-1"');
    expectError(await api(json('GET', '/customers/99', 'viewer')), 404, 'NOT_FOUND');
    expectError(await api(json('GET', '/customers/abc', 'viewer')), 400, 'BAD_ID');
    expectError(await api(json('GET', '/customers/1', 'nobody')), 401, 'UNAUTHENTICATED');
  });

  it('PUT /customers/:id replaces the version that was read', async () => {
    const match = { 'if-match': '"customer-2-3"' };
    const answer = await api(json('PUT', '/customers/2', 'staff', newCustomer, match));
    expect(readObject(answer, 200)).to.include({ id: 2, name: 'Nordlicht GmbH', version: 4 });
    expect(answer.headers.etag).to.equal('"customer-2-4"');
    expectError(await api(json('PUT', '/customers/2', 'staff', newCustomer, match)), 412, 'STALE');
    const bad = await api(json('PUT', '/customers/2', 'staff', { ...newCustomer, name: ' ' }));
    expect(fieldsOf(expectError(bad, 422, 'VALIDATION'))).to.deep.equal(['name']);
    expectError(await api(json('PUT', '/customers/99', 'staff', newCustomer)), 404, 'NOT_FOUND');
  });

  it('PATCH /customers/:id changes some members', async () => {
    const change = { status: 'active', tags: ['back'], phone: null };
    const customer = readObject(await api(json('PATCH', '/customers/3', 'staff', change)), 200);
    expect(customer).to.include({ name: 'Old Mill Theatre', status: 'active', version: 2 });
    expect(customer['tags']).to.deep.equal(['back']);
    expect(customer).not.to.have.property('phone');
    const bad = await api(json('PATCH', '/customers/3', 'staff', { status: 'gone' }));
    expect(fieldsOf(expectError(bad, 422, 'VALIDATION'))).to.deep.equal(['status']);
    const stale = await api(json('PATCH', '/customers/3', 'staff', change, { 'if-match': '"customer-3-1"' }));
    expectError(stale, 412, 'STALE');
  });

  it('DELETE /customers/:id takes away a customer without invoices', async () => {
    expectEmpty(await api(json('DELETE', '/customers/3', 'admin')), 204);
    expectError(await api(json('DELETE', '/customers/3', 'admin')), 404, 'NOT_FOUND');
    expectError(await api(json('DELETE', '/customers/1', 'admin')), 409, 'CONFLICT');
    expectError(await api(json('DELETE', '/customers/2', 'staff')), 403, 'FORBIDDEN');
  });

  it('GET and POST /customers/:id/notes keep notes, with 200 for a new one', async () => {
    const note = read(await api(json('POST', '/customers/1/notes', 'staff', { text: 'Paid late.' })), 200);
    expect(note).to.deep.equal({ id: 2, text: 'Paid late.', author: 'Sven Okafor', date: '02.03.2026' });
    expect(read(await api(json('GET', '/customers/1/notes', 'viewer')), 200)).to.deep.equal([
      { id: 1, text: 'Prefers room R-101.', author: 'Ada Berg', date: '04.11.2025' },
      note,
    ]);
    expect(read(await api(json('GET', '/customers/2/notes', 'viewer')), 200)).to.deep.equal([]);
    expectError(await api(json('GET', '/customers/9/notes', 'viewer')), 404, 'NOT_FOUND');
    const bad = await api(json('POST', '/customers/1/notes', 'staff', {}));
    expect(fieldsOf(expectError(bad, 422, 'VALIDATION'))).to.deep.equal(['text']);
  });
}
