/** Makes exchanges, and the documents of recordings, for the tests of `record`. */

import { recordedDocument } from '../../../src/tools/record/recorded-document.js';
import { Recording } from '../../../src/tools/record/recording.js';
import type { Exchange } from '../../../src/tools/record/observed/observed-body.js';

type Headers = Readonly<Record<string, string>>;

export interface SimpleExchange {
  readonly status?: number;
  readonly headers?: Headers;
  readonly body?: unknown;
  readonly type?: string;
  readonly answer?: unknown;
  readonly answerHeaders?: Headers;
  readonly answerType?: string;
}

const bytesOf = (value: unknown): Buffer => {
  if (value === undefined) return Buffer.alloc(0);
  if (Buffer.isBuffer(value)) return value;
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
};

const byName = (headers: Headers): Headers =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** @param call - such as `GET /users/7` */
export function exchange(call: string, given: SimpleExchange = {}): Exchange {
  const [method = '', target = ''] = call.split(' ');
  const { status = 200, headers = {}, body, answer, answerHeaders = {} } = given;
  const { type = 'application/json', answerType = 'application/json; charset=utf-8' } = given;
  return {
    method,
    target,
    requestHeaders: byName({
      Host: 'x',
      ...(body !== undefined && { 'Content-Type': type }),
      ...headers,
    }),
    requestBody: bytesOf(body),
    status,
    responseHeaders: byName({
      ...(answer !== undefined && { 'Content-Type': answerType }),
      ...answerHeaders,
    }),
    responseBody: bytesOf(answer),
  };
}

/** A document as the tests read it. */
export interface AnyDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, AnyOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, unknown>>;
    readonly securitySchemes: Readonly<Record<string, unknown>>;
  };
}

interface AnyOperation {
  readonly operationId: string;
  readonly security: readonly unknown[];
  readonly parameters?: readonly { readonly name: string; readonly [member: string]: unknown }[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content; readonly headers?: unknown }>>;
}

type Content = Readonly<Record<string, { readonly schema?: unknown }>>;

export interface DocumentChoices extends NonNullable<ConstructorParameters<typeof Recording>[0]> {
  readonly enums?: boolean;
  readonly examples?: boolean;
  readonly taken?: readonly string[];
}

export function documentOf(exchanges: readonly Exchange[], choices: DocumentChoices = {}): AnyDocument {
  const recording = new Recording(choices);
  for (const each of exchanges) recording.add(each);
  const { enums = false, examples = false, basePath = '', templates = [], taken = [] } = choices;
  return recordedDocument(recording, {
    title: 'Test',
    basePath,
    templates,
    taken,
    enums,
    examples,
  }) as unknown as AnyDocument;
}

/** The only operation of exchanges of one call. */
export function operationOf(exchanges: readonly Exchange[], choices?: DocumentChoices): AnyOperation {
  const [item = {}] = Object.values(documentOf(exchanges, choices).paths);
  const [operation] = Object.values(item);
  if (operation === undefined) throw new Error('there is no operation');
  return operation;
}
