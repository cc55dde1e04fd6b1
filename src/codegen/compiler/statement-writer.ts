/** The interface of the function writer, for the writers of a value's items and properties. */
import type { Condition } from './condition.js';
import type { Evaluation } from './evaluation.js';
import { ANY_KIND, type Kinds } from './kinds.js';
import type { LinkedSchema } from './linked-schema.js';
import type { Scope } from './scope.js';
import type { Code } from '../text/code.js';

/** The context of a schema in a function. */
export interface Surroundings {
  /** The statement that ends the check of a value that does not fit. */
  readonly fail: Code;
  /** The possible kinds of the value. */
  readonly kinds: Kinds;
  /** Records evaluated properties and items if an `unevaluated` keyword needs them. */
  readonly evaluation: Evaluation | undefined;
}

/** The surroundings of a property or an item. */
export function ofPart(fail: Code): Surroundings {
  return { fail, kinds: ANY_KIND, evaluation: undefined };
}

/** The same surroundings, in which evaluated properties and items count only if a condition holds. */
export function given(around: Surroundings, holds: Condition): Surroundings {
  return { ...around, evaluation: around.evaluation?.given(holds) };
}

/** Writes statements, and the schemas inside a schema. */
export interface StatementWriter {
  readonly scope: Scope;
  line(text: Code): void;
  block(head: Code, write: () => void): void;
  require(conditions: readonly Condition[], fail: Code): void;
  schema(schema: LinkedSchema, value: Code, around: Surroundings): void;
}
