/** The schemas of one document and their references to each other. */
import { APPLICATORS, type ApplicatorKeyword } from '@concordat/runtime/parts';
import { FaultError, type UnsupportedFeature } from '../problems/contract-problem.js';
import type { FeatureName } from '../problems/features.js';
import { visitObjects } from './document-structure.js';
import { dialectOf, type Dialect } from './dialect.js';
import {
  anchorsOf,
  ASSERTED_FORMAT,
  type DynamicScope,
  dynamicTarget,
  elements,
  enteredScope,
  entries,
  isObject,
  type OpenApiDocument,
  type Fields,
} from './document.js';
import { canonicalPointer, joinPointer, resolvePointer } from '../../text/pointer.js';

/** A schema and the place where the document holds it. */
export interface Placed {
  readonly schema: unknown;
  /** Canonical JSON Pointer. */
  readonly at: string;
}

/** A schema inside another, and the keyword that holds it. */
export interface Subschema extends Placed {
  readonly keyword: ApplicatorKeyword;
  /** The property name, pattern or index under the keyword. */
  readonly key?: string | number;
}

/** The schemas that refuse their own `default`, which is therefore not inserted, each with its place. */
export type InvalidDefaults = ReadonlyMap<unknown, string>;

export interface SchemaOptions {
  /** Whether `format` is checked (`assert`, the default) or only describes a value (`annotate`). A dialect may require the check. */
  readonly formats?: 'assert' | 'annotate';
  readonly invalidDefaults?: InvalidDefaults;
}

/** The sentence for a default that is left out. */
export const INVALID_DEFAULT = 'its own schema refuses this default, so that it is not inserted';

