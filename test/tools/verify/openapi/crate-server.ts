/** A correct server of `crates.yaml` over `node:http`, whose ids are above 2^53, with faults that are switched on one by one. */

import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { parseExactJson, writeExactJson } from '@concordat/runtime/client';

export const KEY = 'the-key';

/** Each fault with the rule that it breaks. */
export const CRATE_FAULTS = {
  'a Location leads to another record': 'wrong-location',
  'a PUT stores nothing': 'changed',
  'a read after a write is stale': 'changed',
  'a value is changed on the way': 'changed',
  'a long integer is rounded': 'changed',
  'a filter is ignored': 'wrong-filter',
  'a page ignores its limit': 'wrong-page',
  'a page ignores its offset': 'wrong-page',
  'a page repeats an item': 'wrong-page',
  'a value outside of an enum is accepted': 'broken-accepted',
  'a text beyond its maxLength is accepted': 'broken-accepted',
  'an unknown value of the query is accepted': 'broken-accepted',
  'an undeclared property is accepted': 'broken-accepted',
  'a required property may be missing': 'broken-accepted',
  'a text is accepted for an integer': 'broken-accepted',
  'a number below its minimum is accepted': 'broken-accepted',
  'malformed JSON is accepted': 'broken-accepted',
  'an undeclared media type is accepted': 'broken-accepted',
  'no credential is needed': 'broken-accepted',
  'an undeclared method does something': 'broken-accepted',
  'a valid limit is refused': 'valid-refused',
  'a success has an undeclared status': 'undeclared-status',
  'an answer has another media type': 'wrong-answer',
  'an answer lacks a required member': 'wrong-answer',
  'a member of an answer has another type': 'wrong-answer',
  'a required header is missing': 'wrong-answer',
  'a bad body ends in a 500': 'server-error',
  'an error shows a stack': 'leaked',
  'a created record is lost': 'lost',
  'a deleted record can still be read': 'not-deleted',
} as const;

export type CrateFault = keyof typeof CRATE_FAULTS;

type Values = Readonly<Record<string, unknown>>;
type Crate = Values & { readonly id: bigint };
interface Answer {
  readonly status: number;
  readonly value?: unknown;
  readonly headers?: Record<string, string>;
}

class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

const COLOURS = ['red', 'green', 'blue'];
const METHODS: Readonly<Record<string, readonly string[]>> = {
  crates: ['GET', 'POST'],
  'crates/{}': ['GET', 'PUT', 'DELETE'],
  parcels: ['GET', 'POST'],
};

function requireThat(isFine: boolean, what: string): void {
  if (!isFine) throw new Refusal(400, what);
}

const isText = (value: unknown, least: number, most: number): boolean =>
  typeof value === 'string' && Array.from(value).length >= least && Array.from(value).length <= most;

