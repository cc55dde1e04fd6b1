/** The problems found in a contract: faults, and valid parts that the generator does not support. */

/** The kinds of faults. */
export type FaultKind =
  /** A file is missing or cannot be read. */
  | 'missing-file'
  /** The text is not YAML, JSON or SDL. */
  | 'invalid-syntax'
  /** The document is not OpenAPI 3.0, 3.1 or 3.2. */
  | 'unsupported-version'
  /** A part of an OpenAPI document breaks the specification. */
  | 'invalid-structure'
  /** The GraphQL schema is not valid. */
  | 'invalid-schema'
  /** A `$ref` or the name of a security scheme has no target, or a `$ref` is circular. */
  | 'unresolved-reference'
  /** Two parts of a document have the same name or meaning. */
  | 'duplicate'
  /** An `x-lenient` cannot be honoured. */
  | 'invalid-leniency'
  /** An `x-stream` or `x-body-limit` cannot be honoured. */
  | 'invalid-extension'
  /** `accept` names a feature that the contract does not use. */
  | 'unused-acceptance'
  /** `only` names a tag or an operation that the contract does not have. */
  | 'unknown-choice'
  /** The generator itself failed. */
  | 'generator-failure';

/**
 * A fault that does not affect the generated files, or whose meaning is certain. The team accepts it by name, like an unsupported
 * feature, or accepts all with `lenient`.
 */
export type HarmlessFault = (typeof HARMLESS_FAULTS)[number];

const HARMLESS_FAULTS = [
  /** A field that only documentation needs is missing, such as `info.title`. */
  'missing-documentation',
  /** A field that only documentation needs has a wrong value, such as `info.version: 1`. */
  'invalid-documentation',
  /** A field that is not in the specification; it is ignored. */
  'unexpected-field',
  /** An unknown format, which adds nothing to the type; it is reported once per format. */
  'unknown-format',
  /** An exclusive bound in the notation of another OpenAPI version: a flag instead of a number, or the reverse. */
  'exclusive-bound',
  /** A boolean `required` in a schema. */
  'required-flag',
  /** A path template with an undeclared parameter. */
  'undeclared-path-parameter',
] as const;

export function isHarmless(feature: string | undefined): boolean {
  return HARMLESS_FAULTS.some((each) => each === feature);
}

/** A fault at a place of one document. */
export interface Fault {
  readonly fault: FaultKind;
  /** JSON Pointer. */
  readonly at: string;
  readonly message: string;
}

/** Thrown when reading cannot continue after a fault. A reader of several parts catches it and reads the next part. */
export class FaultError extends Error {
  override readonly name = 'FaultError';
  readonly fault: Fault;

  constructor(fault: FaultKind, at: string, message: string) {
    super(`${at}: ${message}`);
    this.fault = { fault, at, message };
  }
}

/** A valid part of a contract that the generator does not support; it stops generation unless the team accepts it. */
export interface UnsupportedFeature {
  /** The name of the feature, as `accept` spells it: `unknown-format`. */
  readonly feature: string;
  /** JSON Pointer to the place in the contract: `#/components/schemas/Pet/format`. */
  readonly at: string;
  /** One sentence that describes the unsupported part. */
  readonly message: string;
}
