/** A server of `notebook.yaml` over `node:http`, written by hand, with faults that a test can switch on one by one. */

import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export const TOKEN = "it's-a-token";

/** Each fault with the rule that it breaks. */
export const FAULTS = {
  'every path is at another address': 'no-success',
  'a valid request ends in a 500': 'server-error',
  'the longest title ends in a 500': 'server-error',
  'a title of null ends in a 500': 'server-error',
  'the page of a link ends in a 500': 'server-error',
  'the second alternative ends in a 500': 'server-error',
  'a replacement of a note that is there ends in a 500': 'server-error',
  'the connection is cut': 'no-answer',
  'a success has an undeclared status': 'undeclared-status',
  'a required property of an answer is missing': 'wrong-answer',
  'a property of an answer has another type': 'wrong-answer',
  'an answer has an undeclared media type': 'wrong-answer',
  'an answer is no JSON': 'wrong-answer',
  'a required header is missing': 'wrong-answer',
  'a header does not fit its schema': 'wrong-answer',
  'an error has another form': 'wrong-answer',
  'a 405 has no Allow': 'wrong-answer',
  'an error shows a stack': 'leaked',
  'the largest limit is refused': 'valid-refused',
  'a title is measured in UTF-16': 'valid-refused',
  'a limit is not bounded': 'broken-accepted',
  'a required parameter may be missing': 'broken-accepted',
  'a value of no enum is taken': 'broken-accepted',
  'a pattern is not anchored': 'broken-accepted',
  'a required property may be missing': 'broken-accepted',
  'another property is taken': 'broken-accepted',
  'a fraction is taken for an integer': 'broken-accepted',
  'an item may come twice': 'broken-accepted',
  'an address without @ is taken': 'broken-accepted',
  'an exclusive bound is included': 'broken-accepted',
  'malformed JSON is taken': 'broken-accepted',
  'an undeclared media type is taken': 'broken-accepted',
  'no credential is needed': 'broken-accepted',
  'every credential counts': 'broken-accepted',
  'an undeclared method does something': 'broken-accepted',
  'what is created is lost': 'lost',
  'what is deleted stays': 'not-deleted',
} as const;

export type FaultName = keyof typeof FAULTS;

export interface NotebookServer {
  readonly url: string;
  /** The requests so far, as they came. */
  readonly seen: string[];
  /** The one fault; undefined for none. */
  fault: FaultName | undefined;
  /** Forgets all notes and requests. */
  reset(): void;
  stop(): void;
}

interface Note {
  readonly title: string;
  readonly email: string;
  readonly [name: string]: unknown;
}

