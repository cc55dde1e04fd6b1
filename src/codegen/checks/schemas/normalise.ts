/** Turns the schemas of a document into units of plain JSON Schema 2020-12, with one variant per way of use. */
import { APPLICATORS, type ApplicatorKeyword } from '@concordat/runtime/parts';
import type { ContractSchemas, InnerNode, SchemaNode } from '../../contract/schemas/contract-schemas.js';
import {
  type Discrimination,
  discriminationOf,
  discriminatorOf,
  isExtension,
} from '../../contract/schemas/discriminators.js';
import {
  type DynamicScope,
  type Fields,
  NO_SCOPE,
  enteredScope,
  isObject,
} from '../../contract/schemas/document.js';
import {
  type Defaults,
  type Direction,
  HIDDEN,
  factsOf,
  filesAt,
  filesWithin,
  hiddenNames,
  reportLost,
  reportOwnDefault,
  requiredNames,
  withDefault,
} from './facts.js';
import { isPattern, keywordChecks } from './keyword-checks.js';
import { type Files, type Mode, type NormalSchema, type Unit, isSmall } from './units.js';

/** The context that a schema inherits from the place where it is used. */
interface Context {
  readonly direction: Direction;
  readonly defaults: Defaults;
  /** Properties of the value that are not required because this direction does not allow them. */
  readonly hidden: ReadonlySet<string>;
  /** The parts of the value that are files and have no check. */
  readonly files: Files;
  /** The schema whose `allOf` leads here, for the same value. */
  readonly heir: SchemaNode | undefined;
  /** True at the root of a parent that is used by a schema that extends it. */
  readonly base: boolean;
  /** Decides the targets of dynamic references. */
  readonly scope: DynamicScope;
  /** True for a schema whose properties are parameters or headers; the schemas that it refers to are ordinary schemas. */
  readonly isMessage: boolean;
}

/** The context of a whole body. */
function contextOf(direction: Direction, files: Files = []): Context {
  const defaults = direction === 'request' ? 'insert' : 'none';
  const nothing = { hidden: new Set<string>(), heir: undefined, base: false, isMessage: false };
  return { direction, defaults, files, scope: NO_SCOPE, ...nothing };
}

/** Normalises the schemas of one document. Unsupported features are reported and left out. */
export class Normaliser {
  readonly #units = new Map<string, Unit | 'in progress'>();
  readonly #ids = new Map<string, string>();

  constructor(private readonly schemas: ContractSchemas) {}

  /** Every unit so far; a unit comes after those that it refers to. */
  get units(): readonly Unit[] {
    return [...this.#units.values()].filter((unit) => unit !== 'in progress');
  }

  /** Normalises the schema of a whole body, or another one of the document. */
  root(node: SchemaNode, direction: Direction, files?: Files): NormalSchema {
    return this.#refer(node, contextOf(direction, files));
  }

  /**
   * Normalises a schema that the generator made.
   *
   * @param isMessage whether its properties are parameters or headers: for them `readOnly` and `writeOnly` mean nothing (OpenAPI,
   * Schema Object: "relevant only for Schema `properties` definitions")
   */
  made(node: SchemaNode, direction: Direction, isMessage = false): NormalSchema {
    return this.#value(node, { ...contextOf(direction), isMessage });
  }

  /** Normalises the schema of a new value: a body, a property or an item. */
  #value(node: SchemaNode, context: Context): NormalSchema {
    const hidden = hiddenNames(node, context.direction);
    return this.#schema(node, { ...context, hidden, heir: undefined, base: false });
  }

