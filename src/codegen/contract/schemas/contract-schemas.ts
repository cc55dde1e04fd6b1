/** The schemas of one document: each is a node, which answers what the schema refers to, what it has inside, and what holds for its values. */
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
  NO_SCOPE,
  type OpenApiDocument,
  type SchemaObject,
} from './document.js';
import { canonicalPointer, joinPointer, resolvePointer } from '../../text/pointer.js';

/** The schemas that refuse their own `default`, which is therefore not inserted, each with its place. */
export type InvalidDefaults = ReadonlyMap<unknown, string>;

export interface SchemaOptions {
  /** Whether `format` is checked (`assert`, the default) or only describes a value (`annotate`). A dialect may require the check. */
  readonly formats?: 'assert' | 'annotate';
  readonly invalidDefaults?: InvalidDefaults;
}

/** The sentence for a default that is left out. */
export const INVALID_DEFAULT = 'its own schema refuses this default, so that it is not inserted';

/** A schema at one place of a document. What is derived from it is computed once, when it is first asked for. */
export class SchemaNode {
  #parts: readonly InnerNode[] | undefined;
  #facts: Map<unknown, unknown> | undefined;

  /**
   * @param schema - as the document has it; what is no schema is reported when the checks are compiled
   * @param at - canonical JSON Pointer
   */
  constructor(
    readonly schemas: ContractSchemas,
    readonly schema: unknown,
    readonly at: string,
  ) {}

  /** The keywords of the schema: `true` has none, and `false` is a schema that refuses every value. */
  get object(): SchemaObject {
    if (this.schema === false) return { not: {} };
    return isObject(this.schema) ? this.schema : {};
  }

  /** What a function finds out about the node, computed once. */
  once<Fact>(compute: (node: SchemaNode) => Fact): Fact {
    const facts = (this.#facts ??= new Map());
    if (!facts.has(compute)) facts.set(compute, compute(this));
    return facts.get(compute) as Fact;
  }

  /** The schemas directly inside the schema. */
  get parts(): readonly InnerNode[] {
    return (this.#parts ??= [...this.#readParts()]);
  }

  *#readParts(): Generator<InnerNode> {
    for (const [keyword, value] of entries(this.schema)) {
      const holds = this.schemas.dialect.keywords.get(keyword)?.holds;
      // `dependencies` of older drafts has schemas, and lists of names, under the current keyword `dependentSchemas`.
      const applied = keyword === 'dependencies' ? 'dependentSchemas' : keyword;
      if (holds === undefined || !isApplicator(applied)) continue;
      const at = joinPointer(this.at, keyword);
      if (holds === 'one') yield new InnerNode(this.schemas, value, at, applied);
      const members = holds === 'list' ? elements(value).entries() : holds === 'map' ? entries(value) : [];
      for (const [key, member] of members)
        if (keyword !== 'dependencies' || !Array.isArray(member))
          yield new InnerNode(this.schemas, member, joinPointer(at, key), applied, key);
    }
  }

  /** The schemas that a keyword holds. */
  under(keyword: ApplicatorKeyword): readonly InnerNode[] {
    return this.parts.filter((part) => part.keyword === keyword);
  }

  /** The schema that `$ref` leads to. @throws FaultError at this place, if it leads nowhere */
  get reference(): SchemaNode | undefined {
    const { $ref } = this.object;
    return typeof $ref === 'string' ? this.#at($ref) : undefined;
  }

  #at(reference: string): SchemaNode {
    try {
      return this.schemas.at(reference);
    } catch (error) {
      throw new FaultError('unresolved-reference', this.at, (error as Error).message);
    }
  }

  /** The schema at the end of a chain of references, without the keywords beside these. @throws FaultError if the chain has no end */
  get target(): SchemaNode {
    return this.once(targetOf);
  }

