/** A shop in memory that follows its contract, apart from one fault that is switched on. */

import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type RunningContract, runContract } from '../../../../src/tools/running/running-contract.js';
import type { ShopFault } from './shop-faults.js';

type Json = unknown;
type Fields = Readonly<Record<string, Json>>;

interface Product {
  readonly id: number;
  readonly fields: Fields;
  readonly version: number;
}

interface Review {
  readonly id: number;
  readonly product: number;
  readonly fields: Fields;
}

interface Reply {
  readonly status: number;
  readonly body?: Json;
  readonly headers?: Readonly<Record<string, string>>;
}

const CONTRACT = 'test/tools/verify/planted/shop.yaml';

export class ShopServer {
  #fault: ShopFault | undefined;
  #server: Server | undefined;
  #running: RunningContract | undefined;
  #products = new Map<number, Product>();
  #reviews = new Map<number, Review>();
  #images = new Map<number, Buffer>();
  #last = 0;
  #deleted: Product[] = [];

  async start(): Promise<string> {
    this.#running = await runContract(CONTRACT);
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    const { port } = this.#server.address() as AddressInfo; // it listens on a port
    return `http://127.0.0.1:${String(port)}`;
  }

  stop(): void {
    this.#server?.close();
    this.#server?.closeAllConnections();
  }

