/** The types of schemas, and of the failures of values that do not fit them. */

/** One way in which a value does not fit. */
export interface Failure {
  /** JSON Pointer into the checked value. */
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The rule, as the end of a sentence: `must be string`. */
  readonly message: string;
  /** For a value that fits none of several schemas, or too many: its failures by each schema that it does not fit. */
  readonly alternatives?: readonly (readonly Failure[])[];
}

/** The schema that a generated check carries: `$ref` is another check, and `fitsFormat` has the tests of a format by type. */
export type CheckedSchema = boolean | SchemaKeywords;

export type SchemaKeywords = Readonly<Record<string, unknown>>;
