/** The documents that references can lead to: their resources, anchors and dialects (JSON Schema, Core §8 and §9). */
import { joinPointer, pointerTokens } from '../text/pointer.js';
import type { SchemaObject } from './linked-schema.js';
import { ALL_VOCABULARIES, vocabulariesOf, type Vocabularies, isObject, subschemas } from './vocabularies.js';

/** A place in one of the documents. */
export interface Location {
  readonly schema: unknown;
  /** `#/a/b` in the document itself, `https://…#/a/b` in another. */
  readonly at: string;
  /** The resource that it belongs to, to which its references are relative. */
  readonly resource: Resource;
}

/** A schema with its own URI, and its anchors. */
export interface Resource {
  readonly uri: string;
  readonly root: unknown;
  readonly at: string;
  readonly anchors: Map<string, Location | 'several'>;
  readonly dynamicAnchors: Map<string, Location>;
  /** The vocabularies of its dialect; all of 2020-12 where the dialect is unknown. */
  readonly vocabularies: Vocabularies;
}

/** The dynamic scope of a schema: for each anchor name, the outermost resource that has it. */
export type DynamicScope = ReadonlyMap<string, Location>;

/** The URI of a root document without `$id`; relative references can only lead to the given documents. */
const UNNAMED = 'document:///';

/** A document and its remote documents. */
export class Documents {
  readonly #resources = new Map<string, Resource>();
  readonly #owners = new Map<object, Resource>();
  readonly #dynamicAnchors: (readonly [string, Location])[] = [];
  readonly #remotes: ReadonlyMap<string, unknown>;
  readonly root: Resource;

  /**
   * @param document an OpenAPI document, or a schema
   * @param remotes other documents by URI; each is read when it is first needed
   */
  constructor(document: unknown, remotes: Readonly<Record<string, unknown>> = {}) {
    this.#remotes = new Map(Object.entries(remotes).map(([uri, remote]) => [absolute(uri, UNNAMED), remote]));
    this.root = this.#read(document, UNNAMED, '#');
  }

  /** The resource of a schema; without one, the document. */
  ownerOf(schema: unknown): Resource {
    return (isObject(schema) ? this.#owners.get(schema) : undefined) ?? this.root;
  }

  /** The target of a reference. @throws when there is no target */
  resolve(reference: string, from: Resource): Location {
    const [target = '', fragment = ''] = absolute(reference, from.uri).split(/#(.*)/s);
    const resource = target === from.uri ? from : this.#resource(target, reference);
    if (fragment !== '' && !fragment.startsWith('/')) {
      const name = decodeURIComponent(fragment);
      const found = resource.anchors.get(name);
      if (found === undefined) throw new Error(`${reference}: the reference points nowhere`);
      if (found === 'several') throw new Error(`${reference}: several schemas have this anchor`);
      return found;
    }
    return this.#pointed(resource, fragment, reference);
  }

  /** The target of a `$dynamicRef`, searched from the outermost resource (Core §8.2.3.2). */
  resolveDynamic(reference: string, from: Resource, scope: DynamicScope): Location {
    const first = this.resolve(reference, from);
    const name = /#([^/].*)$/.exec(reference)?.[1];
    const isDynamic = name !== undefined && first.resource.dynamicAnchors.get(name)?.schema === first.schema;
    return isDynamic ? (scope.get(name) ?? first) : first;
  }

  /** The dynamic scope inside a resource. */
  entered(scope: DynamicScope, resource: Resource): DynamicScope {
    const added = [...resource.dynamicAnchors].filter(([name]) => !scope.has(name));
    return added.length === 0 ? scope : new Map([...scope, ...added]);
  }

  #resource(uri: string, reference: string): Resource {
    const known = this.#resources.get(uri);
    if (known !== undefined) return known;
    const remote = this.#remotes.get(uri);
    if (remote === undefined) throw new Error(`${reference}: the document is not given`);
    return this.#read(remote, uri, `${uri}#`);
  }

  #pointed(resource: Resource, fragment: string, reference: string): Location {
    let { root: schema, at } = resource;
    let owner = resource;
    for (const token of pointerTokens(`#${fragment}`)) {
      if (typeof schema !== 'object' || schema === null || !Object.hasOwn(schema, token))
        throw new Error(`${reference}: the reference points nowhere`);
      schema = (schema as Readonly<Record<string, unknown>>)[token];
      at = joinPointer(at, token);
      if (isObject(schema)) owner = this.#owners.get(schema) ?? owner;
    }
    // A place that no keyword describes as a schema becomes one when a reference leads to it.
    if (isObject(schema) && !this.#owners.has(schema)) {
      this.#index(schema, at, owner, true);
      owner = this.#owners.get(schema) ?? owner;
    }
    return { schema, at, resource: owner };
  }

