/** Combines schemas that must all accept one value: those of one contract, or of two versions of it. */

import type { Json } from 'concordat';
import type { OpenApiDocument, Schema, SchemaObject } from '../load/openapi.js';
import { type DynamicScope, ANCHORS, dynamicTarget, enteredScope } from '../schemas/marks.js';
import { joinPointer, resolvePointer } from '../text/pointer.js';

/** A schema with its place, and the document that its references point into. */
export interface Part {
  readonly schema: Schema;
  readonly at: string;
  readonly document: OpenApiDocument;
  /** Decides the targets of dynamic references; empty unless given. */
  readonly scope?: DynamicScope;
}

/** A schema without `$ref`, `$dynamicRef` and `allOf`. */
export interface PlainPart extends Part {
  readonly schema: SchemaObject;
}

const NO_SCOPE: DynamicScope = new Map();

/** The schema of a parameter, a header or a body; empty if the contract gives none. */
export function partsOf(
  { schema, schemaAt }: { readonly schema?: Schema; readonly schemaAt: string },
  document: OpenApiDocument,
): readonly Part[] {
  return schema === undefined ? [] : [{ schema, at: schemaAt, document }];
}

/** The part under a keyword of another. */
export function partIn(part: Part, schema: Schema, ...tokens: readonly (string | number)[]): Part {
  return { ...part, schema, at: joinPointer(part.at, ...tokens) };
}

/**
 * The parts behind references and in `allOf`, at any depth; alternatives stay in their parts. The discriminator of a parent schema adds a
 * part, which requires that the property names the value's schema.
 *
 * @param name - the reference that led to the value's schema
 */
export function members(
  parts: readonly Part[],
  seen: Set<unknown> = new Set(),
  name?: string,
): readonly PlainPart[] {
  return parts.flatMap((outer): readonly PlainPart[] => {
    const { schema, document } = outer;
    const scope = enteredScope(outer.scope ?? NO_SCOPE, schema);
    const part = { ...outer, scope };
    if (schema === true || seen.has(schema)) return [];
    if (schema === false) return [{ ...part, schema: { not: {} } }];
    // A schema is added once. In a dynamic scope, it may mean something else in another place, so only recursion is cut off.
    const within = scope === NO_SCOPE ? seen.add(schema) : new Set(seen).add(schema);
    const { $ref, $dynamicRef, allOf = [], ...own } = schema;
    Reflect.deleteProperty(own, ANCHORS);
    const dynamic = typeof $dynamicRef === 'string' ? dynamicTarget($dynamicRef, scope) : undefined;
    const behind = (at: string): Part => ({ ...part, schema: resolvePointer(document, at) as Schema, at });
    // In 3.0, fields beside a reference are ignored (Reference Object).
    const isAlone = $ref !== undefined && document.openapi.startsWith('3.0');
    const isParent = own.oneOf === undefined && own.anyOf === undefined && name !== undefined;
    return [
      ...(isAlone || Object.keys(own).length === 0 ? [] : [{ ...part, schema: own }]),
      ...(isParent ? tagsOf(part, own, name) : []),
      ...($ref === undefined ? [] : members([behind($ref)], within, name ?? $ref)),
      ...(dynamic === undefined ? [] : members([behind(dynamic)], within, name)),
      ...(isAlone
        ? []
        : members(
            allOf.map((inner, index) => partIn(part, inner, 'allOf', index)),
            within,
            name,
          )),
    ];
  });
}

/** A keyword with alternatives. */
export type Alternation = 'oneOf' | 'anyOf';

export const ALTERNATIONS: readonly Alternation[] = ['oneOf', 'anyOf'];

/** The maximum number of choices that are tried for one value, because nested alternatives multiply. */
const MOST_CHOICES = 1000;

/**
 * The parts with one alternative in place of each `oneOf` and `anyOf`: every choice in turn, null alternatives last. A choice whose types
 * or listed values contradict each other is left out.
 */
export function choicesOf(parts: readonly Part[]): Generator<readonly PlainPart[]> {
  return choices(parts, isContradiction, { left: MOST_CHOICES });
}

/** The first choice without a contradiction, or else the first choice. */
export function flattened(parts: readonly Part[]): readonly PlainPart[] {
  for (const choice of choicesOf(parts)) return choice;
  for (const choice of choices(parts, () => false, { left: MOST_CHOICES })) return choice;
  return [];
}

