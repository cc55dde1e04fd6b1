/** Normalised schemas: JSON Schema 2020-12 with a few internal keywords, in units that are each compiled once. */
import { HOLDERS, mapHeld, type LinkedSchema } from '../compiler/linked-schema.js';

/** A normalised schema: 2020-12's assertions and applicators, and the compiler's own keywords. */
export type NormalSchema = LinkedSchema;

/** One way in which a schema of the document is used. */
export interface Mode {
  /** `both` when the direction makes no difference. */
  readonly direction: 'request' | 'response' | 'both';
  /** True when absent properties get their defaults. */
  readonly defaults: boolean;
  /** True for a parent without its discriminator, as the schemas that extend it use it. */
  readonly base: boolean;
  /** Names that the schema requires, but that are not required here because this direction does not allow them. */
  readonly unrequired: readonly string[];
}

/** A schema that becomes one function. */
export interface Unit {
  readonly id: string;
  readonly at: string;
  readonly mode: Mode;
  readonly schema: NormalSchema;
}

/** The maximum number of keywords of a schema that is copied to its references instead of called. */
const SMALL = 6;

/** The same schema with other ids in its references. */
export function withReferences(schema: NormalSchema, idOf: (id: string) => string): NormalSchema {
  if (typeof schema === 'boolean') return schema;
  const rewritten = Object.entries(schema).map(([keyword, value]) => {
    if (keyword === '$ref') return [keyword, idOf(String(value))];
    if (!HOLDERS.has(keyword)) return [keyword, value];
    return [keyword, mapHeld(keyword, value, (each) => withReferences(each, idOf))];
  });
  return Object.fromEntries(rewritten) as NormalSchema;
}

/** True for a schema that is cheaper to copy than to call. */
export function isSmall(schema: NormalSchema): boolean {
  if (typeof schema === 'boolean') return true;
  const keywords = Object.keys(schema);
  return keywords.length <= SMALL && !keywords.some((keyword) => keyword === '$ref' || HOLDERS.has(keyword));
}
