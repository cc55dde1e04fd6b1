/** Tests the use cases around products and categories. */
import { expect } from 'chai';
import { anonymous } from '../../../../src/core/services/rights/caller.js';
import {
  ada,
  apiKey,
  forbidden,
  openFixture,
  protectedFixture,
  refused,
  root,
  unauthenticated,
} from '../fixture.js';

const shears = { name: 'Garden shears', description: 'Forged steel', price: 24.5 };

describe('ProductsService', () => {
  it('creates, with the price in whole cents', async () => {
    const { products } = (await openFixture()).services;
    const product = await products.create(anonymous, shears);
    expect(product).to.deep.equal({
      id: '1',
      name: shears.name,
      description: shears.description,
      priceCents: 2450,
      version: 1,
    });
    expect(await products.get(anonymous, '1')).to.deep.equal(product);
    expect(
      await products.create(anonymous, { description: undefined, name: 'Plain', price: 0 }),
    ).to.deep.equal({
      id: '2',
      name: 'Plain',
      description: undefined,
      priceCents: 0,
      version: 1,
    });
  });

  it('replaces all fields, and checks the version', async () => {
    const { products } = (await openFixture()).services;
    await products.create(anonymous, shears);
    await refused(
      products.replace(anonymous, '1', shears, { ifVersion: [2] }),
      'precondition-failed',
      /^Product has changed/,
    );
    const replaced = await products.replace(
      anonymous,
      '1',
      { description: undefined, name: 'New', price: 1 },
      { ifVersion: [1] },
    );
    expect(replaced).to.deep.equal({
      id: '1',
      name: 'New',
      description: undefined,
      priceCents: 100,
      version: 2,
    });
    await refused(products.delete(anonymous, '1', { ifVersion: [1] }), 'precondition-failed');
    await products.delete(anonymous, '1', { ifVersion: [2] });
    for (const gone of [
      products.get(anonymous, '1'),
      products.replace(anonymous, '1', shears),
      products.replace(anonymous, '1', shears, { ifVersion: [2] }),
      products.delete(anonymous, '1'),
      products.listCategories(anonymous, '1'),
      products.replaceCategories(anonymous, '1', []),
    ]) {
      await refused(gone, 'not-found', 'Product not found');
    }
  });

  it('checks the bounds, and names the field', async () => {
    const { products } = (await openFixture()).services;
    for (const [bad, place] of [
      [{ name: '' }, 'name'],
      [{ name: 'x'.repeat(201) }, 'name'],
      [{ description: 'x'.repeat(5_001) }, 'description'],
      [{ price: -1 }, 'price'],
      [{ price: 1_000_000.01 }, 'price'],
      [{ price: 0.001 }, 'price'],
    ] as const) {
      await refused(
        products.create(anonymous, { ...shears, ...bad }),
        'invalid-input',
        new RegExp(`^${place} must`),
      );
    }
    expect(await products.create(anonymous, { ...shears, description: '' })).to.include({ description: '' });
  });

  it('lists the first hundred, or a page', async () => {
    const { products } = (await openFixture()).services;
    for (let number = 0; number < 12; number++)
      await products.create(anonymous, { ...shears, name: `P${number}` });
    expect((await products.list(anonymous)).pagination).to.include({ limit: 100, total: 12 });
    const page = await products.list(anonymous, { page: 2, limit: 5 });
    expect(page.data.map(({ id }) => id)).to.deep.equal(['6', '7', '8', '9', '10']);
  });

  it('sets the categories of a product by name, and pages them', async () => {
    const { products } = (await openFixture()).services;
    await products.create(anonymous, shears);
    await products.create(anonymous, shears);
    const set = await products.replaceCategories(anonymous, '1', ['Tools', 'Garden']);
    expect(set).to.deep.equal([
      { id: '1', name: 'Tools' },
      { id: '2', name: 'Garden' },
    ]);
    const other = await products.replaceCategories(anonymous, '2', ['New', 'Garden']);
    expect(other).to.deep.equal([
      { id: '2', name: 'Garden' },
      { id: '3', name: 'New' },
    ]);
    expect((await products.listCategories(anonymous, '1')).data).to.deep.equal(set);
    const page = await products.listCategories(anonymous, '1', { page: 2, limit: 1 });
    expect(page.data).to.deep.equal([set[1]]);
    expect(page.pagination).to.include({ total: 2, totalPages: 2, hasNext: false, hasPrev: true });

    const tooMany = Array.from({ length: 101 }, (_, index) => `C${index}`);
    expect(await products.replaceCategories(anonymous, '2', tooMany.slice(1))).to.have.lengthOf(100);
    for (const names of [['A', 'A'], [''], ['x'.repeat(101)], tooMany]) {
      await refused(products.replaceCategories(anonymous, '1', names), 'invalid-input');
    }
    expect(
      (await products.listCategories(anonymous, '1')).data,
      'what was refused changed nothing',
    ).to.deep.equal(set);
  });

  it('lets everybody read and only admins write under protected', async () => {
    const { products } = (await protectedFixture()).services;
    await products.create(root, shears);
    await products.replaceCategories(root, '1', ['Garden']);
    for (const caller of [anonymous, ada, apiKey]) {
      expect((await products.list(caller)).data).to.have.length(1);
      expect(await products.get(caller, '1')).to.include({ id: '1' });
      expect((await products.listCategories(caller, '1')).data).to.have.length(1);
      const refusal = caller === anonymous ? unauthenticated : forbidden;
      await refusal(products.create(caller, shears));
      await refusal(products.replace(caller, '1', shears));
      await refusal(products.delete(caller, '1'));
      await refusal(products.replaceCategories(caller, '1', []));
    }
  });
});
