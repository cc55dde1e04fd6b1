/** Schemas that must all hold for one value: those of one contract, or those of two versions of it. */

import type { OpenApiDocument, Schema, SchemaObject } from '../load/openapi.js';
import { joinPointer, resolvePointer } from '../text/pointer.js';

/** A schema with its place, and the document that its references point into. */
export interface Part {
  readonly schema: Schema;
  readonly at: string;
  readonly document: OpenApiDocument;
}

/** A schema without a reference of its own. */
export interface PlainPart extends Part {
  readonly schema: SchemaObject;
}

/** The schema of a parameter, a header or a body; none where the contract gives none. */
export function partsOf(
  { schema, schemaAt }: { readonly schema?: Schema; readonly schemaAt: string },
  document: OpenApiDocument,
): readonly Part[] {
  return schema === undefined ? [] : [{ schema, at: schemaAt, document }];
}

/** The part under a keyword of another. */
export function partIn(
  { at, document }: Part,
  schema: Schema,
  ...tokens: readonly (string | number)[]
): Part {
  return { schema, at: joinPointer(at, ...tokens), document };
}

/**
 * The parts behind references and in `allOf`, at any depth; alternatives stay in their parts. What a discriminator of a
 * parent schema demands is a part of its own: that the property names the value's schema.
 *
 * @param name - the reference that led to the value's schema
 */
export function members(
  parts: readonly Part[],
  seen: ReadonlySet<unknown> = new Set(),
  name?: string,
): readonly PlainPart[] {
  return parts.flatMap((part): readonly PlainPart[] => {
    const { schema, document } = part;
    if (schema === true || seen.has(schema)) return [];
    if (schema === false) return [{ ...part, schema: { not: {} } }];
    const within = new Set(seen).add(schema);
    const { $ref, allOf = [], ...own } = schema;
    // In 3.0 nothing holds beside a reference (Reference Object).
    const isAlone = $ref !== undefined && document.openapi.startsWith('3.0');
    const isParent = own.oneOf === undefined && own.anyOf === undefined && name !== undefined;
    return [
      ...(isAlone || Object.keys(own).length === 0 ? [] : [{ ...part, schema: own }]),
      ...(isParent ? tagsOf(part, own, name) : []),
      ...($ref === undefined
        ? []
        : members(
            [{ schema: resolvePointer(document, $ref) as Schema, at: $ref, document }],
            within,
            name ?? $ref,
          )),
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

/** The same, with the first alternative that is not null in place of each `oneOf` and `anyOf`. */
export function flattened(parts: readonly Part[], depth = 0): readonly PlainPart[] {
  if (depth > 20) return [];
  return members(parts).flatMap((part): readonly PlainPart[] => {
    const { oneOf, anyOf, ...own } = part.schema;
    const chosen = [oneOf, anyOf].flatMap((list, index) => {
      const keyword = ALTERNATIONS[index] ?? 'oneOf';
      const first = Math.max(0, list?.findIndex((schema) => !isNull(schema)) ?? 0);
      return list === undefined ? [] : alternative(part, keyword, first);
    });
    return [{ ...part, schema: own }, ...flattened(chosen, depth + 1)];
  });
}

export function isNull(schema: Schema): boolean {
  return typeof schema === 'object' && schema.type === 'null';
}

/** An alternative of a part, and what its discriminator demands: that the property names the alternative. */
export function alternative(part: PlainPart, keyword: Alternation, index: number): readonly Part[] {
  const schema = part.schema[keyword]?.[index];
  if (schema === undefined) return [];
  const own = partIn(part, schema, keyword, index);
  if (typeof schema === 'boolean' || schema.$ref === undefined) return [own];
  return [own, ...tagsOf(part, part.schema, schema.$ref)];
}

/** What a discriminator demands of a value of a schema. @param target - the reference to the schema */
function tagsOf(part: Part, { discriminator }: SchemaObject, target: string): readonly PlainPart[] {
  const { propertyName, mapping = {} } = (discriminator ?? {}) as {
    readonly propertyName?: string;
    readonly mapping?: Readonly<Record<string, string>>;
  };
  if (propertyName === undefined) return [];
  const name = target.slice(target.lastIndexOf('/') + 1);
  const mapped = Object.entries(mapping).find(([, to]) => to === target || to === name)?.[0];
  // Without a mapping, a `const` or `enum` of the property goes before the name of the schema.
  const tag: Schema = mapped === undefined ? { examples: [name] } : { enum: [mapped] };
  return [{ ...part, schema: { required: [propertyName], properties: { [propertyName]: tag } } }];
}
