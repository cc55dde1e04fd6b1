/** Splits schemas that must all hold for one value into plain parts, and finds the types and listed values of these. */

import type { Check, Json } from '@concordat/runtime';
import {
  type Keyword,
  canonical,
  describedSchema,
  memberPointer,
  once,
  typeOf,
} from '@concordat/runtime/parts';

/** A schema of a generated check, whose `$ref` is another check, or of a document, whose references its reader reads. */
export type Schema = boolean | SchemaObject;

export interface SchemaObject {
  readonly $ref?: unknown;
  readonly type?: string | readonly string[];
  readonly enum?: readonly Json[];
  readonly const?: Json;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly [keyword: string]: unknown;
}

/** A schema with its place. */
export interface Part {
  readonly schema: Schema;
  /** A pointer into the document, which identifies the schema; empty for a schema of a check. */
  readonly at: string;
  /** Reads the schemas of a document; absent for schemas of checks, and for those without references. */
  readonly reader?: Reader;
}

/** A schema without references and `allOf`. */
export interface PlainPart extends Part {
  readonly schema: SchemaObject;
}

/** Reads the references of the schemas of a document. */
export interface Reader {
  readonly read: (part: PlainPart) => Reading;
  /** The parts that hold for a value of an alternative beside the alternative. */
  readonly besides: (part: PlainPart, alternative: Schema) => readonly PlainPart[];
  /** Keeps what was made of schemas that the reader reads alike in every place; absent for other schemas. */
  readonly memory?: Map<string, unknown> | undefined;
}

export interface Reading {
  /** The schema's own keywords, and those that its references add to them. */
  readonly own: readonly PlainPart[];
  /** The other schemas that hold for the same value. */
  readonly others: readonly Part[];
  /** Whether the references may lead elsewhere in another place. */
  readonly isDynamic?: boolean;
}

let count = 0;

const nextNumber = (): number => (count += 1);

/** What is made of parts, which is made once if their readers remember it. @param what - names the result and its other inputs */
export function remembered<T>(parts: readonly Part[], what: string, make: () => T): T {
  const memory = memoryOf(parts);
  if (memory === undefined) return make();
  const key = `${what} ${identityOf(parts)}`;
  if (!memory.has(key)) memory.set(key, make());
  return memory.get(key) as T;
}

/** The memory of the first part, if all have one. */
export function memoryOf(parts: readonly Part[]): Map<string, unknown> | undefined {
  return parts.every(({ reader }) => reader?.memory !== undefined) ? parts[0]?.reader?.memory : undefined;
}

/** Identifies parts by their schemas; the places of the parts do not count. */
export const identityOf = (parts: readonly Part[]): string =>
  parts.map(({ schema }) => (typeof schema === 'boolean' ? schema : once(schema, nextNumber))).join(' ');

/** The part under a keyword of another. */
export function partIn(part: Part, schema: Schema, ...tokens: readonly (string | number)[]): Part {
  if (part.reader === undefined) return { schema, at: part.at };
  return { ...part, schema, at: part.at + tokens.map(pointerToken).join('') };
}

/** As `$ref` writes a step of a pointer: in a URI, a percent sign starts an escape. */
function pointerToken(token: string | number): string {
  // Most need no escape.
  if (typeof token === 'number' || !/[~/%\t\n\r]/.test(token)) return `/${String(token)}`;
  return memberPointer(token).replaceAll(/[%\t\n\r]/g, encodeURIComponent);
}

/** The parts behind references and in `allOf`, at any depth, each once; alternatives stay in their parts. */
export function members(parts: readonly Part[], seen: Set<unknown> = new Set()): readonly PlainPart[] {
  return parts.flatMap((part): readonly PlainPart[] => {
    const { schema } = part;
    if (schema === true || seen.has(schema)) return [];
    if (schema === false) return [{ ...part, schema: { not: {} } }];
    const { own, others, isDynamic = false } = (part.reader?.read ?? readChecked)({ ...part, schema });
    const within = isDynamic ? new Set(seen).add(schema) : seen.add(schema);
    return [...own, ...members(others, within)];
  });
}

/** Parts in which a schema that is only a reference is replaced by what it refers to. */
export function followed(parts: readonly Part[]): readonly Part[] {
  return parts.map((given) => {
    let part = given;
    for (const seen = new Set<Schema>(); typeof part.schema === 'object' && !seen.has(part.schema);) {
      seen.add(part.schema);
      const { $ref } = part.schema;
      const reading = (part.reader?.read ?? readChecked)({ ...part, schema: part.schema });
      const { own } = reading;
      const [target, ...others] = reading.others;
      if ($ref === undefined || own.length > 0 || target === undefined || others.length > 0) break;
      part = target;
    }
    return part;
  });
}