  #schema(node: SchemaNode, surrounding: Context): NormalSchema {
    const { schema, at } = node;
    if (typeof schema === 'boolean') return schema;
    if (!isObject(schema)) {
      this.schemas.unsupported('invalid-keyword', at, 'a schema must be an object or a boolean');
      return true;
    }
    const context = { ...surrounding, scope: enteredScope(surrounding.scope, schema) };
    const references = node.references(context.scope);
    const discrimination = context.base ? undefined : discriminationOf(node);
    const skipped: readonly (string | undefined)[] =
      context.base && discriminatorOf(node) ? ['oneOf', 'anyOf'] : [discrimination?.among];
    const out = keywordChecks(node, context.hidden);
    const all: NormalSchema[] = [];
    for (const [keyword, parts] of this.#parts(node)) {
      if (skipped.includes(keyword)) continue;
      const alternative = this.#unlessNull(keyword, parts);
      if (alternative !== undefined) {
        reportOwnDefault(alternative, context.defaults);
        all.push({ nullOr: this.#schema(alternative, { ...context, heir: undefined, base: false }) });
        continue;
      }
      const members = parts.map((part) => [part.key, this.#part(part, context)] as const);
      if (keyword === 'allOf') all.unshift(...members.map(([, member]) => member));
      else out[keyword] = assembled(keyword, members);
    }
    all.unshift(...references.map((reference) => this.#refer(reference, context)));
    if (discrimination !== undefined) all.push(this.#dispatch(discrimination, context));
    return combined(out, all);
  }

  /** The schemas inside a schema, by applicator. */
  #parts(node: SchemaNode): ReadonlyMap<ApplicatorKeyword, readonly InnerNode[]> {
    const parts = new Map<ApplicatorKeyword, InnerNode[]>();
    for (const part of node.parts) {
      if (part.keyword === 'patternProperties' && !isPattern(this.schemas, String(part.key), part.at))
        continue;
      parts.set(part.keyword, [...(parts.get(part.keyword) ?? []), part]);
    }
    return parts;
  }

  #part(part: InnerNode, context: Context): NormalSchema {
    const { appliesTo, isTentative } = APPLICATORS[part.keyword];
    const defaults = isTentative && context.defaults === 'insert' ? 'lost' : context.defaults;
    if (appliesTo === 'value') {
      if (isTentative) reportOwnDefault(part, context.defaults);
      const heir = part.keyword === 'allOf' ? context.heir : undefined;
      // A condition keeps its files: without them, it would hold for other values.
      const files = part.keyword === 'not' || part.keyword === 'if' ? [] : context.files;
      return this.#schema(part, { ...context, defaults, files, heir, base: false });
    }
    const files = filesAt(part, context.files);
    if (files === undefined) return true;
    if (part.keyword === 'properties' || part.keyword === 'patternProperties') {
      const flag = HIDDEN[context.direction];
      if (!context.isMessage && part.flagged(flag)) return { [flag]: true };
    }
    const schema = this.#value(part, { ...context, defaults, files });
    return part.keyword === 'properties' ? withDefault(schema, part, defaults) : schema;
  }

  /**
   * The alternative to null, if there are exactly two. It applies directly instead of being tried, so that defaults and errors
   * stay exact.
   */
  #unlessNull(keyword: string, parts: readonly InnerNode[]): InnerNode | undefined {
    if ((keyword !== 'anyOf' && keyword !== 'oneOf') || parts.length !== 2) return undefined;
    const other = parts.find((part) => !isNullSchema(part.schema));
    if (other === undefined || !parts.some((part) => isNullSchema(part.schema))) return undefined;
    return keyword === 'anyOf' || !other.mayBe('null') ? other : undefined;
  }

  /** Normalises a reference: to a reference to a unit, or to a copy of a small schema. */
  #refer(node: SchemaNode, context: Context, base = isParent(node, context.heir)): NormalSchema {
    const facts = factsOf(node);
    if (context.defaults === 'lost') facts.defaults.forEach((place) => reportLost(this.schemas, place));
    const mode: Mode = {
      direction: facts[HIDDEN[context.direction]] ? context.direction : 'both',
      defaults: context.defaults === 'insert' && facts.defaults.length > 0,
      base,
      unrequired: unrequired(node, context),
      files: filesWithin(node, context.files),
    };
    const scope = enteredScope(context.scope, node.schema);
    const key = JSON.stringify([node.at, mode, [...scope].sort()]);
    const known = this.#units.get(key);
    const id = this.#ids.get(key) ?? `s${this.#ids.size}`;
    if (known === undefined) return this.#unit(node, key, id, mode, context);
    return known === 'in progress' ? { $ref: id } : shortest(known);
  }

  #unit(node: SchemaNode, key: string, id: string, mode: Mode, context: Context): NormalSchema {
    this.#ids.set(key, id);
    this.#units.set(key, 'in progress');
    const schema = this.#schema(node, {
      direction: context.direction,
      defaults: mode.defaults ? 'insert' : 'none',
      hidden: new Set([...hiddenNames(node, context.direction), ...mode.unrequired]),
      heir: node,
      base: mode.base,
      scope: context.scope,
      files: mode.files,
      isMessage: false,
    });
    const unit = { id, at: node.at, mode, schema };
    this.#units.delete(key);
    this.#units.set(key, unit);
    return shortest(unit);
  }

  #dispatch(discrimination: Discrimination, context: Context): NormalSchema {
    const { property, among, branches, others, byDefault } = discrimination;
    const inside: Context = { ...context, heir: undefined, base: false };
    const picked = (node: SchemaNode): NormalSchema =>
      among !== 'inheritance' || node.schema === true
        ? this.#schema(node, inside)
        : this.#refer(node, inside, discriminatorOf(node) !== undefined);
    const schemas = branches.map(({ node }) => picked(node));
    const values = branches.map((each) => each.values);
    const properties = { [property]: { enum: [...new Set(values.flat())] } };
    const isNamed = { type: 'object', required: [property], properties };
    const named = { ...isNamed, dispatchOn: { property, values }, dispatch: schemas };
    const dispatch = byDefault ? { if: isNamed, then: named, else: picked(byDefault) } : named;
    const [other] = others;
    if (other === undefined) return dispatch;
    if (others.length === 1 && isNullSchema(other.schema)) return { nullOr: dispatch };
    const defaults = inside.defaults === 'insert' ? 'lost' : inside.defaults;
    const tried = others.map((node) => this.#schema(node, { ...inside, defaults }));
    return { if: { type: 'object' }, then: dispatch, else: { [among]: tried } };
  }
}

