/** A server of `market.graphql` that keeps what it is sent, with faults of meaning that a test can switch on one by one. */

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { GraphQLError, buildSchema, execute, parse, validate } from 'graphql';
import type { MarketFault } from './market-faults.js';

const schema = buildSchema(readFileSync('test/tools/verify/planted/market.graphql', 'utf8'));

interface Product {
  readonly id: string;
  readonly shelfId: string;
  readonly name: string;
  readonly price: number;
  readonly stock: number;
  readonly category: string;
  readonly sold: boolean;
  readonly tags: readonly string[];
  readonly note: string | null;
  readonly createdAt: string;
}
interface Shelf {
  readonly id: string;
  readonly name: string;
}
interface Review {
  readonly id: string;
  readonly productId: string;
  readonly stars: number;
  readonly text: string;
}
type ProductInput = Partial<Omit<Product, 'id' | 'createdAt'>> & { readonly name: string };
interface Asked {
  readonly first: number;
  readonly after?: string | null;
  readonly category?: string | null;
  readonly sold?: boolean | null;
  readonly orderBy?: string | null;
}

export class MarketServer {
  #fault: MarketFault | undefined;
  readonly #products = new Map<string, Product>();
  readonly #deleted = new Map<string, Product>();
  readonly #shelves = new Map<string, Shelf>();
  readonly #reviews = new Map<string, Review>();
  #last = 0;
  #server: Server | undefined;

  reset(fault: MarketFault | undefined): void {
    this.#fault = fault;
    for (const each of [this.#products, this.#deleted, this.#shelves, this.#reviews]) each.clear();
    this.#last = 0;
  }

  async start(): Promise<string> {
    this.#server = createServer((request, response) => {
      void (async () => {
        const type = request.headers['content-type'] ?? '';
        const accept = request.headers.accept ?? '*/*';
        const mediaType = accept.includes('graphql-response')
          ? 'application/graphql-response+json'
          : 'application/json';
        const [status, result] = await this.#answer(request.method ?? '', type, await text(request));
        response.writeHead(status, { 'content-type': mediaType }).end(JSON.stringify(result));
      })();
    });
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    const { port } = this.#server.address() as AddressInfo; // it listens on a port
    return `http://127.0.0.1:${String(port)}`;
  }

  stop(): void {
    this.#server?.close();
    this.#server?.closeAllConnections();
  }

  /** @returns the status and the result */
  async #answer(method: string, type: string, body: string): Promise<readonly [number, object]> {
    const refused = (status: number, message: string) => [status, { errors: [{ message }] }] as const;
    if (method !== 'POST') return refused(405, 'send POST');
    if (!/^application\/json\b/i.test(type)) return refused(415, 'send JSON');
    try {
      const given = JSON.parse(body) as Readonly<Record<string, unknown>> | null;
      if (typeof given !== 'object' || given === null) return refused(400, 'send an object');
      const { query, variables, operationName } = given;
      if (typeof query !== 'string' || query === '') return refused(400, 'there is no query');
      if (variables != null && (typeof variables !== 'object' || Array.isArray(variables)))
        return refused(400, 'the variables are no object');
      if (operationName != null && typeof operationName !== 'string')
        return refused(400, 'the name is no text');
      const document = parse(query);
      const [error] = validate(schema, document);
      if (error !== undefined) return refused(400, error.message);
      const { data, errors } = await execute({
        ...{ schema, document, rootValue: this.#root() },
        variableValues: (variables ?? {}) as Record<string, unknown>,
        operationName: operationName ?? null,
      });
      if (data === undefined) return refused(400, errors?.[0]?.message ?? 'nothing was executed');
      if (errors !== undefined) return [200, { data, errors }];
      const isBeside =
        this.#is('an error stands beside the whole data') && data !== null && 'shelves' in data;
      return [200, isBeside ? { data, errors: [{ message: 'oh', path: ['shelves'] }] } : { data }];
    } catch (error) {
      if (error instanceof GraphQLError || error instanceof SyntaxError) return refused(400, 'no document');
      throw error;
    }
  }

