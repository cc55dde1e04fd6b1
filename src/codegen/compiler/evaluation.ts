/** Which properties and items of a value have been looked at, for `unevaluatedProperties` and `unevaluatedItems`. */
import { ALWAYS, all, type Condition } from './condition.js';
import type { FunctionScope } from './function-scope.js';
import { schemaList, schemaMap, schemaOf, type LinkedSchema, type SchemaObject } from './linked-schema.js';

/** Something that a schema looked at, and the condition under which it counts. */
export interface Looked {
  readonly given: Condition;
  /** Property names, the pattern of property names, or all properties. */
  readonly properties?: { readonly names: readonly string[] } | { readonly pattern: string } | 'all';
  /** The first so many items, those whose indexes a variable holds, or all. */
  readonly items?: number | { readonly indexes: string } | 'all';
}

/** Keywords that look at properties or items. */
const LOOKING = [
  ...['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties'],
  ...['items', 'prefixItems', 'contains', 'unevaluatedItems'],
];

const LISTS = ['allOf', 'anyOf', 'oneOf', 'dispatch'];
const SINGLE = ['if', 'then', 'else', 'nullOr'];

/** True when a schema looks at properties or items, by itself or by what it refers to for the same value. */
export function evaluates(schema: LinkedSchema, scope: FunctionScope): boolean {
  if (typeof schema === 'boolean') return false;
  if (LOOKING.some((keyword) => keyword in schema)) return true;
  if (typeof schema['$ref'] === 'string' && evaluates(scope.schema(schema['$ref']), scope)) return true;
  const inner = [
    ...LISTS.flatMap((keyword) => schemaList(schema, keyword)),
    ...SINGLE.map((keyword) => schemaOf(schema, keyword) ?? true),
    ...schemaMap(schema, 'dependentSchemas').map(([, each]) => each),
  ];
  return inner.some((each) => evaluates(each, scope));
}

/** Takes down, while a schema is written, what it looks at. */
export class Evaluation {
  /** The variables that conditions ask, declared before everything that is written. */
  readonly variables: string[];
  readonly #looked: Looked[];
  readonly #given: Condition;

  constructor(variables: string[], looked: Looked[] = [], given: Condition = ALWAYS) {
    this.variables = variables;
    this.#looked = looked;
    this.#given = given;
  }

  get looked(): readonly Looked[] {
    return this.#looked;
  }

  /** The same list, for what counts only where a condition holds. */
  given(holds: Condition): Evaluation {
    return new Evaluation(this.variables, this.#looked, all([this.#given, holds]));
  }

  /** Names a variable that is still there when all has been looked at. */
  variable(scope: FunctionScope, wanted: string): string {
    const name = scope.local(wanted);
    this.variables.push(name);
    return name;
  }

  add(looked: Omit<Looked, 'given'>): void {
    this.#looked.push({ ...looked, given: this.#given });
  }

  /** Takes over what a schema with an `unevaluated` keyword looked at: all that the keyword speaks of. */
  adopt(inner: Evaluation, schema: SchemaObject): void {
    for (const { given, ...looked } of inner.looked)
      this.#looked.push({ ...looked, given: all([this.#given, given]) });
    if ('unevaluatedProperties' in schema) this.add({ properties: 'all' });
    if ('unevaluatedItems' in schema) this.add({ items: 'all' });
  }
}
