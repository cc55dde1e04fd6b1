/** Reads the documents of a contract: files, given documents, and documents that name themselves with `$self`. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  BaseResolver,
  type Document,
  getLineColLocation,
  isAbsoluteUrl,
  Source,
  YamlParseError,
} from '@redocly/openapi-core';
import { parsedJson } from '@concordat/runtime/parts';
import type { LeftPlace } from './chosen-part.js';
import type { FetchedDocuments } from './fetched-documents.js';
import { mendedYaml } from './mended-yaml.js';
import type { DocumentReader } from './links/link-targets.js';
import { type LinkedDocument, absoluteUri } from './links/schema-index.js';
import { type Remotes, isObject } from '../schemas/document.js';
import { joinPointer, percentDecoded, pointerTokens, valueAt } from '../../text/pointer.js';

function leaveOut(document: unknown, pointer: string): void {
  const tokens = pointerTokens(pointer);
  const holder = valueAt(document, joinPointer('#', ...tokens.slice(0, -1)));
  const [name = ''] = tokens.slice(-1);
  if (Array.isArray(holder)) holder.splice(Number(name), 1);
  else if (isObject(holder)) Reflect.deleteProperty(holder, name);
}

/** Reads files, given documents from memory, and others from the origins that the user allows. */
export class RemotesResolver extends BaseResolver implements DocumentReader {
  readonly given: ReadonlyMap<string, unknown>;
  /** The URIs that documents give themselves, by the address from which each was read. */
  readonly #selves = new Map<string, string>();
  /** The addresses from which documents were read, by URI. */
  readonly #byUri = new Map<string, string>();

  /** The web addresses of examples, which are only documentation. */
  readonly #examples = new Set<string>();

