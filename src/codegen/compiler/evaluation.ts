/** Records which properties and items of a value are evaluated, for `unevaluatedProperties` and `unevaluatedItems`. */
import { ALWAYS, all, type Condition } from './condition.js';
import type { Scope } from './scope.js';
import { APPLIED, heldSchemas, type LinkedSchema, type SchemaObject } from './linked-schema.js';
import type { Code } from '../text/code.js';

/** Properties or items that a schema evaluates, and the condition under which they count. */
export interface Looked {
  readonly given: Condition;
  /** Property names, the pattern of property names, or all properties. */
  readonly properties?: { readonly names: readonly string[] } | { readonly pattern: string } | 'all';
  /** The number of first items, the variable that holds their indexes, or all. */
  readonly items?: number | { readonly indexes: Code } | 'all';
}

/** True when a schema, or one that it applies to the same value, evaluates properties or items. */
export function evaluates(schema: LinkedSchema, scope: Scope): boolean {
  if (typeof schema === 'boolean') return false;
  if (typeof schema['$ref'] === 'string' && evaluates(scope.schema(schema['$ref']), scope)) return true;
  return Object.entries(schema).some(([keyword, value]) => {
    const to = APPLIED[keyword]?.appliesTo;
    if (to === 'value' && keyword !== 'not')
      return heldSchemas(keyword, value).some((each) => evaluates(each, scope));
    return to === 'items' || to === 'properties';
  });
}

export class Evaluation {
  /** @param variables the variables of the conditions, declared before the statements */
  constructor(
    readonly variables: Code[],
    readonly looked: Looked[] = [],
    private readonly condition: Condition = ALWAYS,
  ) {}

  /** The same list, for entries that count only if a condition holds. */
  given(holds: Condition): Evaluation {
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
