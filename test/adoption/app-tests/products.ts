/** Black-box tests of products, stock and the search. */

import { expect } from 'chai';
import { csvImport, json, newProduct, png, raw } from '../requests/request-makers.js';
import { type Api, expectEmpty, expectError, fieldsOf, read, readObject } from './api.js';

export function productTests(api: Api, url: () => string): void {
  it('GET /products filters by category, tags and state', async () => {
    const skus = async (query: string): Promise<unknown[]> =>
      (read(await api(json('GET', `/products${query}`, 'nobody')), 200) as { sku: string }[]).map(
        ({ sku }) => sku,
      );
    expect(await skus('')).to.deep.equal(['CHAIR-01', 'MUG-07', 'LAMP-02']);
    expect(await skus('?category=kitchen')).to.deep.equal(['MUG-07']);
    expect(await skus('?tags=oak,seating')).to.deep.equal(['CHAIR-01']);
    expect(await skus('?active=false')).to.deep.equal(['LAMP-02']);
  });

  it('POST /products answers 200, and GET /products/:sku has it', async () => {
    const product = read(await api(json('POST', '/products', 'staff', newProduct)), 200);
    expect(product).to.deep.equal({ ...newProduct, active: true });
    expect(read(await api(json('GET', '/products/DESK-11', 'nobody')), 200)).to.deep.equal(product);
    expectError(await api(json('POST', '/products', 'staff', newProduct)), 409, 'CONFLICT');
    const bad = await api(json('POST', '/products', 'staff', { sku: 'desk', price: 389 }));
    expect(fieldsOf(expectError(bad, 422, 'VALIDATION'))).to.deep.equal(['sku', 'name', 'price', 'category']);
    expectError(await api(json('GET', '/products/NO-00', 'nobody')), 404, 'NOT_FOUND');
    const lamp = readObject(await api(json('GET', '/products/LAMP-02', 'nobody')), 200);
    expect(lamp).to.include({ description: null }).and.not.have.property('dimensions');
  });

  it('POST /products/import reads CSV, and reports bad lines', async () => {
    const answer = await api(raw('POST', '/products/import', 'staff', 'text/csv', csvImport));
    expect(read(answer, 200)).to.deep.equal({
      created: 1,
      updated: 1,
      errors: [{ line: 4, message: 'Cannot read bad,Broken,1,kitchen' }],
    });
    expect(readObject(await api(json('GET', '/products/MUG-07', 'nobody')), 200)['price']).to.equal('13.00');
    expectError(await api(raw('POST', '/products/import', 'staff', 'text/csv', 'a,b\n')), 422, 'BAD_HEADER');
    expectError(await api(json('POST', '/products/import', 'staff', {})), 415, 'UNSUPPORTED_MEDIA_TYPE');
  });

  it('PATCH /products/:sku is a merge patch', async () => {
    const patch = '{"price":"139.00","dimensions":null,"description":null}';
    const answer = await api(
      raw('PATCH', '/products/CHAIR-01', 'staff', 'application/merge-patch+json', patch),
    );
    const chair = readObject(answer, 200);
    expect(chair['price']).to.equal('139.00');
    expect(chair).not.to.have.any.keys('dimensions', 'description');
    const lamp = await api(json('PATCH', '/products/LAMP-02', 'staff', { active: true, name: 'Lamp' }));
    expect(readObject(lamp, 200)).to.include({ active: true, name: 'Lamp' });
    const bad = await api(json('PATCH', '/products/LAMP-02', 'staff', { price: '1' }));
    expect(fieldsOf(expectError(bad, 422, 'VALIDATION'))).to.deep.equal(['price']);
  });

  it('DELETE /products/:sku says what it deleted', async () => {
    const answer = await api(json('DELETE', '/products/LAMP-02', 'admin'));
    expect(read(answer, 200)).to.deep.equal({ deleted: true, sku: 'LAMP-02' });
    expectError(await api(json('DELETE', '/products/CHAIR-01', 'admin')), 409, 'CONFLICT');
    expectError(await api(json('DELETE', '/products/MUG-07', 'staff')), 403, 'FORBIDDEN');
  });

  it('PUT and GET /products/:sku/image keep the bytes', async () => {
    expectError(await api(json('GET', '/products/MUG-07/image', 'nobody')), 404, 'NOT_FOUND');
    expectEmpty(await api(raw('PUT', '/products/MUG-07/image', 'staff', 'image/png', png)), 204);
    const image = await fetch(`${url()}/products/MUG-07/image`);
    expect(image.headers.get('content-type')).to.equal('image/png');
    expect(Buffer.from(await image.arrayBuffer()).equals(png)).to.equal(true);
    const gif = await api(raw('PUT', '/products/MUG-07/image', 'staff', 'image/gif', 'GIF89a'));
    expectError(gif, 415, 'UNSUPPORTED_MEDIA_TYPE');
    const large = await api(
      raw('PUT', '/products/MUG-07/image', 'staff', 'image/png', Buffer.alloc(524_289)),
    );
    expectError(large, 413, 'TOO_LARGE');
  });
}