/** Whether the value has another schema that extends this one, so that the discriminator here does not choose. */
function isParent(node: SchemaNode, heir: SchemaNode | undefined): boolean {
  return heir !== undefined && discriminatorOf(node) !== undefined && isExtension(heir, node);
}

/** The names that a schema requires although another schema of the value forbids them in this direction. */
function unrequired(node: SchemaNode, { hidden, direction }: Context): readonly string[] {
  if (hidden.size === 0) return [];
  const own = hiddenNames(node, direction);
  return [...requiredNames(node)].filter((name) => hidden.has(name) && !own.has(name)).sort();
}

function isNullSchema(schema: unknown): boolean {
  return isObject(schema) && String(schema['type']) === 'null';
}

function shortest({ id, schema }: Unit): NormalSchema {
  if (isSmall(schema)) return schema;
  const isAlias = isObject(schema) && '$ref' in schema && Object.keys(schema).length === 1;
  return isAlias ? schema : { $ref: id };
}

/** The value of an applicator in its original shape (one schema, a list or an object), with normalised schemas. */
function assembled(
  keyword: ApplicatorKeyword,
  members: readonly (readonly [string | number | undefined, NormalSchema])[],
): unknown {
  const { holds } = APPLICATORS[keyword];
  if (holds === 'map') return Object.fromEntries(members.map(([key, value]) => [String(key), value]));
  const values = members.map(([, value]) => value);
  return holds === 'list' ? values : values[0];
}

/** Combines a schema's own keywords with the other schemas that must hold for the same value. */
function combined(own: Fields, all: readonly NormalSchema[]): NormalSchema {
  // All readers of checks expect this one form of the schema that refuses every value.
  if (own['not'] === true || all.includes(false)) return false;
  const members = all.filter(
    (member) => member !== true && !(isObject(member) && Object.keys(member).length === 0),
  );
  const [only] = members;
  if (only === undefined) return Object.keys(own).length === 0 ? true : own;
  if (members.length === 1) {
    if (Object.keys(own).length === 0) return only;
    if (isObject(only) && Object.keys(only).length === 1 && ('$ref' in only || 'nullOr' in only))
      return { ...own, ...only };
  }
  return { ...own, allOf: members };
}
