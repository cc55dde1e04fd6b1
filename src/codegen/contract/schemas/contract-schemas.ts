/** The schemas of one document: each is a node, which answers what the schema refers to, what it has inside, and what holds for its values. */
import { APPLICATORS, type ApplicatorKeyword, once } from '@concordat/runtime/parts';
import { FaultError, type UnsupportedFeature } from '../problems/contract-problem.js';
import type { FeatureName } from '../problems/features.js';
import { visitObjects } from './document-structure.js';
import { dialectOf, type Dialect } from './dialect.js';
import {
  anchorsOf,
  type DynamicScope,
  elements,
  enteredScope,
  entries,
  isObject,
  NO_SCOPE,
  type OpenApiDocument,
  type Schema,
  type SchemaObject,
} from './document.js';
import { type Leaf, leafOf, type ValueTypes } from './value-types.js';
import { canonicalPointer, joinPointer, resolvePointer } from '../../text/pointer.js';

/** The schemas whose `default` is not inserted, because they refuse it or insert too many others into it, each with its place. */
export type InvalidDefaults = ReadonlyMap<unknown, string>;

export interface SchemaOptions {
  /** Whether `format` is checked (`assert`, the default) or only describes a value (`annotate`). A dialect may require the check. */
  readonly formats?: 'assert' | 'annotate';
  readonly invalidDefaults?: InvalidDefaults;
  /** The types that handlers get for the values of a format. */
  readonly values?: ValueTypes;
}

/** A schema at one place of a document. */
export class SchemaNode {
  #parts: readonly InnerNode[] | undefined;

  /**
   * @param schema - as the document has it; what is no schema is reported when the checks are compiled
   * @param at - canonical JSON Pointer
   */
  constructor(
    readonly schemas: ContractSchemas,
    readonly schema: Schema,
    readonly at: string,
  ) {}

  /** The keywords of the schema: `true` has none, and `false` is a schema that refuses every value. */
  get object(): SchemaObject {
    if (this.schema === false) return { not: {} };
    return isObject(this.schema) ? this.schema : {};
  }

