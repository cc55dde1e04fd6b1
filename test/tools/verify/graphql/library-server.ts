/** A server of `library.graphql` over `node:http` and graphql-js, with faults that a test can switch on one by one. */

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  type DocumentNode,
  type GraphQLFormattedError,
  GraphQLError,
  OperationTypeNode,
  buildSchema,
  execute,
  getOperationAST,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import { acceptSockets } from './library-socket.js';
import {
  type Fault,
  type Json,
  isMap,
  spoiled,
  spoiledRequest,
  validationWithout,
} from './library-faults.js';

export const HEADERS = { authorization: 'Bearer a-token' };

const RESULT = 'application/graphql-response+json';
const schema = buildSchema(readFileSync('test/tools/verify/graphql/library.graphql', 'utf8'));

interface Author {
  readonly __typename: 'Author';
  readonly id: string;
  readonly name: string;
}

interface Book {
  readonly __typename: 'Book';
  readonly id: string;
  readonly title: string;
  readonly authorId: string;
  readonly tags: readonly string[];
  readonly genre?: string | null;
}

interface Formatted {
  readonly data?: unknown;
  readonly errors?: readonly GraphQLFormattedError[];
}

interface BookInput extends Omit<Book, 'id' | '__typename' | 'tags'> {
  readonly tags?: readonly string[] | null;
}

/** What a request names is not there. */
class Missing extends Error {}

class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export async function libraryServer(): Promise<LibraryServer & { readonly url: string; stop(): void }> {
  const library = new LibraryServer();
  const server = createServer((request, response) => {
    library.answer(request, response).catch(() => response.destroy());
  });
  acceptSockets(server, library);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port
  return Object.assign(library, {
    url: `http://127.0.0.1:${String(port)}`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  });
}

export class LibraryServer {
  /** The one fault; undefined for none. */
  fault: Fault | undefined;
  /** The requests so far, as they came. */
  readonly seen: string[] = [];
  readonly #authors = new Map<string, Author>();
  readonly #books = new Map<string, Book>();
  readonly #listeners = new Set<(book: Book) => void>();
  #last = 0;

  reset(): void {
    this.#authors.clear();
    this.#books.clear();
    this.#last = 0;
    this.seen.length = 0;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const body = await text(request);
    this.seen.push(JSON.stringify([method, url, headers.accept, headers['content-type'], body]));
    const { accept = '*/*' } = headers;
    const mediaType = accept.includes(RESULT) ? RESULT : 'application/json';
    const { status, result } = await this.#result(request, body, response, mediaType === RESULT);
    if (result === undefined) return;
    const isHtml = this.fault === 'an answer has another media type' && status === 200;
    if (this.fault === 'the connection is cut' && body.includes('renameBook')) request.socket.destroy();
    else
      response
        .writeHead(status, { 'content-type': isHtml ? 'text/html' : mediaType })
        .end(JSON.stringify(result));
  }

