/** The product operations, and those of a product's categories. */

import type { components } from '../../../generated/openapi.js';
import type { Operations } from '../../../generated/operations.js';
import type { CallContext } from 'concordat';
import { decimalOf } from '../model/money.js';
import type { Category, Product } from '../model/product.js';
import type { Caller } from '../services/caller.js';
import type { Services } from '../services/services.js';
import { conditional, listed } from './answers.js';
import { entityTag, writeCondition } from './etag.js';

type Schemas = components['schemas'];

type ProductOperations = Pick<
  Operations<CallContext<Caller>>,
  | 'listProducts'
  | 'createProduct'
  | 'getProduct'
  | 'replaceProduct'
  | 'deleteProduct'
  | 'listProductCategories'
  | 'replaceProductCategories'
>;

export function productOperations({ products }: Services): ProductOperations {
  return {
    async listProducts({ query }, { caller, request }) {
      const page = await products.list(caller, query);
      if (!query.envelope) return { ...listed(page, request, productRecord), schema: 'ProductList' };
      const data = page.data.map(productRecord);
      if (query.page === undefined && query.limit === undefined) {
        return { status: 200, schema: 'ProductCollection', body: { data, total: page.pagination.total } };
      }
      return { status: 200, schema: 'ProductOffsetPage', body: { data, pagination: page.pagination } };
    },

    async createProduct({ body }, { caller, mediaType }) {
      const product = await products.create(caller, body);
      const headers = {
        Location: `/api/products/${product.id}`,
        ETag: entityTag(product.version, mediaType),
      };
      return { status: 201, headers, body: productRecord(product) };
    },

    async getProduct({ path, headers }, { caller, mediaType }) {
      const product = await products.get(caller, path.id);
      return conditional(
        headers['If-None-Match'],
        entityTag(product.version, mediaType),
        productRecord(product),
      );
    },

    async replaceProduct({ path, headers, body }, { caller, mediaType }) {
      const product = await products.replace(caller, path.id, body, writeCondition(headers['If-Match']));
      const tag = { ETag: entityTag(product.version, mediaType) };
      return { status: 200, headers: tag, body: productRecord(product) };
    },

    async deleteProduct({ path, headers }, { caller }) {
      await products.delete(caller, path.id, writeCondition(headers['If-Match']));
      return { status: 204 };
    },

    async listProductCategories({ path, query }, { caller, request }) {
      return listed(await products.listCategories(caller, path.id, query), request, categoryRecord);
    },

    async replaceProductCategories({ path, body }, { caller }) {
      const names = body.map(({ name }) => name);
      const categories = await products.replaceCategories(caller, path.id, names);
      return { status: 200, body: categories.map(categoryRecord) };
    },
  };
}

function productRecord({ id, name, description, priceCents }: Product): Schemas['Product'] {
  return {
    id,
    name,
    ...(description !== undefined && { description }),
    price: decimalOf(priceCents),
    links: { categories: `/api/products/${id}/categories` },
  };
}

function categoryRecord({ id, name }: Category): Schemas['Category'] {
  return { id, name };
}
