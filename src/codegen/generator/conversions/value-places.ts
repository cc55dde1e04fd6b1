/** Finds the values of a document that are converted: the schemas that contain such values, and the schemas that hold together. */

import type { ApplicatorKeyword } from '@concordat/runtime/parts';
import type { ContractSchemas, Placed, Subschema } from '../../contract/schemas/contract-schemas.js';
import { isObject, type Fields } from '../../contract/schemas/document.js';
import { type ValueTypes, isExactInteger, leafOf } from '../../contract/model/value-types.js';

/** An `anyOf` or `oneOf` with values to convert in some member. */
export interface Union {
  /** The place of the keyword. */
  readonly at: string;
  readonly owner: Placed;
  /** The members that may be something other than null. */
  readonly members: readonly Placed[];
}

/** Schemas that hold for one value together, through references and `allOf`. */
export interface Conjunction {
  readonly schemas: readonly (Placed & { readonly schema: Fields })[];
  readonly unions: readonly Union[];
}

/** Whether the schemas of a keyword are in the generated types, only test a value, or are in neither. */
const ROLES: Readonly<Record<ApplicatorKeyword, 'typed' | 'test' | 'left out'>> = {
  properties: 'typed',
  patternProperties: 'typed',
  additionalProperties: 'typed',
  items: 'typed',
  prefixItems: 'typed',
  allOf: 'typed',
  anyOf: 'typed',
  oneOf: 'typed',
  not: 'test',
  if: 'test',
  contains: 'test',
  propertyNames: 'test',
  then: 'left out',
  else: 'left out',
  dependentSchemas: 'left out',
  unevaluatedProperties: 'left out',
  unevaluatedItems: 'left out',
};

export class ValuePlaces {
  readonly #placed = new Map<string, Placed>();
  readonly #leftOut = new Set<string>();
  readonly #known = new Map<string, { converted?: boolean; exact?: boolean }>();

  constructor(
    readonly schemas: ContractSchemas,
    readonly types: ValueTypes,
  ) {}

  /** Registers a schema that is not part of the document, by its place. */
  add(placed: Placed): string {
    this.#placed.set(placed.at, placed);
    return placed.at;
  }

  at(place: string): Placed {
    return this.#placed.get(place) ?? this.schemas.at(place);
  }

  /** The place of the schema that a chain of bare references leads to. */
  target(place: string): string {
    const seen = new Set<string>();
    let current = place;
    while (!seen.has(current)) {
      seen.add(current);
      const placed = this.at(current);
      if (!isObject(placed.schema) || !('$ref' in placed.schema)) break;
      const [next] = this.schemas.references(placed, new Map());
      if (Object.keys(placed.schema).length > 1 || next === undefined) break;
      current = next;
    }
    return current;
  }

  /** Whether the values of a schema are converted themselves. */
  isScalar(place: string): boolean {
    const { schema } = this.at(place);
    return isObject(schema) && leafOf(this.types, schema) !== undefined;
  }

  /** Whether a schema has values to convert, at any depth. */
  isConverted(place: string): boolean {
    return this.#reaches(place, 'converted', (schema) => leafOf(this.types, schema) !== undefined);
  }

  /** Whether a schema has integers that need the exact digits of the request, at any depth. */
  isExact(place: string): boolean {
    return this.#reaches(place, 'exact', (schema) => isExactInteger(this.types, schema));
  }

  /** The schemas under a keyword. */
  parts(placed: Placed, keyword: string): readonly Subschema[] {
    return [...this.#subschemas(placed)].filter((part) => part.keyword === keyword);
  }

  /** The schemas that hold together with those at the places. @param settled - the unions to leave out */
  together(places: readonly string[], settled: ReadonlySet<string>): Conjunction {
    const schemas = new Map<string, Placed & { readonly schema: Fields }>();
    const unions: Union[] = [];
    const visit = (place: string): void => {
      const { schema } = this.at(place);
      if (!isObject(schema) || schemas.has(place)) return;
      const placed = { schema, at: place };
      schemas.set(place, placed);
      for (const reference of this.schemas.references(placed, new Map())) visit(reference);
      for (const part of this.parts(placed, 'allOf')) visit(part.at);
      for (const keyword of ['anyOf', 'oneOf']) {
        const at = `${place}/${keyword}`;
        const members = this.parts(placed, keyword).filter((member) => !this.#isNull(member));
        const [only, ...others] = members;
        if (only === undefined || settled.has(at)) continue;
        if (others.length === 0) visit(only.at);
        else if (members.some((member) => this.isConverted(member.at)))
          unions.push({ at, owner: placed, members });
      }
    };
    for (const place of places) visit(place);
    return { schemas: [...schemas.values()], unions };
  }

  /** The places with values to convert under keywords that the generated types leave out, of all schemas so far. */
  get untyped(): readonly string[] {
    return [...this.#leftOut].filter((place) => this.isConverted(place));
  }

  *#subschemas(placed: Placed): Generator<Subschema> {
    for (const part of this.schemas.subschemas(placed)) {
      this.add(part);
      if (ROLES[part.keyword] === 'left out') this.#leftOut.add(part.at);
      yield part;
    }
  }

  /** Whether a member of a union is null and nothing else. */
  #isNull(placed: Placed): boolean {
    return [...this.schemas.certainly(placed)].some(({ schema }) => String(schema['type']) === 'null');
  }

  #reaches(start: string, fact: 'converted' | 'exact', has: (schema: Fields) => boolean): boolean {
    if (Object.keys(this.types).length === 0) return false;
    const known = this.#known.get(start)?.[fact];
    if (known !== undefined) return known;
    const reached = new Set([start]);
    for (const place of reached) {
      const placed = this.at(place);
      const isKnown = this.#known.get(place)?.[fact];
      if (isKnown === false || !isObject(placed.schema)) continue;
      if (isKnown || has(placed.schema)) {
        this.#learn(start, fact, true);
        return true;
      }
      for (const reference of this.schemas.references(placed, new Map())) reached.add(reference);
      for (const part of this.#subschemas(placed)) if (ROLES[part.keyword] === 'typed') reached.add(part.at);
    }
    // All places that were reached have been searched completely.
    for (const place of reached) this.#learn(place, fact, false);
    return false;
  }

  #learn(place: string, fact: 'converted' | 'exact', value: boolean): void {
    this.#known.set(place, { ...this.#known.get(place), [fact]: value });
  }
}