  constructor(
    remotes: Remotes,
    private readonly fetched: FetchedDocuments,
    private readonly without: readonly LeftPlace[] = [],
  ) {
    super();
    this.given = new Map(Object.entries(remotes).map(([uri, document]) => [uri.replace(/#$/, ''), document]));
  }

  /** The base class would take other schemes than http, such as `urn:`, for file names. */
  override resolveExternalRef(base: string | null, ref: string): string {
    if (this.given.has(ref)) return ref;
    const self = this.#selves.get(base ?? '');
    const uri = self === undefined ? ref : (absoluteUri(ref, self) ?? ref);
    if (this.given.has(uri)) return uri;
    const found = this.#byUri.get(uri) ?? super.resolveExternalRef(base, ref);
    // A reference is a URI, in which a name such as `my pets.yaml` is percent-encoded. Some authors write the name as it is.
    if (base === null || !ref.includes('%') || isAbsoluteUrl(found) || existsSync(found)) return found;
    return super.resolveExternalRef(base, percentDecoded(ref));
  }

  override loadExternalRef(uri: string): Promise<Source> {
    if (this.#examples.has(uri)) return Promise.reject(new Error('examples are not fetched'));
    if (!this.given.has(uri)) return isAbsoluteUrl(uri) ? this.fetched.read(uri) : this.#loadFile(uri);
    const text = JSON.stringify(this.given.get(uri), undefined, 2);
    return Promise.resolve(new Source(uri, text, 'application/json'));
  }

  async #loadFile(name: string): Promise<Source> {
    this.fetched.requireWithin(name);
    return super.loadExternalRef(name);
  }

  override parseDocument(source: Source, isRoot?: boolean): Document {
    const json = source.absoluteRef.endsWith('.json') ? plainJson(source.body) : undefined;
    const document: Document =
      json === undefined ? this.#parsedYaml(source, isRoot) : { source, parsed: json };
    const { parsed } = document as { readonly parsed: unknown };
    const file = resolve(source.absoluteRef);
    for (const left of this.without) if (resolve(left.file) === file) leaveOut(parsed, left.pointer);
    const endless = tooDeep(parsed) ?? endlessExpansion(parsed);
    if (endless !== undefined) throw unreadable(source, endless);
    this.#byUri.set(uriOf(source), source.absoluteRef);
    if (typeof parsed === 'object' && parsed !== null && '$self' in parsed) this.#name(source, parsed.$self);
    for (const uri of webExamples(parsed)) if (!this.given.has(uri)) this.#examples.add(uri);
    return document;
  }

  #parsedYaml(source: Source, isRoot?: boolean): Document {
    try {
      return super.parseDocument(source, isRoot);
    } catch (error) {
      if (!(error instanceof YamlParseError)) throw error;
      return mendedYaml(source);
    }
  }

  /** OpenAPI 3.2: relative references are relative to `$self`, and other documents may refer to this one by it. */
  #name(source: Source, self: unknown): void {
    const uri = typeof self === 'string' ? absoluteUri(self, uriOf(source))?.replace(/#.*$/s, '') : undefined;
    if (uri === undefined) return;
    this.#selves.set(source.absoluteRef, uri);
    this.#byUri.set(uri, source.absoluteRef);
  }

  async read(reference: string, base?: LinkedDocument): Promise<LinkedDocument> {
    const from = base?.source.absoluteRef ?? null;
    // A document that is not a file must not cause files to be read.
    const isFile = reference.startsWith('file:') && from !== null && !hasScheme(from);
    const name = isFile ? fileURLToPath(reference) : reference;
    const document = await this.resolveDocument(from, name, base === undefined);
    if (document instanceof Error) throw document;
    const { source, parsed } = document;
    return { source, uri: this.#selves.get(source.absoluteRef) ?? uriOf(source), value: parsed };
  }
}

/**
 * The object of a JSON text, 20 times faster than the YAML parser reads it. Undefined for any other text, and for one that repeats a name
 * in an object, which the YAML parser reports with its place.
 */
function plainJson(text: string): object | undefined {
  const value = parsedJson(text);
  const names = [...text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter(([, colon]) => colon !== undefined);
  return isObject(value) && namesIn(value) === names.length ? value : undefined;
}

function namesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members: readonly unknown[] = Object.values(value);
  return members.reduce<number>(
    (sum, member) => sum + namesIn(member),
    Array.isArray(value) ? 0 : members.length,
  );
}

function uriOf({ absoluteRef }: Source): string {
  return hasScheme(absoluteRef) ? absoluteRef : pathToFileURL(absoluteRef).href;
}

/** Whether a name is a URI, and not a file; a single letter is a drive. */
function hasScheme(name: string): boolean {
  return /^[a-z][a-z\d+.-]+:/i.test(name);
}

/** An error like those of the parser, which the linter reports with its place. */
function unreadable(source: Source, { at, message }: Expansion): YamlParseError {
  const { line, col } = getLineColLocation({ source, pointer: at, reportOnKey: true }).start;
  return new YamlParseError(new Error(`${message} (${line}:${col})`), source);
}

/** The `externalValue`s of a document that are web addresses. */
function* webExamples(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  if ('externalValue' in value) {
    const { externalValue } = value;
    if (typeof externalValue === 'string' && /^https?:/i.test(externalValue)) yield externalValue;
  }
  for (const member of Object.values(value)) yield* webExamples(member);
}

/** Every document may expand to this many values, and a larger one to twice its number of values. */
const FREE_VALUES = 100_000;

/** A place whose parts would take too long to read. */
interface Expansion {
  readonly at: string;
  readonly message: string;
}

/**
 * The first part that contains itself, or that repeats its parts too often to read them all; YAML aliases and references cause both.
 * Undefined for a document whose expanded size is in proportion to its size.
 */
export function endlessExpansion(document: unknown): Expansion | undefined {
  const most = Math.max(FREE_VALUES, 2 * distinctValues(document));
  const open = new Set<object>();
  const sizes = new Map<object, number>();
  let found: Expansion | undefined;
  const sizeOf = (value: unknown, at: string): number => {
    if (typeof value !== 'object' || value === null) return 1;
    const known = sizes.get(value);
    if (known !== undefined) return known;
    if (open.has(value)) {
      found ??= { at, message: 'this part contains itself' };
      return 1;
    }
    open.add(value);
    let size = 1;
    for (const [name, member] of Object.entries(value))
      if (found === undefined) size += sizeOf(member, joinPointer(at, name));
    open.delete(value);
    sizes.set(value, size);
    if (size > most) found ??= { at, message: `this part repeats its parts: it has over ${most} values` };
    return size;
  };
  sizeOf(document, '#');
  return found;
}

function distinctValues(document: unknown): number {
  const seen = new Set<object>();
  const count = (value: unknown): number => {
    if (typeof value !== 'object' || value === null) return 1;
    if (seen.has(value)) return 0;
    seen.add(value);
    let values = 1;
    for (const member of Object.values(value)) values += count(member);
    return values;
  };
  return count(document);
}

/** The most levels of members and items, each of which takes a part of the stack in every step of generation. */
const MOST_LEVELS = 400;

/** The first place that is nested too deep. It is found without recursion. */
function tooDeep(document: unknown): Expansion | undefined {
  let level: readonly (readonly [value: unknown, above: Above | undefined])[] = [[document, undefined]];
  const seen = new Set<unknown>();
  for (let depth = 0; level.length > 0; depth += 1) {
    const [first] = level;
    if (depth > MOST_LEVELS) {
      const tokens: string[] = [];
      for (let above = first?.[1]; above !== undefined; above = above.above) tokens.unshift(above.key);
      const message = `this part is nested over ${MOST_LEVELS} levels deep`;
      return { at: joinPointer('#', ...tokens), message };
    }
    level = level.flatMap(([value, above]) => {
      if (typeof value !== 'object' || value === null || seen.has(value)) return [];
      seen.add(value);
      return Object.entries(value).map(([key, member]) => [member, { key, above }] as const);
    });
  }
  return undefined;
}

/** A key, and the key above it. */
interface Above {
  readonly key: string;
  readonly above: Above | undefined;
}