export class CrateServer {
  fault: CrateFault | undefined;
  readonly #crates = new Map<bigint, Crate>();
  readonly #parcels: Values[] = [];
  readonly #copies = new Map<bigint, Crate>();
  #last = 2n ** 53n;
  readonly #http = createServer((request, response) => {
    this.#respond(request, response).catch(() => response.destroy());
  });

  /** Starts it. @returns its address */
  async start(): Promise<string> {
    await once(this.#http.listen(0, '127.0.0.1'), 'listening');
    return `http://127.0.0.1:${String((this.#http.address() as AddressInfo).port)}`;
  }

  stop(): void {
    this.#http.close();
    this.#http.closeAllConnections();
  }

  /** Forgets all records. */
  reset(fault?: CrateFault): void {
    this.fault = fault;
    this.#crates.clear();
    this.#copies.clear();
    this.#parcels.length = 0;
    this.#last = 2n ** 53n;
  }

  #has(fault: CrateFault): boolean {
    return this.fault === fault;
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    let answer: Answer;
    try {
      answer = this.#answer(request, body);
    } catch (error) {
      const { status, message } = error instanceof Refusal ? error : new Refusal(500, 'a fault');
      const stack = this.#has('an error shows a stack') ? '\n    at call (/app/crates.js:7:11)' : '';
      answer = {
        status,
        value: { error: message + stack },
        ...(status === 405 && { headers: { allow: 'GET' } }),
      };
    }
    const { status, value, headers = {} } = answer;
    const isOdd = this.#has('an answer has another media type') && status === 200;
    response.writeHead(status, {
      ...(value !== undefined && { 'content-type': isOdd ? 'text/html' : 'application/json' }),
      ...headers,
    });
    response.end(value === undefined ? undefined : writeExactJson(value));
  }

  #answer({ method = '', url = '', headers }: IncomingMessage, body: string): Answer {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const [, first = '', key, ...more] = pathname.split('/');
    const path = key === undefined ? first : `${first}/{}`;
    const methods = more.length > 0 ? undefined : METHODS[path];
    if (methods === undefined) throw new Refusal(404, 'no such path');
    if (!methods.includes(method)) {
      if (this.#has('an undeclared method does something')) return { status: 200, value: {} };
      throw new Refusal(405, 'no such method');
    }
    if (headers['x-key'] !== KEY && !this.#has('no credential is needed')) throw new Refusal(401, 'key');
    const input = (): Values => this.#input(headers['content-type'], body);
    switch (`${method} ${path}`) {
      case 'GET crates':
        return this.#list(searchParams);
      case 'POST crates':
        return this.#create(input());
      case 'GET crates/{}':
        return { status: 200, value: this.#shown(this.#copyOf(this.#find(key))) };
      case 'PUT crates/{}': {
        const crate = this.#crate(input());
        const { id } = this.#find(key);
        if (!this.#has('a PUT stores nothing')) this.#crates.set(id, { ...crate, id });
        return { status: 204 };
      }
      case 'DELETE crates/{}': {
        const { id } = this.#find(key);
        if (!this.#has('a deleted record can still be read')) this.#crates.delete(id);
        return { status: 204 };
      }
      case 'GET parcels':
        return this.#page(searchParams);
      default: {
        const { name, ...others } = input();
        requireThat(isText(name, 1, 30) && Object.keys(others).length === 0, 'name');
        const parcel = { id: this.#parcels.length + 1, name };
        this.#parcels.push(parcel);
        return { status: 201, value: parcel };
      }
    }
  }

  #create(input: Values): Answer {
    const crate = this.#crate(input);
    this.#last += 1n;
    const id = this.#last;
    if (!this.#has('a created record is lost')) this.#crates.set(id, { ...crate, id });
    const shown = this.#has('a Location leads to another record') ? 2n ** 53n + 1n : id;
    const location = { location: `/crates/${String(shown)}` };
    return {
      status: this.#has('a success has an undeclared status') ? 202 : 201,
      value: this.#shown({ ...crate, id }),
      ...(!this.#has('a required header is missing') && { headers: location }),
    };
  }

  #find(key: string | undefined): Crate {
    requireThat(/^-?\d{1,19}$/.test(key ?? ''), 'id');
    const crate = this.#crates.get(BigInt(key ?? ''));
    if (crate === undefined) throw new Refusal(404, 'no such crate');
    return crate;
  }

  /** The crate as it was when it was first read, if reads are stale. */
  #copyOf(crate: Crate): Crate {
    const copy = this.#copies.get(crate.id) ?? crate;
    this.#copies.set(crate.id, copy);
    return this.#has('a read after a write is stale') ? copy : crate;
  }

  #list(query: URLSearchParams): Answer {
    const { limit, offset, colour, label } = this.#query(query, ['limit', 'offset', 'colour', 'label']);
    const most = this.#has('a valid limit is refused') ? 19 : 20;
    const count = whole(limit ?? '10', 1, most);
    const skipped = whole(offset ?? '0', 0, Infinity);
    const isKnown = colour === undefined || COLOURS.includes(colour);
    requireThat(isKnown || this.#has('an unknown value of the query is accepted'), 'colour');
    requireThat(label === undefined || isText(label, 0, 8), 'label');
    const isIgnored = this.#has('a filter is ignored');
    const found = [...this.#crates.values()].filter(
      (crate) =>
        (colour === undefined || isIgnored || crate['colour'] === colour) &&
        (label === undefined || crate['label'] === label),
    );
    const start = this.#has('a page ignores its offset') ? 0 : skipped;
    const end = this.#has('a page ignores its limit') ? undefined : start + count;
    return {
      status: 200,
      value: { items: found.slice(start, end).map((crate) => this.#shown(crate)), total: found.length },
    };
  }

  #page(query: URLSearchParams): Answer {
    const { page, per_page: perPage, sort } = this.#query(query, ['page', 'per_page', 'sort']);
    const count = whole(perPage ?? '10', 1, 50);
    const start = (whole(page ?? '1', 1, Infinity) - 1) * count;
    requireThat(sort === undefined || ['oldest', 'newest'].includes(sort), 'sort');
    const sorted = sort === 'newest' ? this.#parcels.toReversed() : this.#parcels;
    const repeated = this.#has('a page repeats an item') && start > 0 ? 1 : 0;
    return { status: 200, value: sorted.slice(start - repeated, start + count - repeated) };
  }

  /** The values of the named parameters, each of which is given once at most. */
  #query(query: URLSearchParams, names: readonly string[]): Readonly<Record<string, string | undefined>> {
    for (const name of names) requireThat(query.getAll(name).length <= 1, name);
    return Object.fromEntries(names.map((name) => [name, query.get(name) ?? undefined]));
  }

  #shown({ id, label, colour, weight, note }: Crate): Values {
    return {
      id,
      ...(!this.#has('an answer lacks a required member') && { label }),
      colour,
      weight: this.#has('a member of an answer has another type') ? String(weight) : weight,
      note,
    };
  }

  #input(type: string | undefined, body: string): Values {
    if (type !== 'application/json' && !this.#has('an undeclared media type is accepted'))
      throw new Refusal(400, 'type');
    try {
      const value = parseExactJson(body);
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Values;
    } catch {
      if (this.#has('malformed JSON is accepted')) return { label: 'a', colour: 'red', weight: 1 };
    }
    throw new Refusal(400, 'body');
  }

  #crate({ label, colour, weight, note, ...others }: Values): Values {
    if (this.#has('a bad body ends in a 500') && typeof label !== 'string') throw new Error('fault');
    const longest = this.#has('a text beyond its maxLength is accepted') ? Infinity : 8;
    const mayMiss = this.#has('a required property may be missing') && label === undefined;
    requireThat(mayMiss || isText(label, 1, longest), 'label');
    const isColour = COLOURS.includes(colour as string);
    requireThat(
      isColour || (this.#has('a value outside of an enum is accepted') && typeof colour === 'string'),
      'colour',
    );
    const least = this.#has('a number below its minimum is accepted') ? -(2n ** 63n) : 0n;
    const isWhole = typeof weight === 'bigint' || Number.isInteger(weight);
    const isNumber = isWhole && BigInt(weight as number) >= least && BigInt(weight as number) < 2n ** 63n;
    const isAny = this.#has('a text is accepted for an integer') && typeof weight === 'string';
    requireThat(isNumber || isAny, 'weight');
    requireThat(note === undefined || isText(note, 0, 20), 'note');
    requireThat(
      Object.keys(others).length === 0 || this.#has('an undeclared property is accepted'),
      'others',
    );
    return {
      label: mayMiss ? 'none' : label,
      colour,
      weight: this.#has('a long integer is rounded') ? BigInt(Number(weight)) : isAny ? 1 : weight,
      note: this.#has('a value is changed on the way') ? (note as string | undefined)?.toUpperCase() : note,
    };
  }
}

function whole(text: string, least: number, most: number): number {
  requireThat(/^-?(?:0|[1-9]\d*)$/.test(text) && Number(text) >= least && Number(text) <= most, 'a number');
  return Number(text);
}
