/** The schema resources and anchors of the documents of a contract, by URI (JSON Schema, Core §8.2). */

import type { Source } from '@redocly/openapi-core';
import { holderOf, ALL_VOCABULARIES, type Vocabularies, vocabulariesOf } from '../../schemas/dialect.js';
import { elements, entries, isObject, type Fields } from '../../schemas/document.js';
import { joinPointer, percentDecoded, pointerTokens } from '../../../text/pointer.js';
import { words } from '../../../text/identifiers.js';

/** A document that has been read. */
export interface LinkedDocument {
  readonly source: Source;
  /** The URI that its references are relative to. */
  readonly uri: string;
  readonly value: unknown;
}

/** A document, or a schema with its own URI, and its anchors. */
export interface Resource {
  readonly uri: string;
  readonly document: LinkedDocument;
  readonly root: unknown;
  /** The place of its root in the document. */
  readonly at: string;
  readonly anchors: Map<string, Location>;
  readonly dynamicAnchors: Map<string, Location>;
  /** The anchors that several of its schemas have. */
  readonly repeated: Set<string>;
  /** The vocabularies of its dialect; all of 2020-12 if the dialect is unknown. */
  readonly vocabularies: Vocabularies;
}

/** A place in one of the documents. */
export interface Location {
  readonly schema: unknown;
  /** JSON Pointer into the document of the resource. */
  readonly at: string;
  /** The resource that it belongs to, to which its references are relative. */
  readonly resource: Resource;
}

/** A schema that was found in a document. */
export interface Found extends Location {
  readonly schema: Fields;
  /** Whether the evaluation of a value may begin here: a Schema Object of the document, or the root of a resource. */
  readonly isEntry: boolean;
}

/** A reference to another file from outside a schema, or a file that a discriminator names. */
export interface PlainReference {
  readonly reference: string;
  readonly document: LinkedDocument;
}

export class SchemaIndex {
  readonly #documents = new Map<string, Resource>();
  readonly #resources = new Map<string, Resource>();
  readonly #owners = new Map<object, Resource>();

  /** The schemas that have been found. A value that no keyword declares as a schema is added when a reference leads to it. */
  readonly schemas: Found[] = [];
  readonly references: PlainReference[] = [];
  /** The URIs that several schemas share. */
  readonly repeated = new Set<string>();

  /** @param given documents that may be meta-schemas, by URI */
  constructor(private readonly given: ReadonlyMap<string, unknown>) {}

  /** Adds a document, once. */
  add(document: LinkedDocument): Resource {
    const known = this.#documents.get(document.source.absoluteRef);
    if (known !== undefined) return known;
    const { uri, value } = document;
    const dialect = isObject(value) ? (value['jsonSchemaDialect'] ?? value['$schema']) : undefined;
    const resource = this.#make({ uri, document, root: value, at: '#' }, dialect);
    this.#documents.set(document.source.absoluteRef, resource);
    this.#name(uri, resource);
    const isContract = isObject(value) && 'openapi' in value;
    if (!isContract) this.#index(value, '#', resource, true);
    for (const part of referencesAndSchemas(value)) {
      if ('at' in part) this.#index(part.schema, part.at, resource, true);
      else if (!this.#owners.has(part.holder)) this.#refer(part.reference, document);
    }
    return this.#owners.get(value as object) ?? resource;
  }

  /** The resource with a URI. */
  resource(uri: string): Resource | undefined {
    return this.#resources.get(uri);
  }

  /** The place of an anchor, or of a JSON Pointer, in a resource. */
  find(resource: Resource, fragment: string): Location | undefined {
    if (fragment === '' || fragment.startsWith('/')) return this.#pointed(resource, fragment);
    const name = percentDecoded(fragment);
    return resource.anchors.get(name) ?? this.#looseAnchor(resource, name);
  }

  /** The vocabularies of a dialect; undefined for a dialect whose meta-schema is not among the documents. */
  vocabularies(dialect: unknown): Vocabularies | undefined {
    if (typeof dialect !== 'string') return undefined;
    const uri = dialect.replace(/#$/, '');
    return vocabulariesOf(this.given.get(uri) ?? this.#resources.get(uri)?.root);
  }

  #refer(reference: string, document: LinkedDocument): void {
    if (!reference.startsWith('#')) this.references.push({ reference, document });
  }

  #pointed(resource: Resource, fragment: string): Location | undefined {
    let { root: schema, at } = resource;
    let owner = resource;
    for (const token of pointerTokens(`#${fragment}`)) {
      if (typeof schema !== 'object' || schema === null || !Object.hasOwn(schema, token)) return undefined;
      schema = (schema as Fields)[token];
      at = joinPointer(at, token);
      if (isObject(schema)) owner = this.#owners.get(schema) ?? owner;
    }
    return this.#target(schema, at, owner);
  }

  /**
   * The place of an anchor in a file that is neither OpenAPI nor a schema, and may have schemas anywhere; undefined unless it is unique.
   */
  #looseAnchor(resource: Resource, name: string): Location | undefined {
    if (resource.at !== '#' || !isObject(resource.root) || 'openapi' in resource.root) return undefined;
    const [place, ...others] = placesOfAnchor(resource.root, name, '#');
    return place === undefined || others.length > 0 ? undefined : this.#pointed(resource, place.slice(1));
  }

