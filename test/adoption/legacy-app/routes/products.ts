/** The shop's products, their import as CSV and their images. */

import { Router } from '@koa/router';
import type { Deps } from '../app.js';
import { requireRole } from '../auth.js';
import { AppError, notFound } from '../errors.js';
import type { AppContext, AppState, Product } from '../types.js';
import { Checks, bodyOf, queryText, readSku } from '../validate.js';

const maximalImage = 512 * 1024;

export function productRoutes({ store }: Deps): Router<AppState, AppContext> {
  const router = new Router<AppState, AppContext>({ prefix: '/products' });

  function find(sku: string | undefined): Product {
    const product = store.products.get(sku ?? '');
    if (product === undefined) throw notFound('Product');
    return product;
  }

  router.get('/', (ctx) => {
    const category = queryText(ctx, 'category');
    const tags = queryText(ctx, 'tags')?.split(',') ?? [];
    const isActive = queryText(ctx, 'active');
    ctx.body = [...store.products.values()]
      .filter((each) => category === undefined || each.category === category)
      .filter((each) => tags.every((tag) => each.tags.includes(tag)))
      .filter(({ active }) => isActive === undefined || String(active) === isActive);
  });

  // Lines of `sku,name,price,category`.
  router.post('/import', requireRole('staff'), (ctx) => {
    if (ctx.request.is('text/csv') !== 'text/csv') {
      throw new AppError(415, 'UNSUPPORTED_MEDIA_TYPE', 'Send text/csv');
    }
    const text = ctx.request.body as string;
    const [header = '', ...lines] = text.trim().split(/\r?\n/);
    if (header !== 'sku,name,price,category') throw new AppError(422, 'BAD_HEADER', 'Unknown columns');
    const result = { created: 0, updated: 0, errors: [] as { line: number; message: string }[] };
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
        result.errors.push({ line: index + 2, message: `Cannot read ${line}` });
      }
    }
    ctx.body = result;
  });

  router.get('/:sku', (ctx) => {
    ctx.body = find(ctx.params['sku']);
  });

  // A merge patch (RFC 7396): null takes a member away.
  router.patch('/:sku', requireRole('staff'), (ctx) => {
    const product = find(ctx.params['sku']);
    const fields = bodyOf(ctx);
    const checks = new Checks(fields);
    const name = checks.optionalText('name', 120);
    const price = fields['price'] === undefined ? undefined : checks.price('price');
    checks.done();
    if (name !== undefined) product.name = name;
    if (price !== undefined) product.price = price;
    if (typeof fields['active'] === 'boolean') product.active = fields['active'];
    if (fields['description'] === null) delete product.description;
    if (fields['dimensions'] === null) delete product.dimensions;
    ctx.body = product;
  });

  router.put('/:sku/image', requireRole('staff'), async (ctx) => {
    const { sku } = find(ctx.params['sku']);
    const type = ctx.request.is('image/png', 'image/jpeg');
    if (typeof type !== 'string') throw new AppError(415, 'UNSUPPORTED_MEDIA_TYPE', 'Send a PNG or a JPEG');
    const pieces: Buffer[] = [];
    let size = 0;
    for await (const piece of ctx.req as AsyncIterable<Buffer>) {
      size += piece.length;
      if (size > maximalImage) throw new AppError(413, 'TOO_LARGE', 'The image is too large');
      pieces.push(piece);
    }
    store.images.set(sku, { type, content: Buffer.concat(pieces) });
    ctx.status = 204;
  });

  router.get('/:sku/image', (ctx) => {
    const image = store.images.get(find(ctx.params['sku']).sku);
    if (image === undefined) throw notFound('Image');
    ctx.type = image.type;
    ctx.body = image.content;
  });

  return router;
}
