/** The operations of products and of their categories. */
import type { components } from '../../../generated/openapi.js';
import type { CreateProductRequest, ReplaceProductRequest } from '../../../generated/operations.js';
import { allRead, readElsewhere, complete, withoutReadOnly } from '../model/fields.js';
import { decimalOf, type Category, type Product } from '../model/product.js';
import { readFields, showing } from '../model/stored.js';
import type { ProductInput, ProductPatch } from '../services/products/products.js';
import { mergePatch } from '../services/writes/stored-changes.js';
import { callerFrom } from '../services/rights/caller.js';
import type { Services } from '../services/services.js';
import {
  type SomeOperations,
  collection,
  conditional,
  listed,
  replayed,
  entityTag,
  writeCondition,
} from './answers.js';
import { reads } from './own-fields.js';

type Schemas = components['schemas'];

export function productOperations({ products, ownFields }: Services) {
  const record = showing(ownFields, 'Product', productRecord);
  const category = showing(ownFields, 'Category', categoryRecord);
  return {
    async listProducts({ query: { page, limit, envelope, ...query }, ...others }, { caller, request }) {
      allRead(query, others);
      const found = await products.list(
        caller,
        { page, limit },
        readFields(ownFields, reads.listProducts, query),
      );
      return collection('Product', found, { page, limit, envelope }, request, record);
    },

    async createProduct(
      { headers: { 'Idempotency-Key': key, ...headers }, body, ...others },
      { caller, mediaType },
    ) {
      allRead(headers, others);
      const input = productInput(body, readFields(ownFields, reads.createProduct, body));
      const { record: product, isReplay } = await products.createOnce(caller, input, key);
      const tags = { Location: `/api/products/${product.id}`, ETag: entityTag(product.version, mediaType) };
      return { status: 201, headers: { ...tags, ...replayed(isReplay) }, body: record(product) };
    },

    async getProduct(
      { path: { id, ...path }, headers: { 'If-None-Match': ifNoneMatch, ...headers }, ...others },
      { caller, mediaType },
    ) {
      allRead(path, headers, others);
      const product = await products.get(caller, id);
      return conditional(ifNoneMatch, entityTag(product.version, mediaType), record(product));
    },

    async replaceProduct({ path: { id, ...path }, headers, body, ...others }, { caller, mediaType }) {
      allRead(path, others);
      const values = readFields(ownFields, reads.replaceProduct, body);
      const input = productInput(withoutReadOnly(body, ...readOnly), values);
      const product = await products.replace(caller, id, input, writeCondition(headers));
      const tag = { ETag: entityTag(product.version, mediaType) };
      return { status: 200, headers: tag, body: record(product) };
    },

    async updateProduct(
      { path: { id, ...path }, headers, contentType, body, ...others },
      { caller, mediaType },
    ) {
      allRead(path, others);
      readElsewhere({ contentType });
      const values = readFields(ownFields, reads.updateProduct, body);
      const { name, description, price, ...fields } = withoutReadOnly(body, ...readOnly);
      allRead(fields);
      const stored = mergePatch(ownFields, 'Product', values);
      const patch = complete<ProductPatch>({ name, description, price, stored });
      const product = await products.update(caller, id, patch, writeCondition(headers));
      const tag = { ETag: entityTag(product.version, mediaType) };
      return { status: 200, headers: tag, body: record(product) };
    },

    async deleteProduct({ path: { id, ...path }, headers, ...others }, { caller, request }) {
      allRead(path, others);
      await products.delete(callerFrom(caller, request.address), id, writeCondition(headers));
      return { status: 204 };
    },

    async listProductCategories(
      { path: { id, ...path }, query: { page, limit, ...query }, ...others },
      { caller, request },
    ) {
      allRead(path, query, others);
      return listed(await products.listCategories(caller, id, { page, limit }), request, category);
    },

    async replaceProductCategories({ path: { id, ...path }, body, ...others }, { caller }) {
      allRead(path, others);
      const names = body.map((each) => {
        const { name, ...others } = withoutReadOnly(each, 'id');
        allRead(others);
        return name;
      });
      const values =
        ownFields?.Category &&
        body.map((each) => readFields(ownFields, reads.replaceProductCategories, each));
      const categories = await products.replaceCategories(caller, id, names, values);
      return { status: 200, body: categories.map((each) => category(each)) };
    },
  } satisfies SomeOperations;
}

/** The read-only fields that a replacement or a patch may send back. */
const readOnly = ['id', 'links'] as const;

/** The fields of both operations, so that a new field of either must be read. */
type ProductFields = CreateProductRequest['body'] &
  Omit<ReplaceProductRequest['body'], (typeof readOnly)[number]>;

function productInput(body: ProductFields, stored: Product['stored']): ProductInput {
  const { name, description, price, ...others } = body;
  allRead(others);
  return complete<ProductInput>({ name, description, price, stored });
}

export function productRecord({ id, name, description, priceCents }: Product): Schemas['Product'] {
  return complete<Schemas['Product']>({
    id,
    name,
    description,
    price: decimalOf(priceCents),
    links: { categories: `/api/products/${id}/categories` },
  });
}

export function categoryRecord({ id, name }: Category): Schemas['Category'] {
  return complete<Schemas['Category']>({ id, name });
}
