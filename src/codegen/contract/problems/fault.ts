/** The problems found in a contract: faults, and valid parts that the generator does not support. */

import type { FeatureName } from './features.js';

/** The kinds of faults, each with its meaning. */
export const FAULTS = {
  'missing-file': 'a file is missing or cannot be read',
  'too-deep': 'references of a document lead on and on, too far to be followed',
  'invalid-syntax': 'the text is not YAML, JSON or SDL',
  'unsupported-version': 'the document is not OpenAPI 3.0, 3.1 or 3.2',
  'invalid-structure': 'a part of an OpenAPI document breaks the specification',
  'invalid-schema': 'the GraphQL schema is not valid',
  'unresolved-reference': 'a `$ref` or the name of a security scheme has no target, or a `$ref` is circular',
  duplicate: 'two parts of a document have the same name or meaning',
  'invalid-leniency': 'an `x-lenient` cannot be honoured',
  'invalid-extension': 'an `x-stream` or `x-body-limit` cannot be honoured',
  'unused-acceptance': '`accept` names a feature that the contract does not use',
  'unknown-choice': '`only` names a tag or an operation that the contract does not have',
  'generator-failure': 'the generator itself failed',
} as const;

export type FaultKind = keyof typeof FAULTS;

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

/** A valid part of a contract that the generator does not support; it stops generation unless the team accepts it, or it is a notice. */
export interface UnsupportedFeature {
  readonly feature: FeatureName;
  /** JSON Pointer to the place in the contract: `#/components/schemas/Pet/format`. */
  readonly at: string;
  /** One sentence that describes the unsupported part. */
  readonly message: string;
  /** True at a place where this feature changes nothing that a user relies on. */
  readonly isNotice?: boolean;
}
