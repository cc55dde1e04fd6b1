/** The checks of a product store. */
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { parseId } from '../../model/id.js';
import { defaultFeedLimit, defaultLimit, maxLimit } from '../../model/page.js';
import type { Category, Product } from '../../model/product.js';
import type { NewProduct } from '../../ports/product-store.js';
import type { Stores } from '../../ports/storage.js';
import { storeChecks, type Table } from '../check.js';
import { recordChecks } from '../every-store.js';
import { finds, lists, overwritten } from '../reads.js';
import { atOnce, idsOf, inTurn, oneWinner, start, taken } from '../samples.js';

type Products = Pick<Stores, 'products'>;

const shears = { name: 'Garden shears 💡', description: 'Forged\r\nsteel', priceCents: 2450 };
const rake = { name: 'Rake', description: undefined, priceCents: 5 };
const unchanged = { name: undefined, description: undefined, priceCents: undefined };
/** All fields as a change. */
const whole = (product: NewProduct) => ({ ...product, description: product.description ?? null });

function reads({ products }: Products, all: readonly Product[], gone: readonly Product[] = []): Table {
  const asked = [...all, ...gone, ...all];
  return [
    ...lists({ list: (slice) => products.list(slice), count: () => products.count() }, all),
    ...finds(products, all, gone),
    [
      () => products.findMany(idsOf(asked)),
      asked.map((product) => (gone.includes(product) ? undefined : product)),
    ],
  ];
}

/** A product is created with these fields, and is then given exactly so. */
const keeps =
  (fields: NewProduct) =>
  async (storage: Products): Promise<Table> => {
    const other = await storage.products.create({ ...rake, name: 'Other', description: 'Another' });
    const product = await storage.products.create(fields);
    assert.equal(parseId(product.id), product.id);
    assert.deepEqual(product, { ...fields, id: product.id, version: 1 });
    return reads(storage, [other, product]);
  };

