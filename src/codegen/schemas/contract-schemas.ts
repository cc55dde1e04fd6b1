/** The schemas of one document and how they refer to each other: what every part of the compiler reads from. */
import type { UnsupportedFeature } from '../problems/unsupported-feature.js';
import { dialectOf, type Applicator, type Dialect } from './dialect.js';
import { elements, entries, isObject, type OpenApiDocument, type SchemaObject } from './document.js';
import { canonicalPointer, joinPointer, resolvePointer } from './pointer.js';

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

/** Reads the schemas of one document and gathers what is found unsupported on the way. */
export class ContractSchemas {
  readonly document: OpenApiDocument;
  readonly dialect: Dialect;
  readonly #gaps = new Map<string, UnsupportedFeature>();
  #anchors: ReadonlyMap<string, readonly string[]> | undefined;

  /** @param assertsFormats whether `format` restricts values, or only describes them */
  constructor(
    document: OpenApiDocument,
    readonly assertsFormats = true,
  ) {
    this.document = document;
    this.dialect = dialectOf(document);
  }

  /** Every gap so far, each place once. */
  get gaps(): readonly UnsupportedFeature[] {
    return [...this.#gaps.values()];
  }

  /** Notes that what stands at a place is not supported. */
  gap(code: string, at: string, message: string): void {
    this.#gaps.set(`${code} ${at}`, { feature: code, at, message });
  }

  /**
   * What a pointer points to.
   *
   * @throws when it points nowhere
   */
  at(pointer: string): Placed {
    return { schema: resolvePointer(this.document, pointer), at: pointer };
  }

  /**
   * The place that a `$ref` or `$dynamicRef` leads to.
   *
   * @throws naming the place of the reference, when it leads nowhere
   */
  target(reference: string, at: string): string {
    try {
      const pointer = /^#[^/]/.test(reference) ? this.#anchored(reference) : canonicalPointer(reference);
      resolvePointer(this.document, pointer);
      return pointer;
    } catch (error) {
      throw new Error(`${at}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  }

  /** The reference that decides a schema: in 3.0 it replaces its siblings, in 3.1 it stands beside them. */
  reference({ schema, at }: Placed): string | undefined {
    if (!isObject(schema)) return undefined;
    const { $ref, $dynamicRef } = schema;
    if (typeof $ref === 'string') return this.target($ref, at);
    if (this.dialect.version === '3.0' || typeof $dynamicRef !== 'string') return undefined;
    // Within one document without $id there is one dynamic scope, so the reference is an ordinary one (Core §8.2.3.2).
    try {
      return this.target($dynamicRef, at);
    } catch (error) {
      this.gap(
        'dynamic-ref',
        joinPointer(at, '$dynamicRef'),
        error instanceof Error ? error.message : String(error),
      );
      return undefined;
    }
  }

  /** The schemas directly inside a schema; in 3.0 a schema with a `$ref` has none. */
  *subschemas({ schema, at }: Placed): Generator<Subschema> {
    if (!isObject(schema) || (this.dialect.version === '3.0' && '$ref' in schema)) return;
    for (const [keyword, value] of Object.entries(schema)) {
      const applicator = this.dialect.keywords.get(keyword);
      if (applicator?.kind !== 'applicator') continue;
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

  /** A schema, what it refers to, and the members of its `allOf`, all the way: what certainly holds for its values. */
  *certainly(
    placed: Placed,
    seen = new Set<unknown>(),
  ): Generator<Placed & { readonly schema: SchemaObject }> {
    const { schema, at } = placed;
    if (!isObject(schema) || seen.has(schema)) return;
    seen.add(schema);
    yield { schema, at };
    const reference = this.reference(placed);
    if (reference !== undefined) yield* this.certainly(this.at(reference), seen);
    if (reference !== undefined && this.dialect.version === '3.0') return;
    for (const [index, member] of elements(schema['allOf']).entries()) {
      yield* this.certainly({ schema: member, at: joinPointer(at, 'allOf', index) }, seen);
    }
  }

  /** True when a schema, by itself or by what it refers to, carries a flag such as `readOnly`. */
  flagged(placed: Placed, flag: string): boolean {
    return [...this.certainly(placed)].some(({ schema }) => schema[flag] === true);
  }

  /** What an absent property becomes: the nearest `default`. */
  defaultOf(placed: Placed): { readonly value: unknown } | undefined {
    for (const { schema } of this.certainly(placed)) {
      if (schema['default'] !== undefined) return { value: schema['default'] };
    }
    return undefined;
  }

  /** Whether a schema's values can be of a type; unknown counts as yes. */
  admits(placed: Placed, type: string): boolean {
    return [...this.certainly(placed)].every(({ schema }) => {
      if (schema['type'] === undefined) return true;
      const types = Array.isArray(schema['type']) ? schema['type'] : [schema['type']];
      return types.includes(type) || (type === 'null' && schema['nullable'] === true);
    });
  }

  #anchored(reference: string): string {
    this.#anchors ??= anchorsIn(this.document);
    const places = this.#anchors.get(reference.slice(1)) ?? [];
    if (places.length > 1) throw new Error(`${reference}: several schemas have this anchor`);
    const [place] = places;
    if (place === undefined) throw new Error(`${reference}: the reference points nowhere`);
    return place;
  }
}

function anchorsIn(document: OpenApiDocument): ReadonlyMap<string, readonly string[]> {
  const anchors = new Map<string, string[]>();
  for (const { value, at } of objectsIn(document, '#')) {
    for (const anchor of new Set([value['$anchor'], value['$dynamicAnchor']])) {
      if (typeof anchor === 'string') anchors.set(anchor, [...(anchors.get(anchor) ?? []), at]);
    }
  }
  return anchors;
}

function* objectsIn(value: unknown, at: string): Generator<{ value: SchemaObject; at: string }> {
  if (isObject(value)) yield { value, at };
  for (const [key, member] of Array.isArray(value) ? value.entries() : entries(value)) {
    if (typeof member === 'object' && member !== null) yield* objectsIn(member, joinPointer(at, key));
  }
}