  /** The schemas directly inside the schema. */
  get parts(): readonly InnerNode[] {
    return (this.#parts ??= partsOf(this));
  }

  /** The schemas that a keyword holds. */
  under(keyword: ApplicatorKeyword): readonly InnerNode[] {
    return this.parts.filter((part) => part.keyword === keyword);
  }

  /** A copy of the schema, in which the schemas that some keywords hold are replaced, or left out if the replacement is undefined. */
  replaced(
    keywords: readonly ApplicatorKeyword[],
    replace: (part: InnerNode) => Schema | undefined,
  ): SchemaObject {
    const copy: Record<string, unknown> = { ...this.object };
    for (const keyword of keywords) {
      const parts = this.under(keyword);
      if (parts.length === 0) continue;
      const made = parts
        .map((part) => [part.key, replace(part)] as const)
        .filter(([, schema]) => schema !== undefined);
      const { holds } = APPLICATORS[keyword];
      const schemas = made.map(([, schema]) => schema);
      copy[keyword] = holds === 'map' ? Object.fromEntries(made) : holds === 'list' ? schemas : schemas[0];
    }
    return copy;
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
    return once(this, targetOf);
  }

  /** The schemas that the schema refers to, in the dynamic scope that it is used in. */
  references(scope: DynamicScope = NO_SCOPE): readonly SchemaNode[] {
    const { reference, dynamicRef } = this;
    const found = reference === undefined ? [] : [reference];
    if (dynamicRef === undefined) return found;
    const target = enteredScope(scope, this.schema).get(dynamicRef.slice(1));
    if (target === undefined)
      throw new FaultError('unresolved-reference', this.at, `${dynamicRef}: the reference has no target`);
    return [...found, this.#at(target)];
  }

  get dynamicRef(): string | undefined {
    const { $dynamicRef } = this.object;
    const isRead = typeof $dynamicRef === 'string' && this.schemas.dialect.version !== '3.0';
    return isRead ? $dynamicRef : undefined;
  }

  /** Every schema that the schema may refer to, in any dynamic scope. */
  get possibleReferences(): readonly SchemaNode[] {
    const { dynamicRef } = this;
    if (dynamicRef === undefined) return this.references();
    const targets = once(this.schemas, dynamicTargets).get(dynamicRef.slice(1)) ?? [];
    return [...new Set([...this.references(), ...targets])];
  }

  /** The schema, the schemas that it refers to and the members of its `allOf`, recursively: all of them apply to its values. */
  get certain(): readonly SchemaNode[] {
    return once(this, certainOf);
  }

  /** True if the schema, or one that always applies with it, has a flag such as `readOnly`. */
  flagged(flag: string): boolean {
    return this.certain.some(({ object }) => object[flag] === true);
  }

  /** The conversion of its values; undefined if they are not converted. */
  get leaf(): Leaf | undefined {
    return leafOf(this.schemas.values, this.object);
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
    schema: Schema,
    at: string,
    readonly keyword: ApplicatorKeyword,
    readonly key?: string | number,
  ) {
    super(schemas, schema, at);
  }
}

function partsOf({ schemas, schema, at }: SchemaNode): readonly InnerNode[] {
  return entries(schema).flatMap(([keyword, value]) => {
    const holds = schemas.dialect.keywords.get(keyword)?.holds;
    // `dependencies` of older drafts has schemas, and lists of names, under the current keyword `dependentSchemas`.
    const applied = (keyword === 'dependencies' ? 'dependentSchemas' : keyword) as ApplicatorKeyword;
    if (holds === undefined || !Object.hasOwn(APPLICATORS, applied)) return [];
    const place = joinPointer(at, keyword);
    if (holds === 'one') return [new InnerNode(schemas, value as Schema, place, applied)];
    return [...(holds === 'list' ? elements(value).entries() : entries(value))]
      .filter(([, member]) => keyword !== 'dependencies' || !Array.isArray(member))
      .map(([key, each]) => new InnerNode(schemas, each as Schema, joinPointer(place, key), applied, key));
  });
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

/** Features of which the first place with the same message is enough. */
const ONCE: ReadonlySet<FeatureName> = new Set(['unknown-format', 'large-integer']);

/** The schemas of one document, and the features of them that are not supported. */
export class ContractSchemas {
  readonly dialect: Dialect;
  readonly invalidDefaults: InvalidDefaults;
  readonly values: ValueTypes;
  readonly assertsFormats: boolean;
  readonly #unsupported = new Map<string, UnsupportedFeature>();
  readonly #nodes = new Map<string, SchemaNode>();

  constructor(
    readonly document: OpenApiDocument,
    { formats = 'assert', invalidDefaults = new Map(), values = {} }: SchemaOptions = {},
  ) {
    this.dialect = dialectOf(document);
    this.assertsFormats = formats === 'assert';
    this.invalidDefaults = invalidDefaults;
    this.values = values;
  }

  /** Every unsupported feature so far, each once per place. */
  get unsupportedFeatures(): readonly UnsupportedFeature[] {
    return [...this.#unsupported.values()];
  }

  unsupported(feature: FeatureName, at: string, message: string, isNotice = false): void {
    const key = `${feature} ${ONCE.has(feature) ? message : at}`;
    if (!this.#unsupported.has(key)) this.#unsupported.set(key, { feature, at, message, isNotice });
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
    const schema = resolvePointer(this.document, place) as Schema;
    const at = canonicalPointer(place);
    const node = this.#nodes.get(at) ?? new SchemaNode(this, schema, at);
    this.#nodes.set(place, node).set(at, node);
    return node;
  }

  /** The same; undefined when there is nothing at the place. */
  find(place: string): SchemaNode | undefined {
    try {
      return this.at(place);
    } catch {
      return undefined;
    }
  }

  /** A schema that is not the document's own, which the generator made for a place. */
  made(schema: Schema, at: string): SchemaNode {
    return new SchemaNode(this, schema, at);
  }

  /** The component schemas, in the order of the document. */
  get components(): readonly SchemaNode[] {
    const names = Object.keys(this.document.components?.schemas ?? {});
    return names.map((name) => this.at(joinPointer('#/components/schemas', name)));
  }
}

/** The schemas that have dynamic anchors, by anchor. */
function dynamicTargets(schemas: ContractSchemas): ReadonlyMap<string, readonly SchemaNode[]> {
  const targets = new Map<string, readonly SchemaNode[]>();
  visitObjects(schemas.document, 'document', (value) => {
    for (const [name, target] of anchorsOf(value))
      targets.set(name, [...(targets.get(name) ?? []), schemas.at(target)]);
  });
  return targets;
}