  /** The location of a reference's target, which becomes a schema even if no keyword declares it as one. */
  #target(schema: unknown, at: string, owner: Resource): Location {
    if (isObject(schema) && !('openapi' in schema)) this.#index(schema, at, owner, false);
    return { schema, at, resource: (isObject(schema) ? this.#owners.get(schema) : undefined) ?? owner };
  }

  #make(
    parts: Pick<Resource, 'uri' | 'document' | 'root' | 'at'>,
    dialect: unknown,
    outer?: Resource,
  ): Resource {
    const vocabularies = this.vocabularies(dialect) ?? outer?.vocabularies ?? ALL_VOCABULARIES;
    return { ...parts, anchors: new Map(), dynamicAnchors: new Map(), repeated: new Set(), vocabularies };
  }

  #name(uri: string, resource: Resource): void {
    const known = this.#resources.get(uri);
    if (known !== undefined && known.root !== resource.root) this.repeated.add(uri);
    else this.#resources.set(uri, resource);
  }

  /** Records a schema, its anchors, and all schemas inside. */
  #index(schema: unknown, at: string, outer: Resource, isEntry: boolean): void {
    if (!isObject(schema) || this.#owners.has(schema)) return;
    const owner = this.#ownerFrom(schema, at, outer, isEntry);
    this.#owners.set(schema, owner);
    const location = { schema, at, resource: owner };
    this.schemas.push({ ...location, isEntry: isEntry || owner.root === schema });
    const { $anchor, $dynamicAnchor } = schema;
    for (const name of new Set([$anchor, $dynamicAnchor])) {
      if (typeof name !== 'string') continue;
      if (owner.anchors.has(name)) owner.repeated.add(name);
      else owner.anchors.set(name, location);
    }
    if (typeof $dynamicAnchor === 'string') owner.dynamicAnchors.set($dynamicAnchor, location);
    const mapping = isObject(schema['discriminator']) ? schema['discriminator']['mapping'] : undefined;
    for (const [, target] of entries(mapping))
      if (/[/.]/.test(String(target))) this.#refer(String(target), owner.document);
    for (const [keyword, value] of Object.entries(schema)) {
      const place = joinPointer(at, keyword);
      const holds = holderOf(keyword);
      if (holds === 'one') this.#index(value, place, owner, false);
      const members = holds === 'list' ? elements(value).entries() : holds === 'map' ? entries(value) : [];
      for (const [key, each] of members) this.#index(each, joinPointer(place, key), owner, false);
    }
  }

  #ownerFrom(schema: Fields, at: string, outer: Resource, isEntry: boolean): Resource {
    const { $id, $schema } = schema;
    const uri = typeof $id === 'string' ? absoluteUri($id, outer.uri)?.replace(/#.*$/s, '') : undefined;
    if (uri === undefined || uri === outer.uri) {
      // Each Schema Object of an OpenAPI document may name its dialect, even without an `$id`.
      const own = isEntry ? this.vocabularies($schema) : undefined;
      return own === undefined ? outer : { ...outer, vocabularies: own };
    }
    // The root of a document has two URIs: the one that it was read from, and its `$id`.
    const isRoot = outer.root === schema;
    const owner = isRoot
      ? { ...outer, uri }
      : this.#make({ uri, document: outer.document, root: schema, at }, $schema, outer);
    if (isRoot) this.#resources.set(outer.uri, owner);
    this.#name(uri, owner);
    return owner;
  }
}

function placesOfAnchor(value: unknown, name: string, at: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, member]) =>
    placesOfAnchor(member, name, joinPointer(at, key)),
  );
  return '$anchor' in value && value.$anchor === name ? [at, ...inner] : inner;
}

/** Resolves a reference (RFC 3986 §5); undefined for an invalid one. */
export function absoluteUri(reference: string, base: string): string | undefined {
  return URL.canParse(reference, base) ? new URL(reference, base).href : undefined;
}

type DocumentPart = Pick<Location, 'schema' | 'at'> | ReferencePart;

interface ReferencePart {
  readonly reference: string;
  readonly holder: object;
}

/** Fields whose members have free names, such as `schema`. */
const NAMED = new Set(
  words(`parameters responses requestBodies headers examples links callbacks pathItems mediaTypes securitySchemes
  content paths webhooks variables scopes encoding`),
);

const DATA = /^(?:examples?|default|enum|const|x-.*)$/;

function* referencesAndSchemas(value: unknown): Generator<DocumentPart> {
  yield* parts(value, '#', '', new Set());
}

function* parts(value: unknown, at: string, key: string, seen: Set<object>): Generator<DocumentPart> {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  // A YAML alias makes one object a part of several.
  seen.add(value);
  const isNamed = NAMED.has(key) && !Array.isArray(value);
  if ('$ref' in value && typeof value.$ref === 'string') yield { reference: value.$ref, holder: value };
  for (const [name, member] of Object.entries(value) as Iterable<[string, unknown]>) {
    const place = joinPointer(at, name);
    if (isNamed) yield* parts(member, place, '', seen);
    else if (DATA.test(name)) continue;
    else if (name === 'schema' || name === 'itemSchema') yield { schema: member, at: place };
    else if (name === 'schemas' && isObject(member))
      for (const [each, schema] of Object.entries(member)) yield { schema, at: joinPointer(place, each) };
    else yield* parts(member, place, name, seen);
  }
}
