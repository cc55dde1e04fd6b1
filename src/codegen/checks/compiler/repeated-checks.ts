/**
 * Finds the schemas that may be checked against the same value many times. If two parts of a recursive schema, such as two alternatives,
 * check the same property, a check that does not remember verdicts takes twice as long for each level of a value.
 */
import { groupsOf } from '../circles.js';
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

/** The sets of parts that refer to each other, or to themselves. */
function circlesOf(parts: readonly LinkedPart[]): readonly ReadonlySet<string>[] {
  const next = new Map(parts.map(({ id, schema }) => [id, new Set(referredIds(schema))]));
  const circles = new Map<number, Set<string>>();
  for (const [id, group] of groupsOf(next.keys(), (each) => next.get(each) ?? []))
    circles.set(group, (circles.get(group) ?? new Set()).add(id));
  const leadsToItself = (id: string): boolean => next.get(id)?.has(id) === true;
  return [...circles.values()].filter((circle) => circle.size > 1 || [...circle].some(leadsToItself));
}

/** Groups of keywords of which only one schema is checked against a value; the schemas of the other keywords may all be. */
const ONE_OF = [['then', 'else'], ['dispatch']];
const TOGETHER = SAME_VALUE.filter((keyword) => !ONE_OF.flat().includes(keyword));

const PROPERTIES = Symbol('properties without a schema by name');
const ITEMS = Symbol('items without a schema by index');

/** A property by its name, an item by its index, or all others. */
type Child = string | number | typeof PROPERTIES | typeof ITEMS;

/** How many schemas of a value lead from each of its children to the circle. */
type Counts = ReadonlyMap<Child, number>;

const NONE: Counts = new Map();

/** Counts how often the check of one value reaches parts of a circle. */
class Looks {
  readonly #reached = new Map<LinkedSchema, boolean>();
  readonly #counted = new Map<LinkedSchema, Counts>();

  constructor(
    private readonly parts: ReadonlyMap<string, LinkedPart>,
    private readonly circle: ReadonlySet<string>,
  ) {}

  /** Whether a schema, or one inside it, checks a property or an item more than once. */
  areRepeated(schema: LinkedSchema): boolean {
    if (!this.#reaches(schema)) return false;
    const isRepeated = [...this.#counts(schema).values()].some((count) => count > 1);
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

  #counts(schema: LinkedSchema): Counts {
    // Schemas outside the circle do not lead back to it.
    if (typeof schema === 'boolean' || !this.#reaches(schema)) return NONE;
    let counts = this.#counted.get(schema);
    if (counts === undefined) {
      const within = (keyword: string): readonly Counts[] =>
        schema[keyword] === undefined
          ? []
          : heldSchemas(keyword, schema[keyword]).map((each) => this.#counts(each));
      const { $ref } = schema;
      const target = typeof $ref === 'string' ? this.#counts(this.parts.get($ref)?.schema ?? true) : NONE;
      const exclusive = ONE_OF.map((keywords) => joined(keywords.flatMap(within), Math.max));
      const all = [this.#own(schema), target, ...TOGETHER.flatMap(within), ...exclusive];
      counts = joined(all, (sum, each) => sum + each);
      this.#counted.set(schema, counts);
    }
    return counts;
  }

  /** The counts of the schemas that a schema has for the children of the value. */
  #own(schema: SchemaObject): Counts {
    const count = (schemas: readonly (LinkedSchema | undefined)[]): number =>
      schemas.filter((each) => each !== undefined && this.#reaches(each)).length;
    const one = (keyword: string): LinkedSchema | undefined => schemaOf(schema, keyword);
    const patterns = schemaMap(schema, 'patternProperties').map(([, each]) => each);
    const ofItems = [one('contains'), one('unevaluatedItems')];
    return new Map<Child, number>([
      ...schemaMap(schema, 'properties').map(([name, each]) => [name, count([each, ...patterns])] as const),
      [PROPERTIES, count([one('additionalProperties'), one('unevaluatedProperties'), ...patterns])],
      ...schemaList(schema, 'prefixItems').map((each, index) => [index, count([each, ...ofItems])] as const),
      [ITEMS, count([one('items'), ...ofItems])],
    ]);
  }
}

function joined(all: readonly Counts[], join: (one: number, other: number) => number): Counts {
  const [first = NONE, ...others] = all.filter((each) => each.size > 0);
  if (others.length === 0) return first;
  const children = new Set([first, ...others].flatMap((each) => [...each.keys()]));
  const countOf = (counts: Counts, child: Child): number =>
    counts.get(child) ?? counts.get(typeof child === 'string' ? PROPERTIES : ITEMS) ?? 0;
  return new Map(
    [...children].map((child) => [
      child,
      others.reduce((count, each) => join(count, countOf(each, child)), countOf(first, child)),
    ]),
  );
}
