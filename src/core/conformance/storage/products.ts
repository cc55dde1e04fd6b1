/** The checks of a product store. */
import assert from 'node:assert/strict';
import { parseId } from '../../model/id.js';
import { defaultFeedLimit, defaultLimit, maxLimit } from '../../model/page.js';
import type { ProductStore } from '../../ports/product-store.js';
import { storeChecks } from '../check.js';
import { ascending, atOnce, idsOf, inTurn, listsOnly, oddIds, start, taken, winners } from '../samples.js';

/** The names of a product's categories, sorted. */
async function namesOf(products: ProductStore, id: string): Promise<readonly string[]> {
  return taken(await products.listCategories(id))
    .map(({ name }) => name)
    .sort();
}

const shears = { name: 'Garden shears 💡', description: 'Forged\r\nsteel', priceCents: 2450 };

export const productChecks = storeChecks(['products'], {
  'products-create: create gives back the product with id and version 1': async ({ products }) => {
    const product = await products.create(shears);
    assert.deepEqual(product, { ...shears, id: product.id, version: 1 });
    assert.equal(parseId(product.id), product.id);
    assert.deepEqual(await products.find(product.id), product);
    const fields = { name: 'Plain', description: undefined, priceCents: 1_000_000_00 };
    const plain = await products.create(fields);
    assert.deepEqual(await products.find(plain.id), { ...fields, id: plain.id, version: 1 });
    const empty = await products.create({ name: 'Empty', description: '', priceCents: 0 });
    assert.equal((await products.find(empty.id))?.description, '', 'an empty text is not an absent one');
  },

  'products-odd-ids: a text that is not an id is not found': async ({ products }) => {
    await products.create(shears);
    for (const id of oddIds) {
      assert.equal(await products.find(id), undefined);
      assert.equal(await products.replace(id, shears), 'not-found');
      assert.equal(await products.delete(id), 'not-found');
      assert.equal(await products.listCategories(id), 'not-found');
      assert.equal(await products.setCategories(id, ['Garden']), 'not-found');
    }
    assert.deepEqual(
      await products.findMany(oddIds),
      oddIds.map(() => undefined),
    );
  },

  'products-list: lists, counts and findMany keep their order': async ({ products }) => {
    const all = await inTurn(12, (number) =>
      products.create({ description: undefined, name: `P${number}`, priceCents: number }),
    );
    await listsOnly(
      all,
      (slice) => products.list(slice),
      () => products.count(),
    );
    const [one, two] = all as [(typeof all)[0], (typeof all)[0]];
    assert.deepEqual(await products.findMany([two.id, '0', one.id, two.id]), [two, undefined, one, two]);
    await products.delete(one.id);
    assert.deepEqual(await products.list(start), all.slice(1));
    assert.equal(await products.count(), 11);
  },

  'products-limits: a page has as many records as were asked for, and as there are': async ({ products }) => {
    const most = maxLimit + 2;
    const ids = idsOf(await inTurn(most, () => products.create(shears)));
    const [first = ''] = ids;
    // Stores prepare queries for the usual limits.
    const usual = [defaultLimit, defaultFeedLimit, maxLimit];
    for (const limit of [1, ...usual.flatMap((each) => [each - 1, each, each + 1]), most]) {
      const page = await products.list({ offset: 0, limit });
      assert.deepEqual(idsOf(page), ids.slice(0, limit), `limit ${limit}`);
      const next = await products.list({ after: first, limit });
      assert.deepEqual(idsOf(next), ids.slice(1, limit + 1), `limit ${limit} after the first`);
    }
  },

  'products-replace: replace writes all fields, clears absent ones, and compares the version': async ({
    products,
  }) => {
    const { id } = await products.create(shears);
    await products.setCategories(id, ['Garden']);
    const fields = { name: 'New', description: undefined, priceCents: 5 };
    const replaced = taken(await products.replace(id, fields, 1));
    assert.deepEqual(replaced, { ...fields, id, version: 2 });
    assert.equal(await products.replace(id, shears, 1), 'stale');
    assert.equal(await products.delete(id, 1), 'stale');
    assert.deepEqual(await products.find(id), replaced);
    assert.deepEqual(await namesOf(products, id), ['Garden'], 'categories stay');
  },

  'products-delete: a deleted product is gone, and its categories stay': async ({ products }) => {
    const [first, second] = [await products.create(shears), await products.create(shears)];
    const [garden] = taken(await products.setCategories(first.id, ['Garden']));
    assert.equal(await products.delete(first.id, 1), 'deleted');
    assert.equal(await products.delete(first.id), 'not-found');
    assert.equal(await products.find(first.id), undefined);
    assert.equal(await products.listCategories(first.id), 'not-found');
    assert.deepEqual(await products.setCategories(second.id, ['Garden']), [garden]);
    const next = await products.create(shears);
    assert.ok(BigInt(next.id) > BigInt(second.id), 'ids grow');
  },

  'products-categories: setCategories replaces, reuses by name, and answers ascending by id': async ({
    products,
  }) => {
    const a = await products.create(shears);
    const b = await products.create(shears);
    assert.deepEqual(await products.listCategories(a.id), []);
    const first = taken(await products.setCategories(a.id, ['Tools', 'Garden', 'garden']));
    assert.deepEqual(await namesOf(products, a.id), ['Garden', 'Tools', 'garden'], 'names differ by case');
    assert.deepEqual(idsOf(first), ascending(idsOf(first)));
    for (const { id } of first) assert.equal(parseId(id), id);
    assert.deepEqual(await products.listCategories(a.id), first);

    const garden = first.find(({ name }) => name === 'Garden');
    const second = taken(await products.setCategories(b.id, ['Garden', 'New']));
    assert.ok(idsOf(second).includes(garden?.id ?? ''), 'a category is used again');
    assert.deepEqual(await products.setCategories(a.id, ['Garden']), [garden]);
    assert.deepEqual(await products.listCategories(a.id), [garden]);
    assert.deepEqual(await products.listCategories(b.id), second, 'the other product is untouched');
    assert.deepEqual(await products.setCategories(a.id, []), []);
    assert.equal((await products.find(a.id))?.version, 1, 'categories are no part of the product');
  },

  'products-immutable: changes to a returned product or category do not reach the store': async ({
    products,
  }) => {
    const product = await products.create(shears);
    const before = { ...product };
    Reflect.set(product, 'priceCents', 0);
    const categories = taken(await products.setCategories(product.id, ['Garden']));
    Reflect.set(categories[0] ?? {}, 'name', 'Changed');
    Reflect.set(categories, 'length', 0);
    assert.deepEqual(await products.find(product.id), before);
    assert.deepEqual(await namesOf(products, product.id), ['Garden']);
  },

  'products-race-categories: of new categories of one name at once, one is made': async ({ products }) => {
    const made = await atOnce(8, () => products.create(shears));
    const lists = await Promise.all(made.map(({ id }) => products.setCategories(id, ['Garden', 'Tools'])));
    assert.equal(new Set(lists.flatMap((list) => idsOf(taken(list)))).size, 2);
    for (const list of lists) assert.deepEqual(list, lists[0]);
  },

  'products-race-set: of categories set on one product at once, one whole set stays': async ({
    products,
  }) => {
    const { id } = await products.create(shears);
    const sets = Array.from({ length: 8 }, (_, writer) => [`A${writer}`, `B${writer}`, 'Common']);
    await Promise.all(sets.map((names) => products.setCategories(id, names)));
    const names = (await namesOf(products, id)).join();
    assert.ok(sets.map((set) => set.toSorted().join()).includes(names), names);
  },

  'products-race-version: of writes on the same version at once, exactly one wins': async ({ products }) => {
    const { id } = await products.create(shears);
    const outcomes = await atOnce(8, (writer) => products.replace(id, { ...shears, name: `${writer}` }, 1));
    const [winner, ...others] = winners(outcomes);
    assert.deepEqual(others, []);
    assert.deepEqual(await products.find(id), winner);
  },
});
