/** The shop's products, their import as CSV and their images. */

import type { Operations } from '../generated/operations.js';
import type { Deps } from '../legacy-app/app.js';
import { AppError, notFound } from '../legacy-app/errors.js';
import type { Product } from '../legacy-app/types.js';
import { Checks, readSku } from '../legacy-app/validate.js';
import type { Call } from '../part/customers.js';

type Handlers = Pick<
  Operations<Call>,
  'listProducts' | 'importProducts' | 'getProduct' | 'updateProduct' | 'getImage' | 'putImage'
>;

export function productHandlers({ store }: Deps): Handlers {
  function find(sku: string): Product {
    const product = store.products.get(sku);
    if (product === undefined) throw notFound('Product');
    return product;
  }

  return {
    listProducts({ query: { category, tags = [], active } }) {
      const found = [...store.products.values()]
        .filter((each) => category === undefined || each.category === category)
        .filter((each) => tags.every((tag) => each.tags.includes(tag)))
        .filter((each) => active === undefined || String(each.active) === active);
      return { status: 200, body: found };
    },

    importProducts({ body }) {
      const [header = '', ...lines] = body.trim().split(/\r?\n/);
      if (header !== 'sku,name,price,category') throw new AppError(422, 'BAD_HEADER', 'Unknown columns');
      const errors: { line: number; message: string }[] = [];
      const result = { created: 0, updated: 0, errors };
      for (const [index, line] of lines.entries()) {
        const [sku = '', name = '', price = '', category = ''] = line.split(',');
        const checks = new Checks({ sku, name, price, category });
        try {
          readSku(sku, checks);
          checks.price('price');
          checks.text('name');
          checks.done();
          const known = store.products.get(sku);
          store.products.set(sku, { tags: [], active: true, ...known, sku, name, price, category });
          result[known === undefined ? 'created' : 'updated'] += 1;
        } catch {
          errors.push({ line: index + 2, message: `Cannot read ${line}` });
        }
      }
      return { status: 200, body: result };
    },

    getProduct: ({ path }) => ({ status: 200, body: find(path.sku) }),

    updateProduct({ path, body }) {
      const product = find(path.sku);
      const checks = new Checks(body);
      const name = checks.optionalText('name', 120);
      const price = body['price'] === undefined ? undefined : checks.price('price');
      checks.done();
      if (name !== undefined) product.name = name;
      if (price !== undefined) product.price = price;
      if (typeof body['active'] === 'boolean') product.active = body['active'];
      if (body['description'] === null) delete product.description;
      if (body['dimensions'] === null) delete product.dimensions;
      return { status: 200, body: product };
    },

    getImage({ path }) {
      const image = store.images.get(find(path.sku).sku);
      if (image === undefined) throw notFound('Image');
      return { status: 200, contentType: image.type, body: image.content };
    },

    putImage({ path, contentType, body }) {
      const { sku } = find(path.sku);
      store.images.set(sku, { type: contentType, content: Buffer.from(body) });
      return { status: 204 };
    },
  };
}