  #read(document: unknown, uri: string, at: string): Resource {
    const resource = this.#make(document, uri, at);
    this.#resources.set(uri, resource);
    for (const entry of schemasIn(document, at)) this.#index(entry.schema, entry.at, resource, false);
    return this.#resources.get(uri) ?? resource;
  }

  #make(root: unknown, uri: string, at: string, outer?: Resource): Resource {
    const dialect = isObject(root) ? root['$schema'] : undefined;
    const vocabularies = typeof dialect === 'string' ? this.vocabularies(dialect) : outer?.vocabularies;
    return {
      uri,
      root,
      at,
      anchors: new Map(),
      dynamicAnchors: new Map(),
      vocabularies: vocabularies ?? ALL_VOCABULARIES,
    };
  }

  /** The vocabularies of a dialect; undefined for an unknown one. */
  vocabularies(dialect: string): Vocabularies | undefined {
    const uri = absolute(dialect, UNNAMED).replace(/#$/, '');
    return vocabulariesOf(uri, this.#remotes.get(uri) ?? this.#resources.get(uri)?.root);
  }

  /** Records a schema, its anchors, and all schemas inside. */
  #index(schema: unknown, at: string, outer: Resource, isEmbedded: boolean): void {
    if (!isObject(schema) || this.#owners.has(schema)) return;
    const owner = this.#ownerFrom(schema, at, outer, isEmbedded);
    this.#owners.set(schema, owner);
    const location = { schema, at, resource: owner };
    const { $anchor, $dynamicAnchor } = schema;
    for (const name of new Set([$anchor, $dynamicAnchor]))
      if (typeof name === 'string') owner.anchors.set(name, owner.anchors.has(name) ? 'several' : location);
    if (typeof $dynamicAnchor === 'string') {
      owner.dynamicAnchors.set($dynamicAnchor, location);
      this.#dynamicAnchors.push([$dynamicAnchor, location]);
    }
    for (const inner of subschemas(schema))
      this.#index(inner.schema, joinPointer(at, ...inner.path), owner, true);
  }

  #ownerFrom(schema: SchemaObject, at: string, outer: Resource, isEmbedded: boolean): Resource {
    const { $id, $schema } = schema;
    // The root of a document has two URIs: the one that it was given with, and its `$id`.
    const isRoot = outer.root === schema && !isEmbedded;
    if (typeof $id !== 'string') {
      // Each Schema Object of an OpenAPI document may name its dialect, also without an `$id`.
      const own = !isEmbedded && typeof $schema === 'string' ? this.vocabularies($schema) : undefined;
      return own === undefined ? outer : { ...outer, vocabularies: own };
    }
    const uri = absolute($id, outer.uri).replace(/#.*$/s, '');
    const owner = isRoot ? { ...outer, uri } : this.#make(schema, uri, at, outer);
    if (isRoot) this.#resources.set(outer.uri, owner);
    this.#resources.set(uri, owner);
    return owner;
  }

  /** Every possible target of a dynamic reference. */
  dynamicTargets(reference: string): readonly Location[] {
    const name = /#([^/].*)$/.exec(reference)?.[1];
    return this.#dynamicAnchors.flatMap(([known, location]) => (known === name ? [location] : []));
  }
}

interface Entry {
  readonly schema: unknown;
  readonly at: string;
}

/** The schemas of an OpenAPI document; any other document is itself a schema. */
function schemasIn(document: unknown, at: string): Iterable<Entry> {
  return isObject(document) && 'openapi' in document
    ? schemaObjects(document, at)
    : [{ schema: document, at }];
}

function* schemaObjects(value: object, at: string): Generator<Entry> {
  for (const [key, member] of Object.entries(value) as Iterable<[string, unknown]>) {
    const place = joinPointer(at, key);
    if (typeof member !== 'object' || member === null || /^(?:examples?|default|x-.*)$/.test(key)) continue;
    if (key === 'schema' || key === 'itemSchema') yield { schema: member, at: place };
    else if (key === 'schemas')
      for (const [name, schema] of Object.entries(member)) yield { schema, at: joinPointer(place, name) };
    else yield* schemaObjects(member, place);
  }
}

/** Resolves a reference (RFC 3986 §5); undefined for an invalid one. */
function absolute(reference: string, base: string): string {
  try {
    return new URL(reference, base).href;
  } catch {
    throw new Error(`${reference}: not a URI reference`);
  }
}