export const productChecks = [
  ...recordChecks<'products', Product>({
    prefix: 'products',
    noun: 'product',
    stores: ['products'],
    create: ({ products }, number, stored) =>
      products.create({ name: `P${number}`, description: `D${number}`, priceCents: number, stored }),
    writes: [({ products }, { id }) => products.update(id, whole(rake))],
    removals: {
      'products-delete: a deleted product is gone from everything, and its id is not used again': (
        { products },
        { id, version },
      ) => products.delete(id, version),
    },
    reads,
    filtered: async ({ products }, stored) => [
      await products.list(start, stored),
      await products.count(stored),
    ],
    unknown: ({ products }, id) => [
      [() => products.find(id), undefined],
      [() => products.findMany([id]), [undefined]],
      [() => products.update(id, shears), 'not-found'],
      [() => products.delete(id), 'not-found'],
      [() => products.listCategories(id), 'not-found'],
      [() => products.setCategories(id, ['Garden']), 'not-found'],
    ],
  }),

  ...storeChecks(['products'], {
    'products-create: create gives back the product with id and version 1': keeps(shears),

    'products-plain: a description that was not given is undefined': keeps({
      ...rake,
      priceCents: 1_000_000_00,
    }),

    'products-empty: an empty text is not an absent one': keeps({
      name: 'Empty',
      description: '',
      priceCents: 0,
    }),

    'products-limits: a page has as many records as were asked for, and as there are': async ({
      products,
    }) => {
      const most = maxLimit + 2;
      const all = await inTurn(most, () => products.create(shears));
      // Stores prepare queries for the usual limits.
      const usual = [defaultLimit, defaultFeedLimit, maxLimit].flatMap((limit) => [
        limit - 1,
        limit,
        limit + 1,
      ]);
      return [1, ...usual, most].flatMap((limit): Table => [
        [() => products.list({ offset: 0, limit }), all.slice(0, limit)],
        [() => products.list({ after: all[0]?.id, limit }), all.slice(1, limit + 1)],
      ]);
    },

    'products-update: update writes the given fields, clears a description that is null, and compares the version':
      async (storage) => {
        const { products } = storage;
        const { id } = await products.create(shears);
        const categories = await products.setCategories(id, ['Garden']);
        const replaced = { ...rake, id, version: 2 };
        return [
          [() => products.update(id, whole(rake), 1), replaced],
          [() => products.update(id, shears, 1), 'stale'],
          [() => products.delete(id, 1), 'stale'],
          ...reads(storage, [replaced]),
          [
            () => products.update(id, { ...unchanged, priceCents: 0 }, 2),
            { ...replaced, priceCents: 0, version: 3 },
          ],
          [
            () => products.update(id, { ...unchanged, description: '' }),
            { ...rake, id, description: '', priceCents: 0, version: 4 },
          ],
          [
            () => products.update(id, { ...unchanged, name: 'A' }),
            { id, name: 'A', description: '', priceCents: 0, version: 5 },
          ],
          [() => products.listCategories(id), categories],
        ];
      },

    'products-categories: setCategories replaces, reuses by name, and answers ascending by id': async ({
      products,
    }) => {
      const [a, b] = [await products.create(shears), await products.create(shears)];
      assert.deepEqual(await products.listCategories(a.id), []);
      const ofA = taken(await products.setCategories(a.id, ['Tools', 'Garden', 'garden']));
      const ofB = taken(await products.setCategories(b.id, ['Garden', 'New']));
      const named = (categories: readonly Category[], name: string) =>
        categories.find((each) => each.name === name);
      for (const { id } of [...ofA, ...ofB]) assert.equal(parseId(id), id);
      for (const all of [ofA, ofB])
        assert.deepEqual(
          all,
          all.toSorted((x, y) => Number(x.id) - Number(y.id)),
        );
      const garden = named(ofA, 'Garden');
      return [
        // Names differ by case.
        [() => ofA.map(({ name }) => name).sort(), ['Garden', 'Tools', 'garden']],
        [() => ofB.map(({ name }) => name).sort(), ['Garden', 'New']],
        [() => named(ofB, 'Garden'), garden],
        [() => products.listCategories(a.id), ofA],
        [() => products.setCategories(a.id, ['Garden']), [garden]],
        [() => products.listCategories(a.id), [garden]],
        [() => products.listCategories(b.id), ofB],
        [() => products.setCategories(a.id, []), []],
        [() => products.listCategories(a.id), []],
        // Categories are no part of the product.
        [() => products.find(a.id), a],
        // They stay when their products are deleted.
        [() => products.delete(b.id), 'deleted'],
        [() => products.setCategories(a.id, ['Garden']), [garden]],
      ];
    },

    'products-immutable-categories: changes to returned categories do not reach the store': async ({
      products,
    }) => {
      const { id } = await products.create(shears);
      const categories = taken(await products.setCategories(id, ['Garden']));
      return await overwritten(categories, (before) => [[() => products.listCategories(id), before]]);
    },

    'products-race-categories: of new categories of one name at once, one is made': async ({ products }) => {
      const made = await inTurn(8, () => products.create(shears));
      const lists = await Promise.all(made.map(({ id }) => products.setCategories(id, ['Garden', 'Tools'])));
      return made.map(({ id }) => [() => products.listCategories(id), lists[0]]);
    },

    'products-race-set: of categories set on one product at once, one whole set stays': async ({
      products,
    }) => {
      const { id } = await products.create(shears);
      const sets = await atOnce(8, (writer) =>
        products.setCategories(id, [`A${writer}`, `B${writer}`, 'Common']),
      );
      const left = await products.listCategories(id);
      assert.ok(
        sets.some((set) => isDeepStrictEqual(set, left)),
        JSON.stringify(left),
      );
    },

    'products-race-version: of writes on the same version at once, exactly one wins': async (storage) => {
      const { id } = await storage.products.create(shears);
      const replace = (writer: number) => storage.products.update(id, { ...shears, name: `${writer}` }, 1);
      return reads(storage, [oneWinner(await atOnce(8, replace), 'stale')]);
    },
  }),
];