class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export async function notebookServer(): Promise<NotebookServer> {
  const notebook = new Notebook();
  const server = createServer((request, response) => {
    notebook.answer(request, response).catch(() => response.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port
  return Object.assign(notebook, {
    url: `http://127.0.0.1:${String(port)}`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  });
}

class Notebook {
  fault: FaultName | undefined;
  readonly seen: string[] = [];
  readonly #notes = new Map<string, Note>();
  #last = 0;

  reset(): void {
    this.#notes.clear();
    this.#last = 0;
    this.seen.length = 0;
  }

  #has(fault: FaultName): boolean {
    return this.fault === fault;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const body = await text(request);
    this.seen.push(
      JSON.stringify([method, url, headers.authorization, headers['content-type'], headers.accept, body]),
    );
    const json = (status: number, value: unknown, more: Record<string, string> = {}): void => {
      response.writeHead(status, { 'content-type': 'application/json', ...more });
      response.end(this.#has('an answer is no JSON') && status === 200 ? '{"' : JSON.stringify(value));
    };
    try {
      if (this.#has('every path is at another address')) throw new Refusal(404, 'nothing is here');
      this.#route(request, body, json, response);
    } catch (error) {
      const { status, message } = error instanceof Refusal ? error : new Refusal(500, 'a fault');
      const allow = status === 405 && !this.#has('a 405 has no Allow') ? { allow: 'GET' } : {};
      const isOdd = this.#has('an error has another form') && status === 400;
      const text = this.#has('an error shows a stack')
        ? `${message}\n    at call (/app/notes.js:7:11)`
        : message;
      json(status, isOdd ? { message } : { error: text }, allow);
    }
  }

  #route(
    { method = '', url = '', headers, socket }: IncomingMessage,
    body: string,
    json: (status: number, value: unknown, more?: Record<string, string>) => void,
    response: ServerResponse,
  ): void {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const [, first = '', id, last, ...more] = pathname.split('/').map(decodeURIComponent);
    const key =
      more.length > 0
        ? ''
        : [first, ...(id === undefined ? [] : ['{}']), ...(last === undefined ? [] : [last])].join('/');
    const methods = {
      health: 'GET',
      notes: 'GET POST',
      'notes/{}': 'GET PUT DELETE',
      'notes/{}/words': 'GET',
      pages: 'GET',
    }[key];
    if (methods === undefined) throw new Refusal(404, 'no such path');
    if (!methods.split(' ').includes(method)) {
      if (!this.#has('an undeclared method does something')) throw new Refusal(405, 'no such method');
      json(200, {});
      return;
    }
    if (key === 'health') {
      response.writeHead(204).end();
      return;
    }
    const { authorization } = headers;
    const mayBeAny = this.#has('every credential counts') && authorization !== undefined;
    if (!this.#has('no credential is needed') && !mayBeAny && authorization !== `Bearer ${TOKEN}`) {
      throw new Refusal(401, 'who is it?');
    }
    const {
      status,
      value,
      more: also,
    } = this.#call(`${method} ${key}`, id ?? '', searchParams, headers['content-type'], body);
    if (this.#has('the connection is cut') && key === 'pages') socket.destroy();
    else if (value === undefined) response.writeHead(status).end();
    else if (typeof value !== 'string') json(status, value, also);
    else response.writeHead(status, { 'content-type': 'text/plain' }).end(value);
  }

  #call(
    operation: string,
    id: string,
    query: URLSearchParams,
    type: string | undefined,
    body: string,
  ): { readonly status: number; readonly value?: unknown; readonly more?: Record<string, string> } {
    switch (operation) {
      case 'GET notes':
        return this.#list(query);
      case 'POST notes': {
        const note = this.#noteIn(type, body);
        const created = String((this.#last += 1));
        if (!this.#has('what is created is lost')) this.#notes.set(created, note);
        const status = this.#has('a success has an undeclared status') ? 202 : 201;
        const more: Record<string, string> = this.#has('a required header is missing')
          ? {}
          : { location: `/notes/${created}` };
        return { status, value: this.#shown(created, note), more };
      }
      case 'GET notes/{}': {
        const note = this.#noteOf(id);
        const odd = this.#has('an answer has an undeclared media type');
        return { status: 200, value: odd ? 'a note' : this.#shown(id, note) };
      }
      case 'PUT notes/{}': {
        this.#noteOf(id);
        this.#notes.set(id, this.#noteIn(type, body));
        if (this.#has('a replacement of a note that is there ends in a 500')) throw new Error('fault');
        return { status: 204 };
      }
      case 'DELETE notes/{}':
        this.#noteOf(id);
        if (!this.#has('what is deleted stays')) this.#notes.delete(id);
        return { status: 204 };
      case 'GET notes/{}/words': {
        const { title } = this.#noteOf(id);
        const ratio = Number(query.get('ratio') ?? 1);
        const least = this.#has('an exclusive bound is included') ? ratio >= 0 : ratio > 0;
        if (query.getAll('ratio').length > 1 || !least || !(ratio <= 1) || query.get('ratio') === '') {
          throw new Refusal(400, 'ratio');
        }
        return { status: 200, value: { words: title.split(' ').length } };
      }
      default: {
        const page = query.getAll('page');
        if (page.length !== 1 || Array.from(page[0] ?? '').length > 40) throw new Refusal(400, 'page');
        if (this.#has('the page of a link ends in a 500') && page[0]?.startsWith('from-') === true)
          throw new Error('fault');
        return { status: 200, value: 'a page' };
      }
    }
  }

  #list(query: URLSearchParams): {
    readonly status: number;
    readonly value: unknown;
    readonly more: Record<string, string>;
  } {
    const limit = query.get('limit');
    const most = this.#has('the largest limit is refused')
      ? 49
      : this.#has('a limit is not bounded')
        ? 1e9
        : 50;
    const isNumber = limit === null || (/^-?\d+$/.test(limit) && Number(limit) >= 1 && Number(limit) <= most);
    if (!isNumber || query.getAll('limit').length > 1) throw new Refusal(400, 'limit');
    const tags = query.getAll('tag');
    const isMissing = tags.length === 0 && this.#has('a required parameter may be missing');
    const isTag =
      tags.length === 1 &&
      (['work', 'home'].includes(tags[0] ?? '') || this.#has('a value of no enum is taken'));
    if (!isMissing && !isTag) throw new Refusal(400, 'tag');
    const after = query.getAll('after');
    const pattern = this.#has('a pattern is not anchored') ? /[a-z0-9]{1,12}/ : /^[a-z0-9]{1,12}$/;
    if (after.length > 1 || after.some((each) => !pattern.test(each))) throw new Refusal(400, 'after');
    if (this.#has('a valid request ends in a 500')) throw new Error('fault');
    const notes = [...this.#notes].slice(0, Number(limit ?? 10)).map(([id, note]) => this.#shown(id, note));
    const more = {
      'x-total': this.#has('a header does not fit its schema') ? 'many' : String(this.#notes.size),
    };
    return { status: 200, value: { notes, next: `from-${String(this.#last)}` }, more };
  }

  #shown(id: string, { title, email, stars }: Note): object {
    const given = { id, title, ...(stars !== undefined && { stars }) };
    if (this.#has('a required property of an answer is missing')) return given;
    return {
      ...given,
      email,
      ...(this.#has('a property of an answer has another type') && { id: Number(id) }),
    };
  }

  #noteOf(id: string): Note {
    const note = this.#notes.get(id);
    if (note === undefined) throw new Refusal(404, 'no such note');
    return note;
  }

  #noteIn(type: string | undefined, body: string): Note {
    if (type !== 'application/json' && !this.#has('an undeclared media type is taken'))
      throw new Refusal(400, 'type');
    const note = this.#parsed(body);
    this.#requireNote(note);
    const isTaken = [...this.#notes.values()].some(({ email }) => email === note['email']);
    if (isTaken) throw new Refusal(409, 'the address is taken');
    return note as Note;
  }

  #parsed(body: string): Record<string, unknown> {
    try {
      const value: unknown = JSON.parse(body);
      if (typeof value === 'object' && value !== null && !Array.isArray(value))
        return value as Record<string, unknown>;
    } catch {
      if (this.#has('malformed JSON is taken')) return { title: 'a', email: 'a@b.cd' };
    }
    throw new Refusal(400, 'body');
  }

  #requireNote({ title, email, stars, labels, place, ...others }: Record<string, unknown>): void {
    const refuseUnless = (isFine: boolean, name: string): void => {
      if (!isFine) throw new Refusal(400, name);
    };
    if (this.#has('a title of null ends in a 500') && title === null) throw new Error('fault');
    const mayMiss = this.#has('a required property may be missing') && title === undefined;
    const size =
      typeof title !== 'string'
        ? -1
        : this.#has('a title is measured in UTF-16')
          ? title.length
          : Array.from(title).length;
    if (this.#has('the longest title ends in a 500') && size === 20) throw new Error('fault');
    refuseUnless(mayMiss || (size >= 1 && size <= 20), 'title');
    const address = this.#has('an address without @ is taken')
      ? /./
      : /^[\w.+-]{1,64}@[a-z\d-]{1,63}\.\w{2,63}$/i;
    refuseUnless(typeof email === 'string' && address.test(email), 'email');
    const isWhole =
      Number.isInteger(stars) ||
      (this.#has('a fraction is taken for an integer') && typeof stars === 'number');
    refuseUnless(stars === undefined || (isWhole && Number(stars) >= 0 && Number(stars) <= 5), 'stars');
    if (labels !== undefined) {
      const list = Array.isArray(labels) ? (labels as readonly unknown[]) : ['', '', '', ''];
      const mayRepeat = this.#has('an item may come twice') || new Set(list).size === list.length;
      refuseUnless(
        list.length <= 3 && mayRepeat && list.every((each) => typeof each === 'string' && each !== ''),
        'labels',
      );
    }
    if (place !== undefined) {
      const given = (typeof place === 'object' ? place : null) ?? { none: true };
      const { city, room, ...rest } = given as Record<string, unknown>;
      if (this.#has('the second alternative ends in a 500') && room !== undefined) throw new Error('fault');
      const isOne =
        room === undefined ? typeof city === 'string' : city === undefined && Number.isInteger(room);
      refuseUnless(!Array.isArray(place) && isOne && Object.keys(rest).length === 0, 'place');
    }
    refuseUnless(this.#has('another property is taken') || Object.keys(others).length === 0, 'others');
  }
}