/** Reads the schemas of one document, and collects the features that are not supported. */
export class ContractSchemas {
  readonly document: OpenApiDocument;
  readonly dialect: Dialect;
  readonly #unsupported = new Map<string, UnsupportedFeature>();
  readonly #isAsserted: boolean;
  readonly #invalidDefaults: InvalidDefaults;
  readonly #placed = new Map<string, Placed>();
  #dynamicTargets: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(document: OpenApiDocument, options: SchemaOptions = {}) {
    const { formats = 'assert', invalidDefaults = new Map() } = options;
    this.document = document;
    this.dialect = dialectOf(document);
    this.#isAsserted = formats === 'assert';
    this.#invalidDefaults = invalidDefaults;
  }

  /** Every unsupported feature so far, each once per place. */
  get unsupportedFeatures(): readonly UnsupportedFeature[] {
    return [...this.#unsupported.values()];
  }

  unsupported(feature: FeatureName, at: string, message: string, isNotice = false): void {
    this.#unsupported.set(`${feature} ${at}`, { feature, at, message, isNotice });
  }

  /**
   * The schema at a place.
   *
   * @param place a pointer into the document
   * @throws when there is nothing at the place
   */
  at(place: string): Placed {
    let placed = this.#placed.get(place);
    if (placed === undefined) {
      placed = { schema: resolvePointer(this.document, place), at: canonicalPointer(place) };
      this.#placed.set(place, placed);
    }
    return placed;
  }

  /**
   * The place that a reference leads to.
   *
   * @param placed the schema that has the reference
   * @throws an error that names the place of the reference, if it leads nowhere
   */
  target(reference: string, { at }: Placed): string {
    try {
      return this.at(reference).at;
    } catch (error) {
      throw new FaultError('unresolved-reference', at, (error as Error).message);
    }
  }

  /** The places that the references of a schema lead to, in the dynamic scope that it is used in. */
  references(placed: Placed, scope: DynamicScope): readonly string[] {
    const { schema } = placed;
    if (!isObject(schema)) return [];
    const { $ref } = schema;
    const dynamic = this.#dynamicRef(schema);
    return [
      ...(typeof $ref === 'string' ? [this.target($ref, placed)] : []),
      ...(dynamic === undefined ? [] : [this.#dynamicTarget(dynamic, placed, scope)]),
    ];
  }

  #dynamicRef({ $dynamicRef }: Fields): string | undefined {
    return typeof $dynamicRef === 'string' && this.dialect.version !== '3.0' ? $dynamicRef : undefined;
  }

  #dynamicTarget(reference: string, placed: Placed, scope: DynamicScope): string {
    const target = dynamicTarget(reference, enteredScope(scope, placed.schema));
    if (target === undefined)
      throw new FaultError('unresolved-reference', placed.at, `${reference}: the reference has no target`);
    return this.target(target, placed);
  }

  /** Every place that a reference of the schema may lead to, in any dynamic scope. */
  possibleReferences(placed: Placed): readonly string[] {
    const dynamic = isObject(placed.schema) ? this.#dynamicRef(placed.schema) : undefined;
    if (dynamic === undefined) return this.references(placed, new Map());
    this.#dynamicTargets ??= this.#readDynamicTargets();
    return [
      ...new Set([
        ...this.references(placed, new Map()),
        ...(this.#dynamicTargets.get(dynamic.slice(1)) ?? []),
      ]),
    ];
  }

  #readDynamicTargets(): ReadonlyMap<string, readonly string[]> {
    const targets = new Map<string, readonly string[]>();
    visitObjects(this.document, 'document', (value) => {
      for (const [name, target] of anchorsOf(value))
        targets.set(name, [...(targets.get(name) ?? []), this.at(target).at]);
    });
    return targets;
  }

  /** True if `format` is checked. */
  assertsFormat(schema: unknown): boolean {
    return this.#isAsserted || (isObject(schema) && schema[ASSERTED_FORMAT] === true);
  }

  /** The schemas directly inside a schema. */
  *subschemas({ schema, at }: Placed): Generator<Subschema> {
    if (!isObject(schema)) return;
    for (const [keyword, value] of Object.entries(schema)) {
      const holds = this.dialect.keywords.get(keyword)?.holds;
      // `dependencies` of older drafts has schemas, and lists of names, under the current keyword `dependentSchemas`.
      const applied = keyword === 'dependencies' ? 'dependentSchemas' : keyword;
      if (holds === undefined || !isApplicator(applied)) continue;
      if (holds === 'one') yield { schema: value, at: joinPointer(at, keyword), keyword: applied };
      const members = holds === 'list' ? elements(value).entries() : holds === 'map' ? entries(value) : [];
      for (const [key, member] of members) {
        if (keyword === 'dependencies' && Array.isArray(member)) continue;
        yield { schema: member, at: joinPointer(at, keyword, key), keyword: applied, key };
      }
    }
  }

  /** A schema, the schemas that it refers to and the members of its `allOf`, recursively: all of them apply to its values. */
  *certainly(placed: Placed, seen = new Set<unknown>()): Generator<Placed & { readonly schema: Fields }> {
    const { schema, at } = placed;
    if (!isObject(schema) || seen.has(schema)) return;
    seen.add(schema);
    yield { schema, at };
    for (const reference of this.references(placed, new Map()))
      yield* this.certainly(this.at(reference), seen);
    for (const [index, member] of elements(schema['allOf']).entries()) {
      yield* this.certainly({ schema: member, at: joinPointer(at, 'allOf', index) }, seen);
    }
  }

  /** True if a schema, or one that always applies with it, has a flag such as `readOnly`. */
  flagged(placed: Placed, flag: string): boolean {
    return [...this.certainly(placed)].some(({ schema }) => schema[flag] === true);
  }

  /** True for a property with a `default`, even if its own schema refuses the default. */
  hasDefault(placed: Placed): boolean {
    return [...this.certainly(placed)].some(({ schema }) => schema['default'] !== undefined);
  }

  /**
   * The value of an absent property: the nearest `default`.
   *
   * @param refused called with the place of each default that its own schema refuses
   */
  defaultOf(placed: Placed, refused?: (at: string) => void): { readonly value: unknown } | undefined {
    for (const { schema, at } of this.certainly(placed)) {
      if (schema['default'] === undefined) continue;
      if (!this.#invalidDefaults.has(schema)) return { value: schema['default'] };
      refused?.(joinPointer(at, 'default'));
    }
    return undefined;
  }

  /** True unless the schema certainly refuses every value of a type. */
  mayBe(placed: Placed, type: string): boolean {
    return [...this.certainly(placed)].every(({ schema }) => {
      if (schema['type'] === undefined) return true;
      const types = Array.isArray(schema['type']) ? schema['type'] : [schema['type']];
      return types.includes(type);
    });
  }
}

function isApplicator(keyword: string): keyword is ApplicatorKeyword {
  return Object.hasOwn(APPLICATORS, keyword);
}
