/** Turns the schemas of a document into units of plain JSON Schema 2020-12, with one variant per way of use. */
import { APPLICATORS, type ApplicatorKeyword } from '@concordat/runtime/parts';
import type { ContractSchemas, Placed, Subschema } from '../../contract/schemas/contract-schemas.js';
import {
  type Discrimination,
  Discriminators,
  discriminatorOf,
} from '../../contract/schemas/discriminators.js';
import { type DynamicScope, enteredScope, isObject, type Fields } from '../../contract/schemas/document.js';
import { type Defaults, reportLost, reportOwnDefault, withDefault } from './facts.js';
import { type Direction, ClosureFacts, HIDDEN } from './facts.js';
import { isPattern, keywordChecks } from './keyword-checks.js';
import { type Mode, type NormalSchema, type Unit, isSmall } from './units.js';

/** The context that a schema inherits from the place where it is used. */
interface Context {
  readonly direction: Direction;
  readonly defaults: Defaults;
  /** Properties of the value that are not required because this direction does not allow them. */
  readonly hidden: ReadonlySet<string>;
  /** The schema whose `allOf` leads here, for the same value. */
  readonly heir: string | undefined;
  /** True at the root of a parent that is used by a schema that extends it. */
  readonly base: boolean;
  /** Decides the targets of dynamic references. */
  readonly scope: DynamicScope;
  /** True for a schema whose properties are parameters or headers; the schemas that it refers to are ordinary schemas. */
  readonly isMessage: boolean;
}

const NOTHING_HIDDEN: ReadonlySet<string> = new Set();

/** Normalises the schemas of one document. Unsupported features are reported and left out. */
export class Normaliser {
  readonly #discriminators: Discriminators;
  readonly #facts: ClosureFacts;
  readonly #units = new Map<string, Unit | 'in progress'>();
  readonly #ids = new Map<string, string>();

  constructor(private readonly schemas: ContractSchemas) {
    this.#discriminators = new Discriminators(schemas);
    this.#facts = new ClosureFacts(schemas, this.#discriminators);
  }

  /** Every unit so far; a unit comes after those that it refers to. */
  get units(): readonly Unit[] {
    return [...this.#units.values()].filter((unit) => unit !== 'in progress');
  }

  /**
   * Normalises the schema of a whole body, or of the parameters of an operation.
   *
   * @param source its place in the document, or a schema that the generator made
   * @param isMessage whether the properties of a made schema are parameters or headers: for them `readOnly` and
   * `writeOnly` mean nothing (OpenAPI, Schema Object: "relevant only for Schema `properties` definitions")
   */
  root(source: string | Placed, direction: Direction, isMessage = false): NormalSchema {
    const defaults = direction === 'request' ? 'insert' : 'none';
    const scope = new Map<string, string>();
    const nothing = { hidden: NOTHING_HIDDEN, heir: undefined, base: false };
    const context: Context = { direction, defaults, scope, isMessage, ...nothing };
    return typeof source === 'string' ? this.#refer(source, context) : this.#value(source, context);
  }

  /** Normalises the schema of a new value: a body, a property or an item. */
  #value(placed: Placed, context: Context): NormalSchema {
    const hidden = this.#facts.hiddenNames(placed, context.direction);
    return this.#schema(placed, { ...context, hidden, heir: undefined, base: false });
  }

  #schema(placed: Placed, surrounding: Context): NormalSchema {
    const { schema, at } = placed;
    if (typeof schema === 'boolean') return schema;
    if (!isObject(schema)) {
      this.schemas.unsupported('invalid-keyword', at, 'a schema must be an object or a boolean');
      return true;
    }
    const context = { ...surrounding, scope: enteredScope(surrounding.scope, schema) };
    const references = this.schemas.references(placed, context.scope);
    const discrimination = context.base ? undefined : this.#discriminators.read(placed);
    const skipped: readonly (string | undefined)[] =
      context.base && discriminatorOf(schema) ? ['oneOf', 'anyOf'] : [discrimination?.among];
    const out = keywordChecks(this.schemas, placed, context.hidden);
    const all: NormalSchema[] = [];
    for (const [keyword, parts] of this.#parts(placed)) {
      if (skipped.includes(keyword)) continue;
      const alternative = this.#unlessNull(keyword, parts);
      if (alternative !== undefined) {
        reportOwnDefault(this.schemas, alternative, context.defaults);
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
  #parts(placed: Placed): ReadonlyMap<ApplicatorKeyword, readonly Subschema[]> {
    const parts = new Map<ApplicatorKeyword, Subschema[]>();
    for (const part of this.schemas.subschemas(placed)) {
      if (part.keyword === 'patternProperties' && !isPattern(this.schemas, String(part.key), part.at))
        continue;
      const list = parts.get(part.keyword);
      if (list) list.push(part);
      else parts.set(part.keyword, [part]);
    }
    return parts;
  }

  #part(part: Subschema, context: Context): NormalSchema {
    const { appliesTo, isTentative } = APPLICATORS[part.keyword];
    const defaults = isTentative && context.defaults === 'insert' ? 'lost' : context.defaults;
    if (appliesTo === 'value') {
      if (isTentative) reportOwnDefault(this.schemas, part, context.defaults);
      const heir = part.keyword === 'allOf' ? context.heir : undefined;
      return this.#schema(part, { ...context, defaults, heir, base: false });
    }
    if (part.keyword === 'properties' || part.keyword === 'patternProperties') {
      const flag = HIDDEN[context.direction];
      if (!context.isMessage && this.schemas.flagged(part, flag)) return { [flag]: true };
    }
    const schema = this.#value(part, { ...context, defaults });
    return part.keyword === 'properties' ? withDefault(this.schemas, schema, part, defaults) : schema;
  }

