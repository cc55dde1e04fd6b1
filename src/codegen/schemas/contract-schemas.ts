/** The schemas of one document and their references to each other. */
import { Documents, type DynamicScope, type Location } from '../compiler/documents.js';
import { isForeign } from '../compiler/vocabularies.js';
import type { UnsupportedFeature } from '../problems/fault.js';
import { dialectOf, type Applicator, type Dialect } from './dialect.js';
import { elements, entries, isObject, type OpenApiDocument, type SchemaObject } from './document.js';
import { joinPointer, resolvePointer } from '../text/pointer.js';

/** A schema and the place where the document holds it. */
export interface Placed {
  readonly schema: unknown;
  /** Canonical JSON Pointer. */
  readonly at: string;
}

/** A schema inside another, and the keyword that holds it. */
export interface Subschema extends Placed {
  readonly applicator: Applicator;
  readonly keyword: string;
  /** The property name, pattern or index under the keyword. */
  readonly key?: string | number;
}

export interface SchemaOptions {
  /** Other documents that references may lead to, by URI. */
  readonly remotes?: Readonly<Record<string, unknown>>;
  /** Whether `format` is checked (`assert`, the default) or only describes a value (`annotate`). A dialect may require the check. */
  readonly formats?: 'assert' | 'annotate';
  /** The places of the schemas whose `default` they refuse themselves, so that it is not inserted. */
  readonly invalidDefaults?: ReadonlySet<string>;
}

/** The sentence for a default that is left out. */
export const INVALID_DEFAULT = 'its own schema refuses this default, so that it is not inserted';

/** Reads the schemas of one document, and collects the features that are not supported. */
export class ContractSchemas {
  readonly document: OpenApiDocument;
  readonly dialect: Dialect;
  readonly #unsupported = new Map<string, UnsupportedFeature>();
  readonly #documents: Documents;
  readonly #isAsserted: boolean;
  readonly #invalidDefaults: ReadonlySet<string>;
  readonly #places = new Map<string, Location>();

  constructor(document: OpenApiDocument, options: SchemaOptions = {}) {
    const { remotes, formats = 'assert', invalidDefaults = new Set() } = options;
    this.document = document;
    this.dialect = dialectOf(document);
    this.#documents = new Documents(document, remotes);
    this.#isAsserted = formats === 'assert';
    this.#invalidDefaults = invalidDefaults;
  }

