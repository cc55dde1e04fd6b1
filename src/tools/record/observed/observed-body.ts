/** The bodies that were seen in one media type: JSON, forms, text or bytes. */

import type { RequestHeaders } from '@concordat/runtime';
import type { ReadExchange } from '@concordat/runtime/observe';
import { parsedJson } from '@concordat/runtime/parts';
import type { MediaTypeObject, SchemaObject } from 'concordat/contract';
import { type Field, ObservedFields } from './observed-fields.js';
import type { WriteOptions } from './observed-text.js';
import { ObservedValue, type PlaceBudget } from './observed-value.js';
import { textsOf } from './credentials.js';

/** The parts of an exchange that a recording reads. */
export interface Exchange extends ReadExchange {
  /** The address of the client. */
  readonly address?: string;
}

/** A body as it was sent, with the headers that describe it. */
export interface SentBody {
  readonly headers: RequestHeaders;
  /** Without its content coding; undefined for a body that was too large to be kept, or could not be read. */
  readonly bytes: Uint8Array | undefined;
}

const MOST_FIELDS = 200;

/** The media type without its parameters, in lower case. A body without one is of bytes (RFC 9110 §8.3). */
export function mediaTypeOf({ 'content-type': given }: RequestHeaders): string {
  const [type = ''] = textsOf(given);
  const essence = type.replace(/;.*/s, '').trim().toLowerCase();
  return /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(essence) ? essence : 'application/octet-stream';
}

export const isJsonType = (type: string): boolean => /[/+]json$/.test(type);

export class ObservedBody {
  /** How many bodies were seen, and how many of them were understood. */
  #count = 0;
  #read = 0;
  readonly value: ObservedValue;
  readonly #fields: ObservedFields;

  constructor(
    readonly type: string,
    budget: PlaceBudget,
  ) {
    this.value = new ObservedValue(budget);
    this.#fields = new ObservedFields(MOST_FIELDS, budget);
  }

  /** @returns whether the body was small enough, and could be read */
  add({ headers, bytes }: SentBody, caller: string): boolean {
    this.#count += 1;
    const { type } = this;
    // Of texts and bytes only the media type is written.
    if (!isJsonType(type) && !isForm(type)) return bytes !== undefined;
    if (bytes === undefined) return false;
    const plain = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    if (isJsonType(type)) {
      const value = parsedJson(plain.toString());
      if (value === undefined) return false;
      this.value.add(value, { caller, isSensitive: false });
    } else {
      const fields =
        type === 'multipart/form-data' ? partsOf(plain, headers) : [...new URLSearchParams(plain.toString())];
      if (fields === undefined) return false;
      this.#fields.add(fields, caller);
    }
    this.#read += 1;
    return true;
  }

  merge(other: ObservedBody): void {
    this.#count += other.#count;
    this.#read += other.#read;
    this.value.merge(other.value);
    this.#fields.merge(other.#fields);
  }

  mediaType(options: WriteOptions): MediaTypeObject {
    // A body that could not be read may have any form.
    if (isJsonType(this.type))
      return this.#read === this.#count ? { schema: this.value.schema(options) } : {};
    if (isForm(this.type)) return { schema: this.#formSchema(options) };
    return /^text\//.test(this.type) ? { schema: { type: 'string' } } : {};
  }

  #formSchema(options: WriteOptions): SchemaObject {
    const fields = this.#fields.described(options);
    const required = fields.filter(({ count }) => count === this.#count).map(({ name }) => name);
    const properties = fields.map(({ name, schema }) => [name, schema] as const);
    return {
      type: 'object',
      ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
      ...(required.length > 0 && { required }),
    };
  }
}

const isForm = (type: string): boolean =>
  type === 'application/x-www-form-urlencoded' || type === 'multipart/form-data';

/** The parts of a multipart body (RFC 7578); undefined if it is not one. */
function partsOf(bytes: Buffer, { 'content-type': given }: RequestHeaders): readonly Field[] | undefined {
  const [type = ''] = textsOf(given);
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) return undefined;
  const [, ...parts] = `\r\n${bytes.toString('latin1')}`.split(`\r\n--${boundary}`);
  return parts.slice(0, -1).flatMap((part): readonly Field[] => {
    const end = part.indexOf('\r\n\r\n');
    const disposition =
      /^content-disposition:\s*form-data(.*)$/im.exec(part.slice(0, Math.max(end, 0)))?.[1] ?? '';
    const name = /;\s*name="((?:[^"\\]|\\.)*)"/i.exec(disposition)?.[1];
    if (name === undefined) return [];
    if (/;\s*filename\*?=/i.test(disposition)) return [[utf8(name), undefined]];
    return [[utf8(name), utf8(part.slice(end + 4))]];
  });
}

const utf8 = (latin1: string): string => Buffer.from(latin1, 'latin1').toString();