  /**
   * The alternative to null, if there are exactly two. It applies directly instead of being tried, so that defaults and errors
   * stay exact.
   */
  #unlessNull(keyword: string, parts: readonly Subschema[]): Placed | undefined {
    if ((keyword !== 'anyOf' && keyword !== 'oneOf') || parts.length !== 2) return undefined;
    const other = parts.find((part) => !isNullSchema(part.schema));
    if (other === undefined || !parts.some((part) => isNullSchema(part.schema))) return undefined;
    return keyword === 'anyOf' || !this.schemas.mayBe(other, 'null') ? other : undefined;
  }

  /** Normalises a reference: to a reference to a unit, or to a copy of a small schema. */
  #refer(pointer: string, context: Context, base = this.#isParent(pointer, context.heir)): NormalSchema {
    const facts = this.#facts.ofPlace(pointer);
    if (context.defaults === 'lost')
      facts.defaults.forEach((place) => {
        reportLost(this.schemas, place);
      });
    const unrequired = this.#unrequired(pointer, context);
    const mode: Mode = {
      direction: facts[HIDDEN[context.direction]] ? context.direction : 'both',
      defaults: context.defaults === 'insert' && facts.defaults.length > 0,
      base,
      unrequired,
    };
    const scope = enteredScope(context.scope, this.schemas.at(pointer).schema);
    const key = JSON.stringify([pointer, mode, [...scope].sort()]);
    const known = this.#units.get(key);
    const id = this.#ids.get(key) ?? `s${this.#ids.size}`;
    if (known === undefined) return this.#unit(pointer, key, id, mode, context);
    return known === 'in progress' ? { $ref: id } : shortest(known);
  }

  #unit(pointer: string, key: string, id: string, mode: Mode, context: Context): NormalSchema {
    this.#ids.set(key, id);
    this.#units.set(key, 'in progress');
    const placed = this.schemas.at(pointer);
    const schema = this.#schema(placed, {
      direction: context.direction,
      defaults: mode.defaults ? 'insert' : 'none',
      hidden: new Set([...this.#facts.hiddenNames(placed, context.direction), ...mode.unrequired]),
      heir: pointer,
      base: mode.base,
      scope: context.scope,
      isMessage: false,
    });
    const unit = { id, at: pointer, mode, schema };
    this.#units.delete(key);
    this.#units.set(key, unit);
    return shortest(unit);
  }

  #isParent(pointer: string, heir: string | undefined): boolean {
    return (
      heir !== undefined && this.#hasDiscriminator(pointer) && this.#discriminators.extends(heir, pointer)
    );
  }

  #hasDiscriminator(pointer: string): boolean {
    return discriminatorOf(this.schemas.at(pointer).schema) !== undefined;
  }

  /** The names that the schema at a place requires although another schema of the value forbids them in this direction. */
  #unrequired(pointer: string, { hidden, direction }: Context): readonly string[] {
    if (hidden.size === 0) return [];
    const placed = this.schemas.at(pointer);
    const own = this.#facts.hiddenNames(placed, direction);
    return [...this.#facts.requiredNames(placed)].filter((name) => hidden.has(name) && !own.has(name)).sort();
  }

  #dispatch(discrimination: Discrimination, context: Context): NormalSchema {
    const { property, among, branches, others, byDefault } = discrimination;
    const inside: Context = { ...context, heir: undefined, base: false };
    const picked = (placed: Placed): NormalSchema =>
      among !== 'inheritance' || placed.schema === true
        ? this.#schema(placed, inside)
        : this.#refer(placed.at, inside, this.#hasDiscriminator(placed.at));
    const schemas = branches.map(({ placed }) => picked(placed));
    const isNamed = {
      type: 'object',
      required: [property],
      properties: { [property]: { enum: [...new Set(branches.flatMap(({ values }) => values))] } },
    };
    const named = {
      ...isNamed,
      dispatchOn: { property, values: branches.map(({ values }) => values) },
      dispatch: schemas,
    };
    const dispatch = byDefault ? { if: isNamed, then: named, else: picked(byDefault) } : named;
    const [other] = others;
    if (other === undefined) return dispatch;
    if (others.length === 1 && isNullSchema(other.schema)) return { nullOr: dispatch };
    const tentative: Context = {
      ...inside,
      defaults: inside.defaults === 'insert' ? 'lost' : inside.defaults,
    };
    return {
      if: { type: 'object' },
      then: dispatch,
      else: { [among]: others.map((placed) => this.#schema(placed, tentative)) },
    };
  }
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
