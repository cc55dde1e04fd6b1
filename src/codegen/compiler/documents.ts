/** The documents that references can lead to: their resources, anchors and dialects (JSON Schema, Core §8 and §9). */
import { joinPointer, pointerTokens } from '../schemas/pointer.js';
import { isObject, subschemas } from './raw-schema.js';
import { ALL_VOCABULARIES, vocabulariesOf, type Vocabularies } from './vocabularies.js';

/** A place in one of the documents. */
export interface Location {
  readonly schema: unknown;
  /** `#/a/b` in the document itself, `https://…#/a/b` in another. */
  readonly at: string;
  /** The resource that it belongs to: what its own references are relative to. */
  readonly resource: Resource;
}

/** A schema with a URI of its own, and what can be referred to in it by name. */
export interface Resource {
  readonly uri: string;
  readonly root: unknown;
  readonly at: string;
  readonly anchors: Map<string, Location>;
  readonly dynamicAnchors: Map<string, Location>;
  /** The vocabularies that its keywords are taken from. */
  readonly vocabularies: Vocabularies;
}

/** What an anchor means in the resources that lead to a schema: for each name, the outermost that has it. */
export type DynamicScope = ReadonlyMap<string, Location>;

/** What the root document is called where it has no `$id`: relative references stay within what is given. */
const UNNAMED = 'document:///';

/** A document and the others that are given with it. */
export class Documents {
  readonly #resources = new Map<string, Resource>();
  readonly #owners = new Map<object, Resource>();
  readonly #remotes: ReadonlyMap<string, unknown>;
  readonly #entries: (document: unknown, at: string) => Iterable<Entry>;
  readonly root: Resource;

  /**
   * @param remotes other documents by the URI that references know them by; each is read when it is first needed
   * @param entries where schemas are in a document that is none itself
   */
  constructor(
    document: unknown,
    remotes: Readonly<Record<string, unknown>> = {},
    entries: (document: unknown, at: string) => Iterable<Entry> = wholeDocument,
  ) {
    this.#remotes = new Map(Object.entries(remotes).map(([uri, remote]) => [absolute(uri, UNNAMED), remote]));
    this.#entries = entries;
    this.root = this.#read(document, UNNAMED, '#');
  }

  /** The resource that a schema of a document belongs to; what is in none of them belongs to the document. */
  ownerOf(schema: unknown): Resource {
    return (isObject(schema) ? this.#owners.get(schema) : undefined) ?? this.root;
  }

  /**
   * Where a reference leads.
   *
   * @throws when it leads nowhere
   */
  resolve(reference: string, from: Resource): Location {
    const [target = '', fragment = ''] = absolute(reference, from.uri).split(/#(.*)/s);
    const resource = target === from.uri ? from : this.#resource(target, reference);
    if (fragment !== '' && !fragment.startsWith('/')) {
      const name = decodeURIComponent(fragment);
      const found = resource.anchors.get(name);
      if (found === undefined) throw new Error(`${reference}: the reference points nowhere`);
      return found;
    }
    return this.#pointed(resource, fragment, reference);
  }

  /** Where a `$dynamicRef` leads, from the outermost resource in (Core §8.2.3.2). */
  resolveDynamic(reference: string, from: Resource, scope: DynamicScope): Location {
    const first = this.resolve(reference, from);
    const name = /#([^/].*)$/.exec(reference)?.[1];
    const isDynamic = name !== undefined && first.resource.dynamicAnchors.get(name)?.schema === first.schema;
    return isDynamic ? (scope.get(name) ?? first) : first;
  }

  /** The scope inside a resource that is entered. */
  entered(scope: DynamicScope, resource: Resource): DynamicScope {
    const added = [...resource.dynamicAnchors].filter(([name]) => !scope.has(name));
    return added.length === 0 ? scope : new Map([...scope, ...added]);
  }

  #resource(uri: string, reference: string): Resource {
    const known = this.#resources.get(uri);
    if (known !== undefined) return known;
    const remote = this.#remotes.get(uri);
    if (remote === undefined) throw new Error(`${reference}: no document is given for ${uri}`);
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
    // What no keyword led to is a schema all the same, now that a reference does.
    if (isObject(schema) && !this.#owners.has(schema)) {
      this.#index(schema, at, owner, true);
      owner = this.#owners.get(schema) ?? owner;
    }
    return { schema, at, resource: owner };
  }

  #read(document: unknown, uri: string, at: string): Resource {
    const resource = this.#make(document, uri, at);
    this.#resources.set(uri, resource);
    for (const entry of this.#entries(document, at)) this.#index(entry.schema, entry.at, resource, false);
    return this.#resources.get(uri) ?? resource;
  }

  #make(root: unknown, uri: string, at: string): Resource {
    const dialect = isObject(root) ? root['$schema'] : undefined;
    const vocabularies =
      typeof dialect === 'string'
        ? this.#vocabularies(dialect, at)
        : (this.root as Resource | undefined)?.vocabularies;
    return {
      uri,
      root,
      at,
      anchors: new Map(),
      dynamicAnchors: new Map(),
      vocabularies: vocabularies ?? ALL_VOCABULARIES,
    };
  }

  #vocabularies(dialect: string, at: string): Vocabularies {
    const uri = absolute(dialect, UNNAMED).replace(/#$/, '');
    const meta = this.#remotes.get(uri) ?? this.#resources.get(uri)?.root;
    const found = vocabulariesOf(uri, meta);
    if (found === undefined)
      throw new Error(`${joinPointer(at, '$schema')}: the schema dialect ${dialect} is not supported`);
    return found;
  }

  /** Takes down a schema, its names, and all schemas inside. */
  #index(schema: unknown, at: string, outer: Resource, isEmbedded: boolean): void {
    if (!isObject(schema) || this.#owners.has(schema)) return;
    let owner = outer;
    const { $id, $anchor, $dynamicAnchor } = schema;
    if (typeof $id === 'string') {
      const uri = absolute($id, outer.uri).replace(/#.*$/s, '');
      // A document's root has two names: the one it was fetched by, and its own.
      const isRoot = outer.root === schema && !isEmbedded;
      owner = isRoot ? { ...outer, uri } : this.#make(schema, uri, at);
      if (isRoot) this.#resources.set(outer.uri, owner);
      this.#resources.set(uri, owner);
    }
    this.#owners.set(schema, owner);
    const location = { schema, at, resource: owner };
    if (typeof $anchor === 'string') owner.anchors.set($anchor, location);
    if (typeof $dynamicAnchor === 'string') {
      owner.anchors.set($dynamicAnchor, location);
      owner.dynamicAnchors.set($dynamicAnchor, location);
    }
    for (const inner of subschemas(schema))
      this.#index(inner.schema, joinPointer(at, ...inner.path), owner, true);
  }
}

/** A schema that a document holds. */
export interface Entry {
  readonly schema: unknown;
  readonly at: string;
}

function wholeDocument(schema: unknown, at: string): readonly Entry[] {
  return [{ schema, at }];
}

/** RFC 3986 §5; a reference that is no URI names nothing. */
function absolute(reference: string, base: string): string {
  try {
    return new URL(reference, base).href;
  } catch {
    throw new Error(`${reference}: not a URI reference`);
  }
}
