/** The types of the failures of a value that does not fit its schema. */

/** One way in which a value does not fit. */
export interface Failure {
  /** JSON Pointer into the checked value. */
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The rule, as the end of a sentence: `must be string`. */
  readonly message: string;
  /** For a value that fits none of several schemas, or too many: its failures of each schema that it does not fit. */
  readonly alternatives?: readonly (readonly Failure[])[];
}

/** A schema as a generated check describes itself: `$ref` is another check, a format has its tests beside it, by type. */
export type CheckedSchema = boolean | SchemaKeywords;

export type SchemaKeywords = Readonly<Record<string, unknown>>;
