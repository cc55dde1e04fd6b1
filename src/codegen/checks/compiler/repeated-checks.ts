/**
 * Finds the schemas that may be checked against the same value many times. If two parts of a recursive schema, such as two alternatives,
 * check the same property, a check that does not remember verdicts takes twice as long for each level of a value.
 */
import {
  Expansions,
  SAME_VALUE,
  heldSchemas,
  innerSchemas,
  referredIds,
  schemaList,
  schemaMap,
  schemaOf,
  type LinkedPart,
  type LinkedSchema,
  type SchemaObject,
} from './linked-schema.js';

/** What a check is repeated for: for the parts of a value, or for the value itself, which may be a scalar. */
export type Repetition = 'parts' | 'value';

/** The most schemas that a check may apply to one value before the verdicts of its schemas are remembered. */
const MOST_FOR_VALUE = 1000;

/** The ids of the parts whose verdicts are remembered within one check. */
export function repeatedParts(parts: readonly LinkedPart[]): ReadonlyMap<string, Repetition> {
  const byId = new Map(parts.map((part) => [part.id, part]));
  const expansions = new Expansions((id) => byId.get(id)?.schema ?? true, MOST_FOR_VALUE, 'same value');
  const repeated = new Map<string, Repetition>();
  for (const { id } of parts) if (expansions.isLarge(id)) repeated.set(id, 'value');
  for (const circle of circlesOf(parts)) {
    const looks = new Looks(byId, circle);
    const isRepeated = [...circle].some((id) => looks.areRepeated(byId.get(id)?.schema ?? true));
    if (isRepeated) for (const id of circle) if (!repeated.has(id)) repeated.set(id, 'parts');
  }
  return repeated;
}

/** The sets of parts that refer to each other: strongly connected components, by Tarjan's algorithm. */
function circlesOf(parts: readonly LinkedPart[]): readonly ReadonlySet<string>[] {
  const next = new Map(parts.map(({ id, schema }) => [id, new Set(referredIds(schema))]));
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const path: string[] = [];
  const circles: ReadonlySet<string>[] = [];
  const visit = (id: string): void => {
    order.set(id, order.size);
    let low = order.get(id) ?? 0;
    path.push(id);
    for (const other of next.get(id) ?? []) {
      if (!order.has(other)) visit(other);
      low = Math.min(low, lowest.get(other) ?? order.get(other) ?? Infinity);
    }
    lowest.set(id, low);
    if (low !== order.get(id)) return;
    const circle = path.splice(path.indexOf(id));
    for (const each of circle) lowest.set(each, Infinity);
    if (circle.length > 1 || next.get(id)?.has(id) === true) circles.push(new Set(circle));
  };
  for (const { id } of parts) if (!order.has(id)) visit(id);
  return circles;
}

/** Groups of keywords of which only one schema is checked against a value; the schemas of the other keywords may all be. */
const ONE_OF = [['then', 'else'], ['dispatch']];
const TOGETHER = SAME_VALUE.filter((keyword) => !ONE_OF.flat().includes(keyword));

/** A property, or an item by its index; the property `undefined` represents all properties without a schema by name. */
type Child = { readonly property: string | undefined } | { readonly item: number };

/** Counts how often the check of one value reaches parts of a circle. */
class Looks {
  readonly #reached = new Map<LinkedSchema, boolean>();

  constructor(
    private readonly parts: ReadonlyMap<string, LinkedPart>,
    private readonly circle: ReadonlySet<string>,
  ) {}

  /** Whether a schema, or one inside it, checks a property or an item more than once. */
  areRepeated(schema: LinkedSchema): boolean {
    if (!this.#reaches(schema)) return false;
    const isRepeated = [...this.#children(schema)].some((child) => this.#count(schema, child) > 1);
    return isRepeated || [...innerSchemas(schema)].some((inner) => this.areRepeated(inner));
  }

  /** True if a schema, or one inside it, refers to the circle. */
  #reaches(schema: LinkedSchema): boolean {
    let reached = this.#reached.get(schema);
    if (reached === undefined) {
      reached = [...referredIds(schema)].some((id) => this.circle.has(id));
      this.#reached.set(schema, reached);
    }
    return reached;
  }

  /** The properties and items that a schema names. */
  *#children(schema: LinkedSchema, seen = new Set<LinkedSchema>()): Generator<Child> {
    if (typeof schema === 'boolean' || seen.has(schema)) return;
    seen.add(schema);
    yield { property: undefined };
    for (const [property] of schemaMap(schema, 'properties')) yield { property };
    for (let item = 0; item <= schemaList(schema, 'prefixItems').length; item += 1) yield { item };
    for (const same of [...this.#target(schema), ...innerSchemas(schema, true)])
      yield* this.#children(same, seen);
  }

  *#target({ $ref }: SchemaObject): Generator<LinkedSchema> {
    if (typeof $ref === 'string') yield this.parts.get($ref)?.schema ?? true;
  }

  /** The number of schemas of a value that lead from one of its children to the circle. */
  #count(schema: LinkedSchema, child: Child, counted = new Map<LinkedSchema, number>()): number {
    // Schemas outside the circle do not lead back to it.
    if (typeof schema === 'boolean' || !this.#reaches(schema)) return 0;
    let count = counted.get(schema);
    if (count === undefined) {
      count = this.#counted(schema, child, counted);
      counted.set(schema, count);
    }
    return count;
  }

  #counted(schema: SchemaObject, child: Child, counted: Map<LinkedSchema, number>): number {
    const counts = (keyword: string): readonly number[] =>
      schema[keyword] === undefined
        ? []
        : heldSchemas(keyword, schema[keyword]).map((each) => this.#count(each, child, counted));
    const own = [...childSchemas(schema, child)].filter((each) => this.#reaches(each)).length;
    const targets = [...this.#target(schema)].map((target) => this.#count(target, child, counted));
    const exclusive = ONE_OF.map((keywords) => Math.max(0, ...keywords.flatMap(counts)));
    return [...targets, ...TOGETHER.flatMap(counts), ...exclusive].reduce((sum, each) => sum + each, own);
  }
}

/** The schemas that apply to a child of the value. */
function* childSchemas(schema: SchemaObject, child: Child): Generator<LinkedSchema> {
  const one = (keyword: string): LinkedSchema => schemaOf(schema, keyword) ?? true;
  if ('item' in child) {
    yield schemaList(schema, 'prefixItems')[child.item] ?? one('items');
    yield one('contains');
    yield one('unevaluatedItems');
    return;
  }
  const own = schemaMap(schema, 'properties').find(([name]) => name === child.property);
  yield own?.[1] ?? one('additionalProperties');
  for (const [, each] of schemaMap(schema, 'patternProperties')) yield each;
  if (own === undefined) yield one('unevaluatedProperties');
}
