/** The context of a schema in a generated function: the kinds of values, their evaluated parts, and the writer of its statements. */

import { all, ALWAYS, any, condition, type Condition } from './condition.js';
import type { LinkedSchema, SchemaObject } from './linked-schema.js';
import type { Scope } from './scope.js';
import { type Code, code } from '../../text/code.js';
import type { JsonType } from '@concordat/runtime/parts';

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
export function onlyIf(around: Surroundings, holds: Condition): Surroundings {
  return { ...around, evaluation: around.evaluation?.onlyIf(holds) };
}

/** Writes statements, and the schemas inside a schema. */
export interface StatementWriter {
  readonly scope: Scope;
  line(text: Code): void;
  block(head: Code, write: () => void): void;
  require(conditions: readonly Condition[], fail: Code): void;
  schema(schema: LinkedSchema, value: Code, around: Surroundings): void;
}

export type Kinds = ReadonlySet<JsonType>;

export const ANY_KIND: Kinds = new Set(['null', 'boolean', 'number', 'string', 'array', 'object']);

/**
 * The types that a schema lists, including `integer`; without a list, those of a schema in its `allOf`, so that a kind that is known early
 * is not tested again.
 */
export function typesOf({ type, allOf }: SchemaObject): readonly string[] | undefined {
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type as readonly string[];
  for (const each of Array.isArray(allOf) ? (allOf as readonly LinkedSchema[]) : []) {
    const types = typeof each === 'object' ? typesOf(each) : undefined;
    if (types !== undefined) return types;
  }
  return undefined;
}

/** The kinds that remain after a schema's `type`. */
export function narrowed(kinds: Kinds, schema: SchemaObject): Kinds {
  const types = typesOf(schema)?.map((type) => (type === 'integer' ? 'number' : type));
  return types === undefined ? kinds : new Set([...kinds].filter((kind) => types.includes(kind)));
}

/** True when only one kind is possible. */
export function only(kinds: Kinds, kind: JsonType): boolean {
  return kinds.size === 1 && kinds.has(kind);
}

/** Properties or items that a schema evaluates, and the condition under which they count. */
interface Looked {
  readonly given: Condition;
  /** Property names, the pattern of property names, or all properties. */
  readonly properties?: { readonly names: readonly string[] } | { readonly pattern: string } | 'all';
  /** The number of first items, the variable that holds their indexes, or all. */
  readonly items?: number | { readonly indexes: Code } | 'all';
  /** The variable that holds what the function of another schema evaluated: the names of properties, or the indexes of items. */
  readonly keys?: Code;
}

/** The condition that one of some entries covers a property or an item. @param covers - the condition for an entry that counts */
export function isLooked(
  looked: readonly Looked[],
  key: Code,
  covers: (entry: Looked) => Condition | undefined,
): Condition {
  return any(
    looked.flatMap((entry) => {
      const isCovered = entry.keys === undefined ? covers(entry) : condition(code`${entry.keys}.has(${key})`);
      return isCovered === undefined ? [] : [all([entry.given, isCovered])];
    }),
  );
}

export class Evaluation {
  /** @param variables the variables of the conditions, declared before the statements */
  constructor(
    readonly variables: Code[],
    readonly looked: Looked[] = [],
    private readonly condition: Condition = ALWAYS,
  ) {}

  /** The same list, for entries that count only if a condition holds. */
  onlyIf(holds: Condition): Evaluation {
    return new Evaluation(this.variables, this.looked, all([this.condition, holds]));
  }

  /** Declares a variable that is visible in all later statements. */
  variable(scope: Scope, wanted: string): Code {
    const name = scope.local(wanted);
    this.variables.push(name);
    return name;
  }

  add(looked: Omit<Looked, 'given'>): void {
    this.looked.push({ ...looked, given: this.condition });
  }

  /** Adds the entries of a schema with an `unevaluated` keyword, which itself evaluates all properties or all items. */
  adopt(inner: Evaluation, schema: SchemaObject): void {
    for (const { given, ...looked } of inner.looked)
      this.looked.push({ ...looked, given: all([this.condition, given]) });
    if ('unevaluatedProperties' in schema) this.add({ properties: 'all' });
    if ('unevaluatedItems' in schema) this.add({ items: 'all' });
  }
}