  #is(fault: MarketFault): boolean {
    return this.#fault === fault;
  }

  #root() {
    return {
      product: ({ id }: { readonly id: string }) => this.#shown(this.#products.get(id)),
      products: (asked: Asked) => this.#page(asked),
      shelf: ({ id }: { readonly id: string }) => this.#shelf(this.#shelves.get(id)),
      shelves: ({ limit, offset }: { readonly limit: number; readonly offset: number }) =>
        [...this.#shelves.values()]
          .slice(this.#is('offset is ignored') ? 0 : Math.max(0, offset))
          .slice(
            0,
            this.#is('the default of limit is not applied') && limit === 50 ? 1000 : Math.max(0, limit),
          )
          .map((each) => this.#shelf(each)),
      review: ({ id }: { readonly id: string }) => this.#review(this.#reviews.get(id)),
      reviews: ({ productId }: { readonly productId: string }) => this.#reviewsOf(productId),
      createShelf: ({ name }: { readonly name: string }) => {
        const shelf = { id: this.#next(), name };
        this.#shelves.set(shelf.id, shelf);
        return this.#shelf(shelf);
      },
      createProduct: ({ input }: { readonly input: ProductInput }) => this.#create(input),
      updateProduct: (given: { readonly id: string; readonly changes: Partial<Product> }) =>
        this.#update(given),
      deleteProduct: ({ id }: { readonly id: string }) => {
        const product = this.#products.get(id);
        if (product === undefined) return false;
        this.#deleted.set(id, product);
        if (!this.#is('a deletion is not stored')) this.#products.delete(id);
        if (this.#is('a deletion empties the list')) this.#products.clear();
        if (this.#is('an id is used again after a deletion') && Number(id) === this.#last) this.#last -= 1;
        return true;
      },
      createReview: (given: Omit<Review, 'id'>) => {
        if (!this.#products.has(given.productId) && !this.#is('a review of a missing product is created'))
          throw missing();
        const review = { ...given, id: this.#next() };
        this.#reviews.set(review.id, review);
        return this.#review(review);
      },
      deleteReview: ({ id }: { readonly id: string }) => this.#reviews.delete(id),
    };
  }

  #next(): string {
    return String((this.#last += 1));
  }

  #create(input: ProductInput): object {
    if (!this.#shelves.has(input.shelfId ?? '')) throw missing();
    const product: Product = {
      ...{
        id: this.#next(),
        createdAt: '2026-01-01T00:00:00Z',
        shelfId: '',
        price: 0,
        sold: true,
        tags: [],
        note: null,
      },
      ...this.#kept(input),
      stock: this.#is('a default is not applied') && input.stock === 1 ? 7 : (this.#kept(input).stock ?? 1),
      category: input.category ?? 'BOOKS',
      createdAt: this.#is('createdAt is that of yesterday') ? '2025-12-31T00:00:00Z' : '2026-01-01T00:00:00Z',
    };
    if (!this.#is('a creation is not stored')) this.#products.set(product.id, product);
    return this.#shown(product) ?? {};
  }

  /** What is kept of values. */
  #kept<Given extends Partial<Product>>(given: Given): Given {
    const changed = Object.entries(given).flatMap(
      ([name, value]: [string, unknown]): (readonly [string, unknown])[] => {
        if (value === undefined || (value === null && name !== 'note')) return [];
        if (this.#is('0 is dropped') && value === 0 && name === 'stock') return [];
        if (this.#is('false is dropped') && value === false) return [];
        if (this.#is('an empty text is dropped') && value === '')
          return [[name, name === 'note' ? null : 'none']];
        if (this.#is('prices are rounded') && name === 'price')
          return [[name, Math.round(Number(value) * 100) / 100]];
        if (this.#is('a list loses its last item') && Array.isArray(value))
          return [[name, value.length > 1 ? value.slice(0, -1) : value]];
        if (typeof value !== 'string' || !/^(?:name|note)$/.test(name)) return [[name, value]];
        if (this.#is('texts are escaped for HTML'))
          return [[name, value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')]];
        return [[name, this.#is('texts are cut after 20 characters') ? value.slice(0, 20) : value]];
      },
    );
    return Object.fromEntries(changed) as Given;
  }

  #update({ id, changes }: { readonly id: string; readonly changes: Partial<Product> }): object | undefined {
    const old = this.#products.get(id);
    if (old === undefined) throw missing();
    const cleared = this.#is('a change clears the other members') ? { note: null, tags: [] } : {};
    const { note } = changes;
    const own = this.#is('a change ignores null') && note === null ? { ...changes, note: old.note } : changes;
    const product = { ...old, ...cleared, ...this.#kept(own) };
    if (!this.#is('a change is not stored')) this.#products.set(id, product);
    return this.#shown(this.#is('a change answers the old record') ? old : product);
  }

  #page({ first, after, category, sold, orderBy }: Asked): object {
    const isEnum = category != null && !this.#is('a filter by an enum is ignored');
    const isSold = sold != null && !(sold === false && this.#is('a filter by false is ignored'));
    const listed = [
      ...this.#products.values(),
      ...(this.#is('a deleted product is listed') ? this.#deleted.values() : []),
    ];
    const all = this.#is('a created product is not listed') ? listed.slice(0, -1) : listed;
    const found = all
      .filter((each) => !isEnum || each.category === category)
      .filter((each) => !isSold || each.sold === sold)
      .slice(0, this.#is('a filter finds one record only') && (isEnum || isSold) ? 1 : undefined);
    const isDown = orderBy === 'PRICE_DESC' && !this.#is('a descending order ascends');
    const sorted =
      orderBy == null || this.#is('the order is ignored')
        ? found
        : found.toSorted((a, b) => (isDown ? b.price - a.price : a.price - b.price));
    const at =
      after == null || this.#is('after is ignored') ? -1 : sorted.findIndex(({ id }) => id === after);
    const start = at + (this.#is('pages overlap') && at >= 0 ? 0 : 1);
    const more = this.#is('a page has one record too many') ? 1 : 0;
    const size = this.#is('first is ignored') ? sorted.length : Math.max(0, first) + more;
    const page = sorted.slice(start, start + size);
    const hasNext = start + size < sorted.length;
    const total = this.#is('totalCount counts deleted records')
      ? sorted.length + this.#deleted.size
      : sorted.length;
    return {
      edges: page.map((each) => ({
        cursor: each.id,
        node: {
          ...this.#shown(each),
          ...(this.#is('the list shows another price') && { price: each.price + 1 }),
          ...(this.#is('an enum has another value in the list') && each.sold && { category: 'books' }),
        },
      })),
      pageInfo: {
        hasNextPage:
          !this.#is('hasNextPage is always false') && (hasNext || this.#is('hasNextPage is always true')),
        endCursor: page.at(this.#is('endCursor is that of the first record') ? 0 : -1)?.id ?? null,
      },
      totalCount: this.#is('totalCount is the size of the page')
        ? page.length
        : this.#is('totalCount ignores the filter')
          ? listed.length
          : total,
    };
  }

  #shown(product: Product | undefined): object | undefined {
    if (product === undefined) return undefined;
    const shelf = this.#is('a product is on the first shelf')
      ? [...this.#shelves.values()][0]
      : this.#shelves.get(product.shelfId);
    return { ...product, shelf: () => this.#shelf(shelf), reviews: () => this.#reviewsOf(product.id) };
  }

  #shelf(shelf: Shelf | undefined): object | undefined {
    if (shelf === undefined) return undefined;
    const products = (): readonly Product[] =>
      [...this.#products.values()].filter(({ shelfId }) => shelfId === shelf.id);
    const isNull = this.#is('a shelf without products has null for its name') && products().length === 0;
    return {
      ...shelf,
      name: isNull ? null : shelf.name,
      products: () => products().map((each) => this.#shown(each)),
    };
  }

  #review(review: Review | undefined): object | undefined {
    return review && { ...review, product: () => this.#shown(this.#products.get(review.productId)) };
  }

  #reviewsOf(product: string): readonly (object | undefined)[] {
    const all = [...this.#reviews.values()];
    const own = all.filter(
      ({ productId }) => productId === product || this.#is('reviews of all products are listed'),
    );
    return (this.#is('a review is not found below its product') ? own.slice(0, -1) : own).map((each) =>
      this.#review(each),
    );
  }
}

function missing(): GraphQLError {
  return new GraphQLError('Not found', { extensions: { code: 'NOT_FOUND' } });
}