  /** Empties the shop. */
  reset(fault?: ShopFault): void {
    this.#fault = fault;
    for (const map of [this.#products, this.#reviews, this.#images]) map.clear();
    [this.#last, this.#deleted] = [0, []];
  }

  #has(fault: ShopFault): boolean {
    return this.#fault === fault;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const sent = await buffer(request);
    const [path = '', query = ''] = url.split('?');
    const wire = {
      ...{ method, path, query },
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      ...(sent.length > 0 && { body: sent.toString('latin1') }),
    };
    const written = { ...wire, ...(sent.length > 0 && { body: sent.toString() }) };
    const expected = await this.#running?.exactOutcomeOf(written);
    const reply: Reply =
      expected === undefined || 'refusal' in expected
        ? this.#refusal(expected?.refusal.status ?? 500, path)
        : this.#reply(expected.operation, path, new URLSearchParams(query), headers, sent);
    const isBytes = Buffer.isBuffer(reply.body);
    const isError = reply.status >= 400;
    const type = isBytes ? 'application/octet-stream' : `application/${isError ? 'problem+' : ''}json`;
    response.writeHead(reply.status, {
      ...(reply.body !== undefined && { 'content-type': type }),
      ...reply.headers,
    });
    response.end(isBytes ? reply.body : reply.body === undefined ? undefined : JSON.stringify(reply.body));
  }

  #refusal(status: number, path: string): Reply {
    const item = /^\/products\/[^/]+$/.test(path) ? 'DELETE, GET, PATCH, PUT' : 'GET';
    const title = this.#has('an error has the title of another') ? 'Conflict' : 'Refused';
    return { status, body: { title }, ...(status === 405 && { headers: { allow: item } }) };
  }

  #reply(
    operation: string,
    path: string,
    query: URLSearchParams,
    headers: IncomingMessage['headers'],
    bytes: Buffer,
  ): Reply {
    const [productId = 0, reviewId = 0] = [...path.matchAll(/\d+/g)].map(Number);
    const product = this.#products.get(productId);
    const missing: Reply = this.#refusal(404, path);
    const sent = (): Fields => JSON.parse(bytes.toString()) as Fields;
    if (operation === 'listProducts') return this.#list(query);
    if (operation === 'createProduct') return this.#create(sent());
    if (operation.endsWith('Review') || operation.endsWith('Reviews'))
      return this.#review(operation, productId, reviewId, bytes) ?? missing;
    if (product === undefined) return missing;
    if (operation === 'putImage') {
      const text = this.#has('uploads are read as text') ? Buffer.from(bytes.toString()) : bytes;
      const zero = this.#has('uploads end at a zero byte') ? text.indexOf(0) : -1;
      if (!this.#has('an upload is not stored'))
        this.#images.set(productId, zero === -1 ? text : text.subarray(0, zero));
      return { status: 204 };
    }
    if (operation === 'getImage') {
      const image = this.#images.get(productId);
      return image === undefined ? missing : { status: 200, body: image };
    }
    const tag = this.#tagOf(product);
    if (operation === 'getProduct') {
      const seen = headers['if-none-match'];
      const isSame = seen !== undefined && (seen === tag || seen === '*');
      const is304 = this.#has('If-None-Match is always 304') ? seen !== undefined : isSame;
      return is304 && !this.#has('If-None-Match is ignored')
        ? { status: 304, headers: { etag: tag } }
        : this.#shown(product, 200);
    }
    const condition = headers['if-match'];
    const method = { replaceProduct: 'PUT', patchProduct: 'PATCH' }[operation] ?? 'DELETE';
    const takesStale = this.#has(`${method} takes a stale If-Match` as ShopFault);
    const isCurrent = condition === undefined || condition === '*' || condition === tag;
    if (!isCurrent && !takesStale) return this.#refusal(412, path);
    if (condition === tag && this.#has('the current If-Match is refused')) return this.#refusal(412, path);
    if (method === 'PUT') return this.#replace(product, sent());
    if (method === 'PATCH') return this.#patch(product, sent());
    if (this.#has('DELETE empties the collection')) this.#products.clear();
    if (!this.#has('a deleted product stays')) this.#products.delete(productId);
    this.#deleted.push(product);
    if (!this.#has('a deleted product keeps its reviews'))
      for (const [id, review] of this.#reviews) if (review.product === productId) this.#reviews.delete(id);
    return { status: 204 };
  }

  #tagOf({ version }: Product): string {
    if (this.#has('the ETag is constant')) return '"1"';
    return this.#has('the ETag is not quoted') ? `v${String(version)}` : `"v${String(version)}"`;
  }

  #shown(product: Product, status: number, headers: Readonly<Record<string, string>> = {}): Reply {
    const { id, fields } = product;
    return { status, body: { ...fields, id }, headers: { etag: this.#tagOf(product), ...headers } };
  }

  #create(sent: Fields): Reply {
    const isReused = this.#has('an id is used again after a deletion') && this.#deleted.length > 0;
    const taken = this.#has('the id of the client is taken') && typeof sent['id'] === 'number';
    const id = taken ? Number(sent['id']) : isReused ? (this.#deleted.pop()?.id ?? 0) : (this.#last += 1);
    const created: Product = { id, fields: this.#stored(sent, this.#timeOf(sent)), version: 1 };
    if (!this.#has('a created product is lost')) this.#products.set(id, created);
    const at = this.#has('Location leads to another product') ? 1 : id;
    const name = this.#has('a creation answers another name') ? { name: 'Unnamed' } : {};
    const shown = { ...created, fields: { ...created.fields, ...name } };
    return this.#shown(shown, 201, { location: `/products/${String(at)}` });
  }

  #timeOf(sent: Fields): Json {
    if (this.#has('the time of the client is taken') && sent['createdAt'] !== undefined)
      return sent['createdAt'];
    const day = this.#has('createdAt is that of yesterday') ? 24 * 60 * 60 * 1000 : 0;
    return new Date(Date.now() - day).toISOString();
  }

  /** What is stored of a whole body. */
  #stored(sent: Fields, createdAt: Json): Fields {
    const currency = this.#has('a default is not applied') ? 'USD' : 'EUR';
    const kept = Object.entries({ currency, ...sent }).flatMap(([name, value]) => {
      const stored = this.#value(name, value);
      return stored === undefined ? [] : [[name, stored] as const];
    });
    const { id: _, ...fields } = Object.fromEntries(kept);
    const isFree = this.#has('the category is always books for free products') && fields['price'] === 0;
    return { ...fields, ...(isFree && { category: 'books' }), createdAt };
  }

  #value(name: string, value: Json): Json {
    const dropped: readonly (readonly [ShopFault, boolean])[] = [
      ['0 is dropped', value === 0 && name !== 'price'],
      ['false is dropped', value === false],
      ['an empty text is dropped', value === ''],
      ['an empty list is dropped', Array.isArray(value) && value.length === 0],
      ['a nested object is not stored', name === 'size'],
    ];
    if (dropped.some(([fault, isDropped]) => isDropped && this.#has(fault))) return undefined;
    if (value === null) return this.#has('null becomes a text') ? 'null' : null;
    if (typeof value === 'string' && !['category', 'currency'].includes(name)) return this.#text(value);
    if (typeof value === 'number') return this.#number(name, value);
    if (!Array.isArray(value)) return value;
    const items = value as readonly string[];
    if (this.#has('a list is sorted')) return items.toSorted().toReversed();
    return this.#has('a list loses its last item') ? items.slice(0, -1) : items;
  }

  #text(text: string): string {
    switch (this.#fault) {
      case 'texts are escaped for HTML':
        return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
      case 'texts lose what is not ASCII':
        return text.replaceAll(/[^\0-\x7f]/g, '?');
      case 'texts are cut after 20 characters':
        return text.slice(0, 20);
      case 'texts are lower case':
        return text.toLowerCase();
      case 'new lines become spaces':
        return text.replaceAll('\n', ' ');
      default:
        return text;
    }
  }

  #number(name: string, value: number): number {
    if (this.#has('numbers are rounded')) return name === 'temperature' ? Math.round(value) : value;
    if (this.#has('prices have two decimals') && name === 'price') return Math.round(value * 100) / 100;
    if (this.#has('large integers are clipped')) return Math.min(value, 2 ** 31 - 1);
    return this.#has('a negative number loses its sign') ? Math.abs(value) : value;
  }

  #replace(product: Product, sent: Fields): Reply {
    const kept = this.#has('a put keeps what was left out') ? product.fields : {};
    const fields = { ...kept, ...this.#stored(sent, product.fields['createdAt']) };
    const old = (product.fields['tags'] ?? []) as readonly Json[];
    const grown = { ...fields, tags: [...old, ...((fields['tags'] ?? []) as readonly Json[])] };
    const isGrown = this.#has('a put appends to lists') && 'tags' in sent;
    const changed = { ...product, version: product.version + 1, fields: isGrown ? grown : fields };
    if (this.#has('a put creates a copy')) {
      this.#last += 1;
      this.#products.set(this.#last, { ...changed, id: this.#last });
    }
    if (!this.#has('a put is not stored')) this.#products.set(product.id, changed);
    return this.#shown(this.#has('a put answers the old record') ? product : changed, 200);
  }

  #patch(product: Product, sent: Fields): Reply {
    const entries = Object.entries(sent).slice(
      0,
      this.#has('a patch applies its first member only') ? 1 : 99,
    );
    const merged: Record<string, Json> = { ...product.fields };
    if (this.#has('a patch clears the other members'))
      for (const name of Object.keys(merged))
        if (!['name', 'price', 'currency', 'createdAt'].includes(name)) merged[name] = undefined;
    for (const [name, value] of entries) merged[name] = this.#merged(name, merged[name], value);
    const changed = { ...product, version: product.version + 1, fields: present(merged) };
    if (!this.#has('a patch is not stored')) this.#products.set(product.id, changed);
    const [first] = this.#products.values();
    if (this.#has('a patch changes another product too') && first !== undefined && first.id !== product.id)
      this.#products.set(first.id, { ...first, fields: { ...first.fields, ...present(sent) } });
    return this.#shown(this.#has('a patch answers the old record') ? product : changed, 200);
  }

  #merged(name: string, old: Json, value: Json): Json {
    if (value === null) return this.#has('a patch ignores null') ? old : undefined;
    if (Array.isArray(value) && this.#has('a patch appends to lists'))
      return [...((old ?? []) as readonly Json[]), ...(value as readonly Json[])];
    if (name !== 'size') return this.#value(name, value);
    const base = this.#has('a patch replaces nested objects')
      ? { width: 0 }
      : { width: 0, ...(old as Fields) };
    return present({ ...base, ...(value as Fields) });
  }

  #list(query: URLSearchParams): Reply {
    const [category, active, sort] = ['category', 'active', 'sort'].map((name) => query.get(name));
    const tags = query.getAll('tag');
    if (this.#has('a repeated parameter ends in a 500') && tags.length > 1) return this.#refusal(500, '');
    const hides = this.#has('a created product is not listed');
    const present = [...this.#products.values()].slice(0, hides ? 3 : undefined);
    const all = [...present, ...(this.#has('a deleted product is listed') ? this.#deleted : [])];
    const isFilter = (name: string, value: string | null | undefined): value is string =>
      value != null && !this.#has(`the filter by ${name} is ignored` as ShopFault);
    let found = all.filter(
      ({ fields }) =>
        (!isFilter('category', category) || fields['category'] === category) &&
        (!isFilter(active ?? '', active) || JSON.stringify(fields['active'] ?? '') === active) &&
        tags.every((tag) => ((fields['tags'] ?? []) as readonly Json[]).includes(tag)),
    );
    const isFiltered = (category ?? active) != null;
    if (isFiltered && this.#has('a filter finds one item only')) found = found.slice(0, 1);
    if (isFiltered && this.#has('a filter finds nothing')) found = [];
    if (sort != null && !this.#has('sort is ignored')) found = this.#sorted(found, sort);
    const limit = Number(query.get('limit') ?? (this.#has('the default of limit is not applied') ? 20 : 5));
    const offset = Number(query.get('offset') ?? 0);
    const page = this.#page(found, limit, offset);
    const totals: Partial<Record<ShopFault, number>> = {
      'total is the size of the page': page.length,
      'total counts deleted products': found.length + this.#deleted.length,
      'total is constant': 3,
      'total ignores the filter': all.length,
    };
    const total = (this.#fault && totals[this.#fault]) ?? found.length;
    const items = page.map(({ id, fields, version }) => ({
      ...fields,
      ...(this.#has('the list shows another price') && { price: Number(fields['price']) + 1 }),
      ...(this.#has('the list shows old names') && version > 1 && { name: 'Old' }),
      id,
    }));
    return { status: 200, body: { items, total } };
  }

  #sorted(found: readonly Product[], sort: string): Product[] {
    const name = sort.replace('-', '');
    const isText = name === 'name' || this.#has('numbers are sorted as texts');
    const sign = sort.startsWith('-') && !this.#has('a descending sort ascends') ? -1 : 1;
    const order = (a: Json, b: Json): number => {
      const [one, other] = isText ? [String(a), String(b)] : [Number(a), Number(b)];
      return one < other ? -1 : one > other ? 1 : 0;
    };
    return found.toSorted((a, b) => sign * order(a.fields[name], b.fields[name]));
  }

  #page(found: readonly Product[], limit: number, offset: number): readonly Product[] {
    if (this.#has('limit is ignored')) return found.slice(offset);
    if (this.#has('a page beyond the end is the last one') && offset >= found.length)
      return found.slice(-limit);
    const at = this.#has('offset is ignored') ? 0 : Math.max(0, offset - Number(this.#has('pages overlap')));
    return found.slice(at, at + limit + Number(this.#has('a page has one item too many')));
  }

  #review(operation: string, product: number, id: number, bytes: Buffer): Reply | undefined {
    const isThere = this.#products.has(product);
    const all = [...this.#reviews.values()];
    const shown = ({ id: own, fields }: Review): Json => ({ ...fields, id: own });
    if (operation === 'createReview') {
      if (!isThere && !this.#has('a review is created under a product that is missing')) return undefined;
      const fields = JSON.parse(bytes.toString()) as Fields;
      const created = { id: (this.#last += 1), product, fields };
      if (!this.#has('a review is not stored')) this.#reviews.set(created.id, created);
      return { status: 201, body: shown(created) };
    }
    if (operation === 'listReviews') {
      if (!isThere && !this.#has('reviews of a missing product are listed')) return undefined;
      const isAll = this.#has('reviews of all products are listed');
      const listed = this.#has('a review is not listed') ? [] : all;
      return { status: 200, body: listed.filter((each) => isAll || each.product === product).map(shown) };
    }
    const review = this.#reviews.get(id);
    const does = operation === 'getReview' ? 'read' : 'deleted';
    const isAnywhere = this.#has(`a review is ${does} under another product` as ShopFault);
    const keeps = this.#has('a deleted product keeps its reviews');
    const isOwn = review?.product === product && (isThere || keeps);
    if (review === undefined || !(isOwn || isAnywhere)) return undefined;
    if (operation === 'getReview') return { status: 200, body: shown(review) };
    if (!this.#has('a deleted review stays')) this.#reviews.delete(id);
    return { status: 204 };
  }
}

function present(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  );
}
