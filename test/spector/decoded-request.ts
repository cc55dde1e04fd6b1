/** Compares a decoded request with what a scenario sends: a reading of the styles that is apart from the engine's. */

import { isDeepStrictEqual } from 'node:util';
import type { OperationContract, ParameterCodec } from '../../src/runtime/contract/contract.js';
import type { DecodedRequest } from '../../src/runtime/rest/operation/handler.js';
import { serialize } from '../runtime/rest/decode/serialize.js';
import { type Exchange, type Multipart, rawOf, type Target } from './scenarios.js';

const DELIMITERS: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' };

/** What a handler learns of a request. */
interface Given extends DecodedRequest {
  /** The credential, or `nobody`. */
  readonly caller: string;
}

/** @returns the first difference, undefined where there is none */
export async function differenceOf(
  { path, parameters = [] }: OperationContract,
  given: Given,
  sent: Exchange,
  target: Target,
): Promise<string | undefined> {
  const written = writtenPath(path, parameters, given);
  if (written !== decodeURIComponent(sent.path)) return `decoded the path as ${written}`;
  const credentials = Object.values(sent.headers).map((text) => text.replace(/^\w+ /, ''));
  if (![...credentials, 'nobody'].includes(given.caller)) return `read the credential ${given.caller}`;
  const others = new Set(parameters.flatMap((each) => (each.in === 'query' ? each.name : [])));
  for (const codec of parameters) {
    if (codec.in === 'path') continue;
    const { query, headers: header, cookies: cookie } = given;
    const values = { query, querystring: query, header, cookie }[codec.in];
    const decoded = values[codec.name];
    const expected = expectedOf(codec, sent, decoded, others);
    if (!isDeepStrictEqual(texts(decoded), expected)) {
      return `decoded the ${codec.in} parameter ${codec.name} as ${shown(decoded)}, not ${shown(expected)}`;
    }
  }
  const [body, expected] = [await plainBody(given.body, sent), bodyOf(sent, target)];
  return isDeepStrictEqual(body, expected)
    ? undefined
    : `decoded the body as ${shown(body)}, not ${shown(expected)}`;
}

/** The path that the decoded parameters would be sent in, percent-decoded. */
function writtenPath(template: string, parameters: readonly ParameterCodec[], given: DecodedRequest): string {
  return template.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const codec = parameters.find((each) => each.in === 'path' && each.name === name);
    const notation = {
      in: 'path',
      style: codec?.style ?? 'simple',
      explode: codec?.explode ?? false,
    } as const;
    return decodeURIComponent(serialize(notation, name, given.path[name]));
  });
}

/**
 * What a parameter that is no path parameter should be, with texts for scalars.
 *
 * @param decoded - decides between the shapes that a schema allows
 * @param names - those of the operation's query parameters: an exploded object has all other names
 */
function expectedOf(
  codec: ParameterCodec,
  { query, headers }: Exchange,
  decoded: unknown,
  names: ReadonlySet<string>,
): unknown {
  const { name, style = 'form', explode = false } = codec;
  const isObject = typeof decoded === 'object' && decoded !== null && !Array.isArray(decoded);
  if (codec.in === 'query' && isObject && explode) {
    return Object.fromEntries([...query].filter(([key]) => !names.has(key)));
  }
  const given = codec.in === 'query' ? query.getAll(name) : [headers[name.toLowerCase()] ?? []].flat();
  const [text] = given;
  if (text === undefined) return codec.default === undefined ? undefined : texts(codec.default);
  if (Array.isArray(decoded)) {
    return codec.in === 'query' && explode ? given : text.split(DELIMITERS[style] ?? ',');
  }
  if (!isObject) return text;
  const pieces = text.split(DELIMITERS[style] ?? ',');
  return Object.fromEntries(
    pieces.flatMap((key, index) => (index % 2 === 0 ? [[key, pieces[index + 1]]] : [])),
  );
}

/** A decoded value with texts for scalars: that they have the right type is what the generated checks are for. */
function texts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(texts);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, texts(member)]));
  }
  return value === undefined || typeof value === 'string' ? value : JSON.stringify(value);
}

/** The body that a handler should be given. */
function bodyOf({ body, headers }: Exchange, target: Target): unknown {
  if (body === undefined) return undefined;
  if ('kind' in body) return sentParts(body);
  const raw = rawOf(body, target);
  const contentType = body.contentType || headers['content-type'] || '';
  if (/[/+]json$/.test(contentType)) return JSON.parse(String(raw));
  return contentType.startsWith('text/') ? raw : Buffer.from(raw);
}

/** A decoded body in the form of what was sent. */
async function plainBody(body: unknown, { body: sent }: Exchange): Promise<unknown> {
  if (body instanceof Uint8Array) return Buffer.from(body);
  if (typeof body !== 'object' || body === null || sent === undefined || !('kind' in sent)) return body;
  const fields: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body) as [string, unknown][]) {
    const files = [value].flat().filter((each): each is File => each instanceof File);
    const content = await Promise.all(files.map(async (file) => Buffer.from(await file.arrayBuffer())));
    fields[name] =
      files.length === 0
        ? typeof value === 'string'
          ? value
          : JSON.stringify(value)
        : files.map(({ name, type }, index) => ({ name, type, content: content[index] }));
  }
  return fields;
}

/** The files, and the text of each other field. */
function sentParts({ parts = {}, files = [] }: Multipart): unknown {
  const fields: Record<string, unknown> = Object.fromEntries(
    Object.entries(parts).map(([name, value]) => [name, JSON.stringify(value)]),
  );
  for (const { fieldname, originalname, mimetype, buffer } of files) {
    const before = (fields[fieldname] ?? []) as readonly unknown[];
    fields[fieldname] = [...before, { name: originalname, type: mimetype, content: Buffer.from(buffer) }];
  }
  return fields;
}

function shown(value: unknown): string {
  return value instanceof Uint8Array ? `${value.length} bytes` : JSON.stringify(value);
}
