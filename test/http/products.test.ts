/** Products and their categories over HTTP. */

import { expect } from 'chai';
import { onEveryStore } from '../support/stores.js';

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
});
