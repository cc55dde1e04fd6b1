/** The types of schemas, of the failures of values that do not fit them, and of the attempts that find the failures. */

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

/** A failure before it has a place. */
export type Finding = Omit<Failure, 'instancePath'>;

export function finding(keyword: string, params: Finding['params'], message: string): Finding {
  return { keyword, params, message };
}

/** The schema that a generated check carries: `$ref` is another check, and `fitsFormat` has the tests of a format by type. */
export type CheckedSchema = boolean | SchemaKeywords;

export type SchemaKeywords = Readonly<Record<string, unknown>>;

/** The properties and items of a value that have been evaluated, for `unevaluatedProperties` and `unevaluatedItems`. */
export class Looked {
  readonly names = new Set<string>();
  readonly indexes = new Set<number>();

  add({ names, indexes }: Looked): void {
    for (const name of names) this.names.add(name);
    for (const index of indexes) this.indexes.add(index);
  }
}

/** One attempt to fit a value: its failures, and the evaluated properties and items. */
export interface Trial {
  readonly failures: readonly Failure[];
  readonly looked: Looked;
  readonly fits: boolean;
  fail(place: string, finding: Finding): void;
  /** Checks another value: a property or an item. Returns whether it fits. */
  part(schema: unknown, value: unknown, place: string): boolean;
  /** Checks the same value. Its evaluated members count even if it fails, because that failure is reported anyway. */
  same(schema: unknown, value: unknown, place: string): void;
  /** Checks a value that need not fit. */
  attempt(schema: unknown, value: unknown, place: string): Trial;
}

/** The keys that lead to a value that could not be converted, outermost first; generated functions add them innermost first. */
export function placeOf(error: unknown): readonly (string | number)[] {
  if (!(error instanceof Error) || !('place' in error) || !Array.isArray(error.place)) return [];
  return (error.place as (string | number)[]).toReversed();
}
