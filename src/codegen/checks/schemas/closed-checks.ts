/** The checks of values in which members may be undeclared: those of the contract without costly keywords. */

import { BOUNDS, COUNTS } from '@concordat/runtime/parts';
import {
  HOLDERS,
  type LinkedPart,
  type LinkedSchema,
  mapHeld,
  SAME_VALUE,
  type SchemaObject,
} from '../compiler/linked-schema.js';
import { freeName } from '../../text/identifiers.js';
import { isObject } from '../../contract/schemas/document.js';
import { isSmall } from './units.js';

/** Keywords that take time to check, and by which the parts of alternatives hardly ever differ. */
const COSTLY: ReadonlySet<string> = new Set([
  ...Object.keys({ ...BOUNDS, ...COUNTS }),
  ...['multipleOf', 'pattern', 'format', 'uniqueItems'],
]);

/** The depth below an alternative at which costly keywords are left out: 0 is the value, 1 are its members or items. */
const DEEP = 2;

/** Keywords whose schemas hold for the value only together with others, and so are no alternatives. */
const CERTAIN: ReadonlySet<string> = new Set(['allOf', 'nullOr']);

/** Collects checks. They run for every response, so they keep only the keywords that alternatives differ by. */
export class ClosedChecks {
  /** By the id of a schema and the depth below an alternative. */
  readonly #checks = new Map<string, LinkedPart>();
  /** The text by which equal checks are found. */
  readonly #texts = new Map<LinkedPart, string>();

  /** @param names - the names that are taken */
  constructor(
    private readonly parts: ReadonlyMap<string, LinkedPart>,
    private readonly names: Set<string>,
  ) {}

  get checks(): readonly LinkedPart[] {
    return [...new Set(this.#checks.values())];
  }

  /**
   * The check of a schema.
   *
   * @param owner - the check that needs it, for its name
   * @param depth - the depth below the nearest alternative
   */
  add(id: string, schema: LinkedSchema, owner: string, depth: number): LinkedPart {
    const key = `${id} ${depth}`;
    const known = this.#checks.get(key);
    if (known !== undefined) return known;
    // A recursive schema refers to its own check.
    const about = `${owner}, without costly keywords of inner members`;
    const begun = { id: key, name: '', about, schema: true };
    this.#checks.set(key, begun);
    const left = this.#withoutCostly(schema, depth);
    const text = `${id} ${JSON.stringify(left)}`;
    const same = [...this.#checks.values()].find((check) => this.#texts.get(check) === text);
    const check = same ?? { ...begun, name: freeName(`${owner}_closed`, this.names, '_'), schema: left };
    this.#texts.set(check, text);
    this.#checks.set(key, check);
    return check;
  }

  #withoutCostly(schema: LinkedSchema, depth: number): LinkedSchema {
    if (typeof schema === 'boolean') return schema;
    const target = typeof schema['$ref'] === 'string' ? this.#reference(schema['$ref'], depth) : undefined;
    if (target !== undefined && Object.keys(schema).length === 1)
      return isSmall(target.schema) ? target.schema : { $ref: target.id };
    const kept = Object.entries(schema).flatMap(
      ([keyword, value]): readonly (readonly [string, unknown])[] => {
        if (keyword === '$ref') return [[keyword, target?.id ?? value]];
        if (COSTLY.has(keyword)) return depth < DEEP ? [[keyword, value]] : [];
        if (!HOLDERS.has(keyword)) return [[keyword, value]];
        if (keyword === 'properties') return [[keyword, this.#quickFirst(value as SchemaObject, depth + 1)]];
        return [
          [keyword, mapHeld(keyword, value, (inner) => this.#withoutCostly(inner, depthOf(keyword, depth)))],
        ];
      },
    );
    return Object.fromEntries(kept);
  }

  #reference(id: string, depth: number): LinkedPart | undefined {
    const part = this.parts.get(id);
    return part && this.add(id, part.schema, part.name, depth);
  }

  /** The schemas of properties, arrays last, so that a wrong alternative is refused soon. */
  #quickFirst(properties: SchemaObject, depth: number): SchemaObject {
    const rank = (schema: unknown): number => {
      if (!isObject(schema)) return 0;
      if (typeof schema['$ref'] === 'string')
        return Math.max(1, rank(this.parts.get(schema['$ref'])?.schema));
      return 'items' in schema ? 2 : 0;
    };
    const sorted = Object.entries(properties).sort(([, one], [, other]) => rank(one) - rank(other));
    return mapHeld('properties', Object.fromEntries(sorted), (inner) =>
      this.#withoutCostly(inner, Math.min(depth, DEEP)),
    ) as SchemaObject;
  }
}

/** The depth of the schemas of a keyword below the nearest alternative. */
function depthOf(keyword: string, depth: number): number {
  if (!SAME_VALUE.includes(keyword)) return Math.min(depth + 1, DEEP);
  return CERTAIN.has(keyword) ? depth : 0;
}
