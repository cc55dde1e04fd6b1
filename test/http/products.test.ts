/** Products and their categories over HTTP. */

import { expect } from 'chai';
import { onEveryStore } from '../support/stores.js';
import { expectError, expectErrorAbout } from './user-requests.js';

interface ProductRecord {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly price: number;
  readonly links: { readonly categories: string };
}

onEveryStore('products', (service) => {
  const create = async (fields: Readonly<Record<string, unknown>> = {}): Promise<ProductRecord> => {
    const answer = await service.post('/api/products', { name: 'Shears', price: 24.5, ...fields });
    expect(answer.status, answer.text).to.equal(201);
    return answer.body as ProductRecord;
  };
  const names = (body: unknown): string[] => (body as { name: string }[]).map(({ name }) => name);

  it('are created, read, replaced and deleted', async () => {
    const product = await create({ description: 'For hedges.' });
    const path = `/api/products/${product.id}`;
    expect(product).to.deep.equal({
      id: product.id,
      name: 'Shears',
      description: 'For hedges.',
      price: 24.5,
      links: { categories: `${path}/categories` },
    });
    expect((await service.get(path)).body).to.deep.equal(product);
    const replaced = await service.put(path, { name: 'Scissors', price: 3 });
    expect(replaced.body).to.deep.equal({ id: product.id, name: 'Scissors', price: 3, links: product.links });
    expect((await service.delete(path)).status).to.equal(204);
    expectError(await service.get(path), 404, 'Product not found');
    expectError(await service.put(path, { name: 'x', price: 1 }), 404, 'Product not found');
  });

  it('accept prices from 0 to 1,000,000 with at most two decimals', async () => {
    for (const price of [0, 0.01, 0.07, 19.99, 1_000_000])
      expect((await create({ price })).price).to.equal(price);
    for (const price of [-0.01, 1_000_000.01, 0.001, 19.999, '1', null]) {
      expectErrorAbout(await service.post('/api/products', { name: 'x', price }), 400, 'body/price');
    }
  });

  it('answer conditional requests', async () => {
    const { id } = await create();
    const path = `/api/products/${id}`;
    const etag = (await service.get(path)).headers.etag ?? '';
    expect((await service.get(path, { 'if-none-match': etag })).status).to.equal(304);
    await service.put(path, { name: 'Scissors', price: 3 });
    expect((await service.get(path, { 'if-none-match': etag })).status).to.equal(200);
    expect((await service.put(path, { name: 'x', price: 1 }, { 'if-match': etag })).status).to.equal(412);
    expect((await service.delete(path, { 'if-match': etag })).status).to.equal(412);
    const any = { 'if-none-match': '*' };
    expect((await service.put(path, { name: 'x', price: 1 }, any)).status).to.equal(412);
    expect((await service.delete(path, any)).status).to.equal(412);
    expect((await service.delete(path, { 'if-none-match': etag })).status).to.equal(204);
  });

  it('are in exactly the given categories, each created once', async () => {
    const [first, second] = [await create(), await create()];
    const put = (id: string, categories: readonly string[]) =>
      service.put(
        `/api/products/${id}/categories`,
        categories.map((name) => ({ name })),
      );
    const garden = (await put(first.id, ['Garden', 'Tools'])).body as { id: string }[];
    expect(names(garden)).to.have.members(['Garden', 'Tools']);
    expect((await put(second.id, ['Garden'])).body).to.deep.equal(garden.slice(0, 1));
    await put(first.id, ['Tools', 'New']);
    expect(names((await service.get(`/api/products/${first.id}/categories`)).body)).to.have.members([
      'Tools',
      'New',
    ]);
    expect(names((await service.get(`/api/products/${second.id}/categories`)).body)).to.deep.equal([
      'Garden',
    ]);
    await put(first.id, []);
    expect((await service.get(`/api/products/${first.id}/categories`)).body).to.deep.equal([]);
  });

  it('refuse invalid categories', async () => {
    const { id } = await create();
    const path = `/api/products/${id}/categories`;
    for (const body of [
      [{ name: 'A' }, { name: 'A' }],
      [{ name: '' }],
      [{}],
      {},
      ['A'],
      [{ name: 'A', price: 1 }],
    ]) {
      expect((await service.put(path, body)).status, JSON.stringify(body)).to.equal(400);
    }
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ name: `C${String(index)}` }));
    expect((await service.put(path, many(101))).status).to.equal(400);
    expect((await service.put(path, many(100))).status).to.equal(200);
    expectError(await service.put('/api/products/999999/categories', []), 404, 'Product not found');
    expectError(await service.get('/api/products/999999/categories'), 404, 'Product not found');
  });

  it('page like users, by offset', async () => {
    await create();
    const { total, data } = (await service.get('/api/products')).body as {
      total: number;
      data: ProductRecord[];
    };
    expect(data).to.have.length(total);
    const page = await service.get('/api/products?page=2&limit=1');
    expect(page.body).to.deep.equal({
      data: [data[1]],
      pagination: { page: 2, limit: 1, total, totalPages: total, hasNext: true, hasPrev: true },
    });
    expect(page.headers).not.to.have.property('link');
    const list = await service.get('/api/products?envelope=false&limit=2');
    expect(list.body).to.deep.equal(data.slice(0, 2));
    expect(list.headers).to.include({ 'x-total-count': String(total), 'x-page': '1', 'x-per-page': '2' });
  });
});
