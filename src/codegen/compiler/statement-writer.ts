/** What the writers of objects and of lists ask of the writer of the function around them. */
import type { Condition } from './condition.js';
import type { Evaluation } from './evaluation.js';
import type { FunctionScope } from './function-scope.js';
import type { Kinds } from './kinds.js';
import type { LinkedSchema, SchemaObject } from './linked-schema.js';

/** What the place that a schema is written in decides. */
export interface Surroundings {
  /** The statement that ends the check of the schema where it does not hold. */
  readonly fail: string;
  /** What the value can be. */
  readonly kinds: Kinds;
  /** Takes down what is looked at, where `unevaluatedProperties` or `unevaluatedItems` asks for it. */
  readonly evaluation: Evaluation | undefined;
}

/** Writes statements, and the schemas inside a schema. */
export interface StatementWriter {
  readonly scope: FunctionScope;
  line(text: string): void;
  block(head: string, write: () => void): void;
  require(conditions: readonly Condition[], fail: string): void;
  schema(schema: LinkedSchema, value: string, around: Surroundings): void;
  dispatch(schema: SchemaObject, value: string, around: Surroundings): void;
  dependentSchemas(schema: SchemaObject, value: string, around: Surroundings): void;
}
