/** Reads the documents of a contract: files, and documents that the caller gave or that name themselves with `$self`. */

import {
  type Document,
  BaseResolver,
  Source,
  YamlParseError,
  getLineColLocation,
  isAbsoluteUrl,
} from '@redocly/openapi-core';
import { Documents } from '../compiler/documents.js';
import { joinPointer } from '../text/pointer.js';
import { type Expansion, endlessExpansion } from './expansion.js';
import type { FetchedDocuments } from './fetched-documents.js';
import type { Remotes } from './openapi.js';

/** Reads files, known remote documents from memory, and others from where the user allows it. */
export class RemotesResolver extends BaseResolver {
  readonly #remotes: ReadonlyMap<string, unknown>;
  /** The URI that a document gives itself, by where it was read, and the reverse. */
  readonly #selves = new Map<string, string>();
  readonly #bySelf = new Map<string, string>();

  /** Examples on the web, which only documentation shows. */
  readonly #examples = new Set<string>();

  constructor(
    remotes: Remotes,
    private readonly fetched: FetchedDocuments,
  ) {
    super();
    this.#remotes = new Map(
      Object.entries(remotes).map(([uri, document]) => [uri.replace(/#$/, ''), document]),
    );
  }

  /** Other schemes than http, such as `urn:`, would be taken for file names. */
  override resolveExternalRef(base: string | null, ref: string): string {
    if (this.#remotes.has(ref)) return ref;
    const self = this.#selves.get(base ?? '');
    const uri = self === undefined ? ref : (absolute(ref, self) ?? ref);
    if (this.#remotes.has(uri)) return uri;
    return this.#bySelf.get(uri) ?? super.resolveExternalRef(base, ref);
  }

  override loadExternalRef(uri: string): Promise<Source> {
    if (this.#examples.has(uri)) return Promise.reject(new Error('examples are not fetched'));
    if (!this.#remotes.has(uri))
      return isAbsoluteUrl(uri) ? this.fetched.read(uri) : super.loadExternalRef(uri);
    const text = JSON.stringify(this.#remotes.get(uri), undefined, 2);
    return Promise.resolve(new Source(uri, text, 'application/json'));
  }

  override parseDocument(source: Source, isRoot?: boolean): Document {
    const document = super.parseDocument(source, isRoot);
    const { parsed } = document as { readonly parsed: unknown };
    const endless = endlessExpansion(parsed);
    if (endless !== undefined) throw unreadable(source, endless);
    if (typeof parsed === 'object' && parsed !== null && '$self' in parsed) this.#name(source, parsed.$self);
    withPointers(parsed);
    for (const uri of webExamples(parsed)) if (!this.#remotes.has(uri)) this.#examples.add(uri);
    return document;
  }

  /** OpenAPI 3.2: relative references are relative to `$self`, and others may refer to the document by it. */
  #name({ absoluteRef }: Source, self: unknown): void {
    const base = /^[a-z][a-z\d+.-]*:/i.test(absoluteRef) ? absoluteRef : `file://${absoluteRef}`;
    const uri = typeof self === 'string' ? absolute(self, base)?.replace(/#.*$/s, '') : undefined;
    if (uri === undefined) return;
    this.#selves.set(absoluteRef, uri);
    this.#bySelf.set(uri, absoluteRef);
  }
}

/** An error as the parser throws it, which the linter reports with its place. */
function unreadable(source: Source, { at, message }: Expansion): YamlParseError {
  const { line, col } = getLineColLocation({ source, pointer: at, reportOnKey: true }).start;
  return new YamlParseError(new Error(`${message} (${String(line)}:${String(col)})`), source);
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

function absolute(reference: string, base: string): string | undefined {
  return URL.canParse(reference, base) ? new URL(reference, base).href : undefined;
}

/** An anchor in the same document (JSON Schema, Core §8.2.2). */
const ANCHOR = /^#[A-Za-z_]/;

/**
 * Rewrites, in place, every `$ref` of a document to one of its own anchors, as a JSON Pointer: only the schema compiler knows
 * anchors. One without a target stays as it is.
 */
function withPointers(document: unknown): void {
  const references = anchorReferences(document);
  if (references.length === 0) return;
  const documents = new Documents(document);
  for (const reference of references) {
    const at = placeOf(documents, reference) ?? looseAnchor(document, reference.$ref.slice(1));
    // The linter reports a reference without a target, with its place.
    if (at?.startsWith('#/') === true) reference.$ref = at;
  }
}

function placeOf(documents: Documents, reference: AnchorReference): string | undefined {
  try {
    return documents.resolve(reference.$ref, documents.ownerOf(reference)).at;
  } catch {
    return undefined;
  }
}

/** The only place of an anchor in a file of parts, which is neither OpenAPI nor a schema, so that schemas may be anywhere. */
function looseAnchor(document: unknown, name: string): string | undefined {
  if (typeof document !== 'object' || document === null || 'openapi' in document) return undefined;
  const [place, ...others] = placesOfAnchor(document, name, '#');
  return others.length === 0 ? place : undefined;
}

function placesOfAnchor(value: unknown, name: string, at: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, member]) =>
    placesOfAnchor(member, name, joinPointer(at, key)),
  );
  return '$anchor' in value && value.$anchor === name ? [at, ...inner] : inner;
}

interface AnchorReference {
  $ref: string;
}

function anchorReferences(value: unknown): readonly AnchorReference[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(anchorReferences);
  return isAnchorReference(value) ? [value, ...inner] : inner;
}

function isAnchorReference(value: object): value is AnchorReference {
  return '$ref' in value && typeof value.$ref === 'string' && ANCHOR.test(value.$ref);
}