  /** Every unsupported feature so far, each once per place. */
  get unsupportedFeatures(): readonly UnsupportedFeature[] {
    return [...this.#unsupported.values()];
  }

  unsupported(feature: string, at: string, message: string): void {
    this.#unsupported.set(`${feature} ${at}`, { feature, at, message });
  }

  /**
   * The schema at a place.
   *
   * @param place a pointer into the document, or a place that `target` answered
   * @throws when there is nothing at the place
   */
  at(place: string): Placed {
    return { schema: this.#places.get(place)?.schema ?? resolvePointer(this.document, place), at: place };
  }

  /**
   * The place that a reference leads to.
   *
   * @param placed the schema that has the reference
   * @throws naming the place of the reference, when it leads nowhere
   */
  target(reference: string, { schema, at }: Placed, scope?: DynamicScope): string {
    try {
      const owner = this.#documents.ownerOf(schema);
      const found =
        scope === undefined
          ? this.#documents.resolve(reference, owner)
          : this.#documents.resolveDynamic(reference, owner, scope);
      this.#places.set(found.at, found);
      return found.at;
    } catch (error) {
      throw new Error(`${at}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  }

  /** The places that the references of a schema lead to, in the dynamic scope that it is used in. */
  references(placed: Placed, scope: DynamicScope): readonly string[] {
    if (!isObject(placed.schema)) return [];
    const { $ref, $dynamicRef } = placed.schema;
    const isDynamic = this.dialect.version !== '3.0' && typeof $dynamicRef === 'string';
    return [
      ...(typeof $ref === 'string' ? [this.target($ref, placed)] : []),
      ...(isDynamic ? [this.target($dynamicRef, placed, scope)] : []),
    ];
  }

  /** Every place that a reference of the schema may lead to, in any dynamic scope. */
  possibleReferences(placed: Placed): readonly string[] {
    const dynamic = isObject(placed.schema) ? placed.schema['$dynamicRef'] : undefined;
    const others = typeof dynamic === 'string' ? this.#documents.dynamicTargets(dynamic) : [];
    for (const location of others) this.#places.set(location.at, location);
    return [...new Set([...this.references(placed, new Map()), ...others.map(({ at }) => at)])];
  }

  /** The dynamic scope inside a schema that is used in another. */
  entered(scope: DynamicScope, schema: unknown): DynamicScope {
    return this.#documents.entered(scope, this.#documents.ownerOf(schema));
  }

  /** True for a keyword whose vocabulary is not part of the schema's dialect. */
  isForeign(keyword: string, schema: unknown): boolean {
    return isForeign(keyword, this.#documents.ownerOf(schema).vocabularies);
  }

  /** True where `format` is checked. */
  assertsFormat(schema: unknown): boolean {
    return this.#isAsserted || this.#documents.ownerOf(schema).vocabularies.has('format-assertion');
  }

  /** True for a dialect whose vocabularies are known. */
  knowsDialect(dialect: string): boolean {
    return this.#documents.vocabularies(dialect) !== undefined;
  }

  /** The schemas directly inside a schema; in 3.0 a schema with a `$ref` has none. */
  *subschemas({ schema, at }: Placed): Generator<Subschema> {
    if (!isObject(schema) || (this.dialect.version === '3.0' && '$ref' in schema)) return;
    for (const [keyword, value] of Object.entries(schema)) {
      const applicator = this.dialect.keywords.get(keyword);
      if (applicator?.kind !== 'applicator' || this.isForeign(keyword, schema)) continue;
      if (keyword === 'dependencies') {
        yield* this.#dependencies(value, at, applicator);
        continue;
      }
      if (applicator.holds === 'one') {
        yield { schema: value, at: joinPointer(at, keyword), applicator, keyword };
        continue;
      }
      const members = applicator.holds === 'list' ? elements(value).entries() : entries(value);
      for (const [key, member] of members) {
        yield { schema: member, at: joinPointer(at, keyword, key), applicator, keyword, key };
      }
    }
  }

  /** The schemas in `dependencies` of older drafts, under today's keyword `dependentSchemas`. */
  *#dependencies(value: unknown, at: string, applicator: Applicator): Generator<Subschema> {
    for (const [key, schema] of entries(value)) {
      const place = joinPointer(at, 'dependencies', key);
      if (!Array.isArray(schema)) yield { schema, at: place, applicator, keyword: 'dependentSchemas', key };
    }
  }

  /** A schema, the schemas that it refers to and the members of its `allOf`, recursively: all of them hold for its values. */
  *certainly(
    placed: Placed,
    seen = new Set<unknown>(),
  ): Generator<Placed & { readonly schema: SchemaObject }> {
    const { schema, at } = placed;
    if (!isObject(schema) || seen.has(schema)) return;
    seen.add(schema);
    const references = this.references(placed, new Map());
    // In 3.0 nothing holds beside a reference (Reference Object).
    const isAlone = references.length > 0 && this.dialect.version === '3.0';
    if (!isAlone) yield { schema, at };
    for (const reference of references) yield* this.certainly(this.at(reference), seen);
    if (isAlone) return;
    for (const [index, member] of elements(schema['allOf']).entries()) {
      yield* this.certainly({ schema: member, at: joinPointer(at, 'allOf', index) }, seen);
    }
  }

  /** True when a schema, or one that must hold with it, has a flag such as `readOnly`. */
  flagged(placed: Placed, flag: string): boolean {
    return [...this.certainly(placed)].some(({ schema }) => schema[flag] === true);
  }

  /** True for a property with a `default`, also one that its own schema refuses. */
  hasDefault(placed: Placed): boolean {
    return [...this.certainly(placed)].some(({ schema }) => schema['default'] !== undefined);
  }

  /**
   * The value of an absent property: the nearest `default`.
   *
   * @param refused called with the place of each that its own schema refuses
   */
  defaultOf(placed: Placed, refused?: (at: string) => void): { readonly value: unknown } | undefined {
    for (const { schema, at } of this.certainly(placed)) {
      if (schema['default'] === undefined) continue;
      if (!this.#invalidDefaults.has(at)) return { value: schema['default'] };
      refused?.(joinPointer(at, 'default'));
    }
    return undefined;
  }

  /** True unless the schema certainly refuses every value of a type. */
  mayBe(placed: Placed, type: string): boolean {
    return [...this.certainly(placed)].every(({ schema }) => {
      if (schema['type'] === undefined) return true;
      const types = Array.isArray(schema['type']) ? schema['type'] : [schema['type']];
      return types.includes(type) || (type === 'null' && schema['nullable'] === true);
    });
  }
}