function* choices(
  parts: readonly Part[],
  isLeftOut: (plain: readonly PlainPart[]) => boolean,
  budget: { left: number },
): Generator<readonly PlainPart[]> {
  budget.left -= 1;
  const plain = members(parts);
  if (budget.left < 0 || isLeftOut(plain)) return;
  const at = plain.findIndex(({ schema }) => ALTERNATIONS.some((keyword) => schema[keyword] !== undefined));
  const part = plain[at];
  const keyword = ALTERNATIONS.find((each) => part?.schema[each] !== undefined);
  if (part === undefined || keyword === undefined) {
    yield plain;
    return;
  }
  const { [keyword]: alternatives = [], ...own } = part.schema;
  const order = [...alternatives.keys()].toSorted(
    (a, b) => Number(isNull(alternatives[a] ?? true)) - Number(isNull(alternatives[b] ?? true)),
  );
  for (const index of order) {
    const chosen = [{ ...part, schema: own }, ...alternative(part, keyword, index)];
    yield* choices([...plain.slice(0, at), ...chosen, ...plain.slice(at + 1)], isLeftOut, budget);
  }
}

/** Whether no value can fit the types and the listed values of all parts. */
function isContradiction(plain: readonly PlainPart[]): boolean {
  return (
    plain.some(({ schema }) => isNever(schema)) ||
    typesOf(plain)?.length === 0 ||
    listedValues(plain)?.length === 0
  );
}

/** Whether a schema refuses every value: `false`, `{ not: {} }` or `{ not: true }`. */
export function isNever(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return schema === false;
  return 'not' in schema && isAlways(schema.not);
}

/** Whether a schema accepts every value: `true` or `{}`. */
export function isAlways(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return schema === true;
  return Object.keys(schema).length === 0;
}

/** The types that every part allows, null last; undefined if no part names any. */
export function typesOf(parts: readonly PlainPart[]): readonly string[] | undefined {
  const named = parts.flatMap(({ schema }) => {
    if (schema.type === undefined) return [];
    return [[...[schema.type].flat(), ...(schema.nullable === true ? ['null'] : [])]];
  });
  const [first, ...others] = named;
  const common = first?.flatMap((type) => {
    const fits = (types: readonly string[]): string | undefined => {
      if (types.includes(type)) return type;
      if (type === 'integer' && types.includes('number')) return 'integer';
      return type === 'number' && types.includes('integer') ? 'integer' : undefined;
    };
    const narrowed = others.map(fits);
    if (narrowed.includes(undefined)) return [];
    return [narrowed.includes('integer') ? 'integer' : type];
  });
  return common?.toSorted((a, b) => Number(a === 'null') - Number(b === 'null'));
}

/** The values of `const` and `enum` that every part allows, null last; undefined if no part lists any. */
export function listedValues(parts: readonly PlainPart[]): readonly Json[] | undefined {
  const lists = parts.flatMap(({ schema }) => {
    if (schema.const !== undefined) return [[schema.const]];
    return Array.isArray(schema.enum) ? [schema.enum as readonly Json[]] : [];
  });
  const [first, ...others] = lists;
  if (first === undefined) return undefined;
  const texts = others.map((list) => new Set(list.map((value) => JSON.stringify(value))));
  const types = typesOf(parts);
  return first
    .filter(
      (value) =>
        texts.every((each) => each.has(JSON.stringify(value))) &&
        (types?.some((type) => isOfType(value, type)) ?? true),
    )
    .toSorted((a, b) => Number(a === null) - Number(b === null));
}

function isOfType(value: Json, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'null') return value === null;
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}

export function isNull(schema: Schema): boolean {
  return typeof schema === 'object' && schema.type === 'null';
}

/** An alternative of a part, with the part that its discriminator adds: the property must name the alternative. */
export function alternative(part: PlainPart, keyword: Alternation, index: number): readonly Part[] {
  const schema = part.schema[keyword]?.[index];
  if (schema === undefined) return [];
  const own = partIn(part, schema, keyword, index);
  if (typeof schema === 'boolean' || schema.$ref === undefined) return [own];
  return [own, ...tagsOf(part, part.schema, schema.$ref)];
}

/** The part that a discriminator adds for a value of a schema. @param target - the reference to the schema */
function tagsOf(part: Part, { discriminator }: SchemaObject, target: string): readonly PlainPart[] {
  const { propertyName, mapping = {} } = (discriminator ?? {}) as {
    readonly propertyName?: string;
    readonly mapping?: Readonly<Record<string, string>>;
  };
  if (propertyName === undefined) return [];
  const name = target.slice(target.lastIndexOf('/') + 1);
  const mapped = Object.entries(mapping).find(([, to]) => to === target || to === name)?.[0];
  // Without a mapping, a `const` or `enum` of the property takes precedence over the name of the schema.
  const tag: Schema = mapped === undefined ? { examples: [name] } : { enum: [mapped] };
  return [{ ...part, schema: { required: [propertyName], properties: { [propertyName]: tag } } }];
}
