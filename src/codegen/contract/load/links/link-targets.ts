/** Reads every document that a contract refers to, and finds the targets of the references in its schemas. */
import {
  type Found,
  type LinkedDocument,
  type Location,
  type PlainReference,
  type Resource,
  SchemaIndex,
  absoluteUri,
} from './schema-index.js';

export interface DocumentReader {
  /** The documents that were given, by URI. */
  readonly given: ReadonlyMap<string, unknown>;
  /**
   * Reads a document.
   *
   * @param base the document that refers to it
   * @throws when it cannot be read
   */
  read(reference: string, base?: LinkedDocument): Promise<LinkedDocument>;
}

/** A reference of a schema. */
export interface Link {
  readonly from: Found;
  readonly keyword: '$ref' | '$dynamicRef';
  readonly reference: string;
  /** The URI that it names, without its fragment; undefined if it names none. */
  readonly uri: string | undefined;
  readonly fragment: string;
}

export class LinkTargets {
  readonly index: SchemaIndex;
  /** The links with a target, and those without. */
  readonly found = new Map<Link, Location>();
  readonly lost = new Set<Link>();
  #openReferences: PlainReference[] = [];
  #schemas = 0;
  #references = 0;

  constructor(private readonly reader: DocumentReader) {
    this.index = new SchemaIndex(reader.given);
  }

  async follow(root: LinkedDocument): Promise<void> {
    this.index.add(root);
    // Fetching comes last, because a document may give itself the URI from which another would be fetched.
    for (const fetches of [false, true]) while (await this.#step(fetches));
  }

  /** Follows the links and references that are known so far. @returns whether this added any */
  async #step(fetches: boolean): Promise<boolean> {
    const { schemas, references } = this.index;
    const before = this.found.size;
    for (const link of schemas.slice(this.#schemas).flatMap((schema) => [...linksOf(schema)]))
      this.lost.add(link);
    this.#openReferences.push(...references.slice(this.#references));
    [this.#schemas, this.#references] = [schemas.length, references.length];
    const open = this.#openReferences;
    this.#openReferences = [];
    for (const each of open) {
      const uri = absoluteUri(each.reference, each.document.uri);
      if (!fetches && this.#isFetched(uri)) this.#openReferences.push(each);
      else await this.#read(each.reference, each.document);
    }
    for (const link of this.lost) {
      const target = await this.#target(link, fetches);
      if (target === undefined) continue;
      this.found.set(link, target);
      this.lost.delete(link);
    }
    return this.found.size > before || schemas.length > this.#schemas || references.length > this.#references;
  }

  async #target(link: Link, fetches: boolean): Promise<Location | undefined> {
    const { from, reference, uri, fragment } = link;
    if (uri === undefined) return undefined;
    const known = uri === from.resource.uri ? from.resource : this.index.resource(uri);
    if (known !== undefined) return this.index.find(known, fragment);
    if (!fetches && this.#isFetched(uri)) return undefined;
    const read = await this.#read(isPlain(link) ? reference : uri, from.resource.document);
    return read && this.index.find(read, fragment);
  }

  async #read(reference: string, base: LinkedDocument): Promise<Resource | undefined> {
    const [file = ''] = reference.split('#');
    // The linter reports documents that cannot be read.
    const document = await this.reader.read(file, base).catch(() => undefined);
    return document && this.index.add(document);
  }

  #isFetched(uri: string | undefined): boolean {
    return uri !== undefined && /^https?:/i.test(uri) && !this.reader.given.has(uri.replace(/#.*$/s, ''));
  }
}

function* linksOf(from: Found): Generator<Link> {
  for (const keyword of ['$ref', '$dynamicRef'] as const) {
    const reference = from.schema[keyword];
    if (typeof reference !== 'string') continue;
    const [uri, fragment = ''] = absoluteUri(reference, from.resource.uri)?.split(/#(.*)/s) ?? [];
    yield { from, keyword, reference, uri, fragment };
  }
}

/** Whether the references of a schema are relative to its document, because no enclosing schema has an `$id`. */
export function isPlain({ from: { resource } }: Link): boolean {
  return resource.uri === resource.document.uri;
}