/** Reads a schema of a check. It has the flags of a direction only where the direction excludes the property. */
function readChecked(part: PlainPart): Reading {
  const { $ref, allOf = [], ...own } = part.schema;
  if ('readOnly' in own || 'writeOnly' in own) return { own: [{ ...part, schema: { not: {} } }], others: [] };
  return {
    own: Object.keys(own).length === 0 ? [] : [{ ...part, schema: own }],
    others: [
      ...allOf.map((schema) => ({ ...part, schema })),
      ...(typeof $ref === 'function' ? [{ ...part, schema: schemaOf($ref as Check) }] : []),
    ],
  };
}

/** The schema of a check; `true` for a check without one. */
export const schemaOf = (check: Check): Schema => once(check, describedSchema) as Schema;

/** The examples of a schema, undefined among them. */
export const examplesIn = ({ schema: { example, examples } }: PlainPart): readonly unknown[] =>
  Array.isArray(examples) ? [example, ...(examples as readonly unknown[])] : [example];

/** The check that the parts refer to, if they are one reference and nothing else. */
export function referenceIn([part, ...others]: readonly Part[]): Check | undefined {
  if (typeof part?.schema !== 'object' || others.length > 0) return undefined;
  const { $ref, ...own } = part.schema;
  return typeof $ref === 'function' && Object.keys(own).length === 0 ? ($ref as Check) : undefined;
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

export const isNull = (schema: Schema): boolean => typeof schema === 'object' && schema.type === 'null';

/** The types that every part allows, null last; undefined if no part names any. */
export function typesOf(parts: readonly PlainPart[]): readonly string[] | undefined {
  const [first, ...others] = parts.flatMap(({ schema: { type } }) =>
    type === undefined ? [] : [[type].flat()],
  );
  const common = first?.flatMap((type) => {
    const areWhole = (types: readonly string[]) => types.includes('integer') && !types.includes('number');
    const isWhole = [[type], ...others].some(areWhole);
    const same = { integer: 'number', number: 'integer' }[type] ?? type;
    if (!others.every((types) => types.includes(type) || types.includes(same))) return [];
    return [type === 'number' && isWhole ? 'integer' : type];
  });
  return common && [...new Set(common)].toSorted((a, b) => Number(a === 'null') - Number(b === 'null'));
}

/** The types of parts that name none: the type that their keywords are for, or else three types with small values. */
export function impliedTypes(parts: readonly PlainPart[]): readonly string[] {
  const found = Object.entries(IMPLIED).find(([, keywords]) =>
    parts.some(({ schema }) => keywords.some((keyword) => keyword in schema)),
  );
  return found === undefined ? ['string', 'boolean', 'null'] : [found[0]];
}

const IMPLIED: Readonly<Record<string, readonly Keyword[]>> = {
  object: ['properties', 'required', 'additionalProperties', 'patternProperties', 'minProperties'],
  array: ['items', 'prefixItems', 'minItems', 'contains'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  string: ['pattern', 'minLength', 'maxLength', 'format'],
};

/** The values of `const` and `enum` that every part allows, null last; undefined if no part lists any. */
export function listedValues(parts: readonly PlainPart[]): readonly Json[] | undefined {
  const [first, ...others] = parts.flatMap(({ schema }): readonly (readonly Json[])[] => {
    if (schema.const !== undefined) return [[schema.const]];
    return Array.isArray(schema.enum) ? [schema.enum as readonly Json[]] : [];
  });
  if (first === undefined) return undefined;
  const known = others.map((list) => new Set(list.map(canonical)));
  const types = typesOf(parts);
  const isTyped = (value: Json): boolean => types?.some((type) => isOfType(value, type)) ?? true;
  return first
    .filter((value) => known.every((each) => each.has(canonical(value))) && isTyped(value))
    .toSorted((a, b) => Number(a === null) - Number(b === null));
}

const isOfType = (value: Json, type: string): boolean =>
  type === 'integer' ? Number.isInteger(value) : typeOf(value) === type;

/** The bounds of the number of items, properties or characters. */
export function countsOf(
  plain: readonly PlainPart[],
  of: 'Items' | 'Properties' | 'Length',
): { readonly least: number; readonly most: number } {
  const bounds = (keyword: string): readonly number[] =>
    plain.flatMap(({ schema }) => (typeof schema[keyword] === 'number' ? [schema[keyword]] : []));
  return { least: Math.max(0, ...bounds(`min${of}`)), most: Math.min(Infinity, ...bounds(`max${of}`)) };
}
