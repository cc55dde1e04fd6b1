/** The interface between the writers of objects and lists and the writer of the function around them. */
import type { Code } from '../text/code.js';
import type { Condition } from './condition.js';
import type { Evaluation } from './evaluation.js';
import type { Scope } from './scope.js';
import type { Kinds } from './kinds.js';
import type { LinkedSchema, SchemaObject } from './linked-schema.js';

export interface Surroundings {
  /** The statement for a value that does not fit. */
  readonly fail: Code;
  /** The possible kinds of the value. */
  readonly kinds: Kinds;
  /** Records evaluated properties and items if an `unevaluated` keyword needs them. */
  readonly evaluation: Evaluation | undefined;
}

/** Writes statements, and the schemas inside a schema. */
export interface StatementWriter {
  readonly scope: Scope;
  line(text: Code): void;
  block(head: Code, write: () => void): void;
  require(conditions: readonly Condition[], fail: Code): void;
  schema(schema: LinkedSchema, value: Code, around: Surroundings): void;
  dispatch(schema: SchemaObject, value: Code, around: Surroundings): void;
  dependentSchemas(schema: SchemaObject, value: Code, around: Surroundings): void;
}