  async #result(
    request: IncomingMessage,
    body: string,
    response: ServerResponse,
    isNewer: boolean,
  ): Promise<{ readonly status: number; readonly result?: Json }> {
    try {
      const { query, variables, operationName } = this.#parameters(request, body);
      const document = this.#valid(query);
      const operation = getOperationAST(
        document,
        this.fault === 'any operationName is taken' ? undefined : operationName,
      );
      if (!operation) throw new GraphQLError('Which operation?');
      const isChange = operation.operation === OperationTypeNode.MUTATION;
      if (request.method === 'GET' && isChange && this.fault !== 'GET changes')
        throw new Refusal(405, 'use POST');
      if (operation.operation === OperationTypeNode.SUBSCRIPTION) {
        this.#listen(document, response);
        return { status: 200 };
      }
      const result = await this.#execute(document, variables, operationName);
      const isRefused = result.data === undefined;
      if (this.fault === 'a crash ends in a 500' && /bestBook/.test(query))
        return { status: 500, result: {} };
      const isWrong = isRefused && isNewer && this.fault !== 'a refusal has the status 200';
      return { status: isWrong ? 400 : 200, result: spoiled(this.fault, result, query) };
    } catch (error) {
      if (!(error instanceof GraphQLError) && !(error instanceof Refusal)) throw error;
      const status =
        error instanceof Refusal
          ? error.status
          : isNewer && this.fault !== 'a refusal has the status 200'
            ? 400
            : 200;
      const errors = [{ message: error.message }];
      return { status, result: spoiled(this.fault, { errors }, '') };
    }
  }

  #parameters({ method, url = '', headers }: IncomingMessage, body: string) {
    const type = headers['content-type'] ?? '';
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    if (pathname !== '/graphql') throw new Refusal(404, 'nothing is here');
    if (method !== 'GET' && !type.startsWith('application/json') && this.fault !== 'any media type is taken')
      throw new Refusal(415, 'send JSON');
    const given = method === 'GET' ? this.#ofQuery(searchParams) : this.#parsed(body);
    const { query, variables, operationName } = spoiledRequest(this.fault, given);
    if (typeof query !== 'string' || query === '') throw new Refusal(400, 'there is no query');
    if (variables != null && !isMap(variables)) throw new Refusal(400, 'the variables are not an object');
    if (operationName != null && typeof operationName !== 'string')
      throw new Refusal(400, 'the operationName is no text');
    return { query, variables, operationName };
  }

  #ofQuery(query: URLSearchParams): Record<string, Json> {
    const { variables, ...others } = Object.fromEntries(query);
    return variables === undefined ? others : { ...others, variables: JSON.parse(variables) as Json };
  }

  #parsed(body: string): Record<string, Json> {
    try {
      const value: unknown = JSON.parse(body);
      if (typeof value === 'object' && value !== null) return value as Record<string, Json>;
    } catch {
      if (this.fault === 'malformed JSON is taken') return { query: '{ __typename }' };
    }
    throw new Refusal(400, 'the body is not a JSON object');
  }

  #valid(query: string): DocumentNode {
    const document = parse(
      this.fault === 'a document may end early' && !query.trim().endsWith('}') ? `${query} }` : query,
    );
    const rules = validationWithout(this.fault, specifiedRules);
    const [error] = validate(schema, document, rules);
    if (error !== undefined) throw error;
    if (this.fault === 'an alias is refused' && /\w: \w+ *[({]/.test(query))
      throw new GraphQLError('no aliases');
    return document;
  }

  async #execute(
    document: DocumentNode,
    variables: Record<string, unknown> | null | undefined,
    operationName?: string | null,
    rootValue: unknown = this.#root(),
  ): Promise<Formatted> {
    const result = await execute({
      schema,
      document,
      rootValue,
      variableValues: variables ?? {},
      operationName: this.fault === 'any operationName is taken' ? null : operationName,
    });
    const data = result.data === undefined ? {} : { data: result.data };
    if (result.errors === undefined) return data;
    return { ...data, errors: result.errors.map((error) => this.#explained(error)) };
  }

  #explained(error: GraphQLError): GraphQLFormattedError {
    const written = error.toJSON();
    if (error.originalError === undefined || error.originalError instanceof GraphQLError) return written;
    const { stack } = error.originalError;
    if (this.fault === 'an error shows a stack') return { ...written, extensions: { stacktrace: [stack] } };
    if (!(error.originalError instanceof Missing) && !/shows/.test(this.fault ?? '')) {
      return error.message.startsWith('Cannot return')
        ? written
        : { ...written, extensions: { code: 'INTERNAL_SERVER_ERROR' } };
    }
    const code = 'NOT_FOUND';
    return { ...written, message: 'Not found', extensions: { code } };
  }

  #listen(document: DocumentNode, response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n');
    const stop = this.#events(document, (result) => {
      const data = spoiled(this.fault, result, 'subscription');
      response.write(`event: next\ndata: ${JSON.stringify(data)}\n\n`);
    });
    response.on('close', stop);
  }

  /** @throws GraphQLError for a document that is not valid */
  subscribe(query: string, next: (result: Json) => void): () => void {
    return this.#events(this.#valid(query), (result) => {
      next(spoiled(this.fault, result, 'WebSocket'));
    });
  }

  #events(document: DocumentNode, next: (result: Formatted) => void): () => void {
    const listener = (book: Book): void => {
      void this.#execute(document, {}, null, { bookAdded: this.#shown(book) }).then(next);
    };
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #root() {
    return {
      book: ({ id }: { readonly id: string }) => this.#shown(this.#books.get(id)),
      books: ({ first, genre }: { readonly first: number; readonly genre?: string | null }) =>
        [...this.#books.values()]
          .slice(0, Math.max(0, first))
          .map((book) => ({ ...this.#shown(book), ...(genre != null && { genre }) })),
      author: ({ id }: { readonly id: string }) => this.#author(id),
      node: ({ id }: { readonly id: string }) => this.#author(id) ?? this.#shown(this.#books.get(id)),
      works: () => [
        { __typename: 'Film', id: 'f1', title: null, minutes: 90 },
        ...[...this.#books.values()].slice(0, 3).map((book) => this.#shown(book)),
      ],
      find: ({ by }: { readonly by: { readonly title?: string; readonly author?: string } }) =>
        this.#shown(
          [...this.#books.values()].find(
            ({ title, authorId }) => title === by.title || authorId === by.author,
          ),
        ),
      createAuthor: ({ name }: { readonly name: string }) => {
        const author = { __typename: 'Author', id: this.#next(), name } as const;
        this.#authors.set(author.id, author);
        return this.#author(author.id);
      },
      createBook: ({ input }: { readonly input: BookInput }) => {
        if (!this.#authors.has(input.authorId)) throw new Missing();
        if (input.title.length > 1000 && this.fault === 'a long title is an unexpected error')
          throw new Error('too long');
        const book = { ...input, tags: input.tags ?? [], __typename: 'Book', id: this.#next() } as const;
        if (this.fault !== 'what is created is lost') this.#books.set(book.id, book);
        for (const listener of this.#listeners) listener(book);
        return this.#shown(book);
      },
      renameBook: ({ id, title }: { readonly id: string; readonly title: string }) => {
        const book = this.#books.get(id);
        if (book === undefined) throw new Missing();
        if ((title === '' || title.length > 60) && this.fault !== 'a constraint is ignored')
          throw new Missing();
        this.#books.set(id, { ...book, title });
        return this.#shown({ ...book, title });
      },
      deleteBook: ({ id }: { readonly id: string }) => {
        const isThere = this.#books.has(id);
        if (this.fault !== 'what is deleted stays') this.#books.delete(id);
        return isThere;
      },
    };
  }

  #next(): string {
    return String((this.#last += 1));
  }

  #author(id: string): object | undefined {
    const author = this.#authors.get(id);
    if (author === undefined) return undefined;
    const books = [...this.#books.values()].filter(({ authorId }) => authorId === id);
    return {
      ...author,
      books: () => books.slice(0, 5).map((book) => this.#shown(book)),
      bestBook: () => {
        if (this.fault === 'a resolver ends in an unexpected error') throw new Error('no book');
        if (books.length === 0) throw new Missing();
        return this.#shown(books[0]);
      },
    };
  }

  #shown(book: Book | undefined): object | undefined {
    if (book === undefined) return undefined;
    return {
      rating: 4.5,
      ...book,
      genre: book.genre ?? 'NOVEL',
      isLent: this.fault === 'a resolver has null for a non-null field' ? null : false,
      published: '2026-01-01',
      author: () => this.#author(book.authorId),
      tags: ({ first }: { readonly first: number }) => book.tags.slice(0, Math.max(0, first)),
    };
  }
}