export function stockTests(api: Api): void {
  it('GET /stock is an object by SKU, for scanners and staff', async () => {
    for (const caller of ['scanner', 'staff'] as const) {
      const stock = read(await api(json('GET', '/stock', caller)), 200);
      expect(stock).to.deep.equal({ 'CHAIR-01': 12, 'MUG-07': 120 });
    }
    expectError(await api(json('GET', '/stock', 'nobody')), 401, 'UNAUTHENTICATED');
    expectError(await api(json('GET', '/stock', 'viewer')), 403, 'FORBIDDEN');
    const wrong = await api({ method: 'GET', path: '/stock', headers: { 'x-api-key': 'guess' } });
    expectError(wrong, 401, 'UNAUTHENTICATED');
  });

  it('GET /stock/:sku', async () => {
    const mug = read(await api(json('GET', '/stock/MUG-07', 'scanner')), 200);
    expect(mug).to.deep.equal({
      sku: 'MUG-07',
      onHand: 120,
      reserved: 0,
      location: 'B-1',
      lastCountedAt: null,
    });
    expectError(await api(json('GET', '/stock/LAMP-02', 'scanner')), 404, 'NOT_FOUND');
  });

  it('POST and GET /stock/:sku/movements', async () => {
    const counted = { delta: -4, reason: 'count' };
    const { movement, onHand } = readObject(
      await api(json('POST', '/stock/CHAIR-01/movements', 'scanner', counted)),
      201,
    );
    const at = '2026-03-02T09:30:00.000Z';
    expect(movement).to.deep.equal({ id: 3, sku: 'CHAIR-01', ...counted, by: 'scanner-north', at });
    expect(onHand).to.equal(10);
    const item = readObject(await api(json('GET', '/stock/CHAIR-01', 'staff')), 200);
    expect(item['lastCountedAt']).to.equal(at);
    expect(read(await api(json('GET', '/stock/CHAIR-01/movements', 'scanner')), 200)).to.have.length(3);
    expect(read(await api(json('GET', '/stock/CHAIR-01/movements?limit=1', 'staff')), 200)).to.have.length(1);
    const much = { delta: -9, reason: 'sale' };
    expectError(await api(json('POST', '/stock/CHAIR-01/movements', 'scanner', much)), 409, 'CONFLICT');
    const bad = await api(json('POST', '/stock/CHAIR-01/movements', 'scanner', { delta: 'one' }));
    expect(fieldsOf(expectError(bad, 422, 'VALIDATION'))).to.deep.equal(['delta', 'reason']);
  });
}

export function searchTests(api: Api): void {
  it('GET /search finds hits of several kinds', async () => {
    const all = read(await api(json('GET', '/search?q=A', 'viewer')), 200);
    expect(all).to.deep.equal({
      query: 'a',
      count: 6,
      hits: [
        { type: 'customer', id: 2, title: 'Kranich & Söhne', email: 'rechnung@kranich.example' },
        { type: 'customer', id: 3, title: 'Old Mill Theatre', email: 'box@oldmill.example' },
        { type: 'room', id: 'R-101', title: 'Atrium', capacity: 12 },
        { type: 'room', id: 'R-Y1', title: 'Yard', capacity: 40 },
        { type: 'product', id: 'CHAIR-01', title: 'Oak chair', price: '149.00' },
        { type: 'product', id: 'LAMP-02', title: 'Desk lamp', price: '59.90' },
      ],
    });
    const some = readObject(
      await api(json('GET', '/search?q=a&type[]=room&type[]=product&limit=1', 'viewer')),
      200,
    );
    expect(some['hits']).to.have.length(1);
    expectError(await api(json('GET', '/search', 'viewer')), 400, 'BAD_QUERY');
    expectError(await api(json('GET', '/search?q=a', 'nobody')), 401, 'UNAUTHENTICATED');
  });
}