  /** The schemas that the schema refers to, in the dynamic scope that it is used in. */
  references(scope: DynamicScope = NO_SCOPE): readonly SchemaNode[] {
    const { reference, dynamicRef } = this;
    const found = reference === undefined ? [] : [reference];
    if (dynamicRef === undefined) return found;
    const target = dynamicTarget(dynamicRef, enteredScope(scope, this.schema));
    if (target === undefined)
      throw new FaultError('unresolved-reference', this.at, `${dynamicRef}: the reference has no target`);
    return [...found, this.#at(target)];
  }

  get dynamicRef(): string | undefined {
    const { $dynamicRef } = this.object;
    return typeof $dynamicRef === 'string' && this.schemas.dialect.version !== '3.0'
      ? $dynamicRef
      : undefined;
  }

  /** Every schema that the schema may refer to, in any dynamic scope. */
  get possibleReferences(): readonly SchemaNode[] {
    const { dynamicRef } = this;
    if (dynamicRef === undefined) return this.references();
    return [...new Set([...this.references(), ...this.schemas.dynamicTargets(dynamicRef.slice(1))])];
  }

  /** The schema, the schemas that it refers to and the members of its `allOf`, recursively: all of them apply to its values. */
  get certain(): readonly SchemaNode[] {
    return this.once(certainOf);
  }

  /** True if the schema, or one that always applies with it, has a flag such as `readOnly`. */
  flagged(flag: string): boolean {
    return this.certain.some(({ object }) => object[flag] === true);
  }

  /** True for a property with a `default`, even if its own schema refuses the default. */
  get hasDefault(): boolean {
    return this.certain.some(({ object }) => object.default !== undefined);
  }

  /**
   * The value of an absent property: the nearest `default`.
   *
   * @param refused called with the place of each default that its own schema refuses
   */
  defaultOf(refused?: (at: string) => void): { readonly value: unknown } | undefined {
    for (const { schema, object, at } of this.certain) {
      if (object.default === undefined) continue;
      if (!this.schemas.invalidDefaults.has(schema)) return { value: object.default };
      refused?.(joinPointer(at, 'default'));
    }
    return undefined;
  }

  /** True unless the schema certainly refuses every value of a type. */
  mayBe(type: string): boolean {
    return this.certain.every(
      ({ object }) => object.type === undefined || [object.type].flat().includes(type),
    );
  }
}

/** A schema inside another. */
export class InnerNode extends SchemaNode {
  /**
   * @param keyword - the keyword that holds it
   * @param key - the property name, pattern or index under the keyword
   */
  constructor(
    schemas: ContractSchemas,
    schema: unknown,
    at: string,
    readonly keyword: ApplicatorKeyword,
    readonly key?: string | number,
  ) {
    super(schemas, schema, at);
  }
}

function isApplicator(keyword: string): keyword is ApplicatorKeyword {
  return Object.hasOwn(APPLICATORS, keyword);
}

function targetOf(start: SchemaNode): SchemaNode {
  const seen = new Set([start]);
  let found = start;
  for (let next = found.reference; next !== undefined; next = found.reference) {
    if (seen.has(next))
      throw new FaultError('unresolved-reference', start.at, `the reference ${next.at} leads back to itself`);
    seen.add(next);
    found = next;
  }
  return found;
}

function certainOf(start: SchemaNode): readonly SchemaNode[] {
  const found = new Map<unknown, SchemaNode>();
  const visit = (node: SchemaNode): void => {
    if (!isObject(node.schema) || found.has(node.schema)) return;
    found.set(node.schema, node);
    for (const next of [...node.references(), ...node.under('allOf')]) visit(next);
  };
  visit(start);
  return [...found.values()];
}

/** The schemas of one document, and the features of them that are not supported. */
export class ContractSchemas {
  readonly dialect: Dialect;
  readonly invalidDefaults: InvalidDefaults;
  readonly #isAsserted: boolean;
  readonly #unsupported = new Map<string, UnsupportedFeature>();
  readonly #nodes = new Map<string, SchemaNode>();
  #dynamicTargets: Map<string, SchemaNode[]> | undefined;

  constructor(
    readonly document: OpenApiDocument,
    { formats = 'assert', invalidDefaults = new Map() }: SchemaOptions = {},
  ) {
    this.dialect = dialectOf(document);
    this.#isAsserted = formats === 'assert';
    this.invalidDefaults = invalidDefaults;
  }

  /** Every unsupported feature so far, each once per place. */
  get unsupportedFeatures(): readonly UnsupportedFeature[] {
    return [...this.#unsupported.values()];
  }

  unsupported(feature: FeatureName, at: string, message: string, isNotice = false): void {
    this.#unsupported.set(`${feature} ${at}`, { feature, at, message, isNotice });
  }

  /**
   * The schema at a place, always the same node.
   *
   * @param place a pointer into the document
   * @throws when there is nothing at the place
   */
  at(place: string): SchemaNode {
    const known = this.#nodes.get(place);
    if (known !== undefined) return known;
    const schema = resolvePointer(this.document, place);
    const at = canonicalPointer(place);
    const node = this.#nodes.get(at) ?? new SchemaNode(this, schema, at);
    this.#nodes.set(place, node).set(at, node);
    return node;
  }

  /** A schema that is not the document's own, which the generator made for a place. */
  made(schema: unknown, at: string): SchemaNode {
    return new SchemaNode(this, schema, at);
  }

  /** The component schemas, in the order of the document. */
  get components(): readonly SchemaNode[] {
    const names = Object.keys(this.document.components?.schemas ?? {});
    return names.map((name) => this.at(joinPointer('#/components/schemas', name)));
  }

  /** The schemas that have a dynamic anchor. */
  dynamicTargets(anchor: string): readonly SchemaNode[] {
    if (this.#dynamicTargets === undefined) {
      const targets = (this.#dynamicTargets = new Map<string, SchemaNode[]>());
      visitObjects(this.document, 'document', (value) => {
        for (const [name, target] of anchorsOf(value))
          targets.set(name, [...(targets.get(name) ?? []), this.at(target)]);
      });
    }
    return this.#dynamicTargets.get(anchor) ?? [];
  }

  /** True if `format` is checked. */
  assertsFormat(schema: unknown): boolean {
    return this.#isAsserted || (isObject(schema) && schema[ASSERTED_FORMAT] === true);
  }
}
