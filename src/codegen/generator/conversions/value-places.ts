/** Finds the values of a document that are converted: the schemas that contain such values, and the schemas that hold together. */

import type { ApplicatorKeyword } from '@concordat/runtime/parts';
import type { SchemaNode } from '../../contract/schemas/contract-schemas.js';
import { isObject } from '../../contract/schemas/document.js';
import { isExactInteger } from '../../contract/schemas/value-types.js';

/** An `anyOf` or `oneOf` with values to convert in some member. */
export interface Union {
  /** The place of the keyword. */
  readonly at: string;
  readonly owner: SchemaNode;
  /** The members that may be something other than null. */
  readonly members: readonly SchemaNode[];
}

/** Schemas that hold for one value together, through references and `allOf`. */
export interface Conjunction {
  readonly schemas: readonly SchemaNode[];
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
  readonly #leftOut = new Map<string, SchemaNode>();
  readonly #converted = new Map<SchemaNode, boolean>();
  readonly #exact = new Map<SchemaNode, boolean>();

  /** The schema that a chain of bare references leads to. */
  target(node: SchemaNode): SchemaNode {
    const seen = new Set<SchemaNode>();
    let current = node;
    while (!seen.has(current)) {
      seen.add(current);
      if (Object.keys(current.object).length === 1) current = current.reference ?? current;
    }
    return current;
  }

  /** Whether a schema has values to convert, at any depth. */
  isConverted(node: SchemaNode): boolean {
    return this.#reaches(node, this.#converted, ({ leaf }) => leaf !== undefined);
  }

  /** Whether a schema has integers that need the exact digits of the request, at any depth. */
  isExact(node: SchemaNode): boolean {
    return this.#reaches(node, this.#exact, ({ leaf }) => isExactInteger(leaf));
  }

  /** The schemas that hold together with the given ones. @param settled - the places of the unions to leave out */
  together(nodes: readonly SchemaNode[], settled: readonly string[]): Conjunction {
    const schemas = new Map<string, SchemaNode>();
    const unions: Union[] = [];
    const visit = (node: SchemaNode): void => {
      if (!isObject(node.schema) || schemas.has(node.at)) return;
      schemas.set(node.at, node);
      this.#noteLeftOut(node);
      for (const next of [...node.references(), ...node.under('allOf')]) visit(next);
      for (const keyword of ['anyOf', 'oneOf'] as const) {
        const at = `${node.at}/${keyword}`;
        const members = node.under(keyword).filter((member) => !isNull(member));
        const [only, ...others] = members;
        if (only === undefined || settled.includes(at)) continue;
        if (others.length === 0) visit(only);
        else if (members.some((member) => this.isConverted(member)))
          unions.push({ at, owner: node, members });
      }
    };
    for (const node of nodes) visit(node);
    return { schemas: [...schemas.values()], unions };
  }

  /** The places with values to convert under keywords that the generated types leave out, of all schemas so far. */
  get untyped(): readonly string[] {
    return [...this.#leftOut].filter(([, node]) => this.isConverted(node)).map(([at]) => at);
  }

  #noteLeftOut({ parts }: SchemaNode): void {
    for (const part of parts) if (ROLES[part.keyword] === 'left out') this.#leftOut.set(part.at, part);
  }

  #reaches(start: SchemaNode, known: Map<SchemaNode, boolean>, has: (node: SchemaNode) => boolean): boolean {
    if (Object.keys(start.schemas.values).length === 0) return false;
    const found = known.get(start);
    if (found !== undefined) return found;
    const reached = new Set([start]);
    for (const node of reached) {
      const isKnown = known.get(node);
      if (isKnown === false || !isObject(node.schema)) continue;
      if (isKnown || has(node)) {
        known.set(start, true);
        return true;
      }
      this.#noteLeftOut(node);
      for (const next of node.references()) reached.add(next);
      for (const part of node.parts) if (ROLES[part.keyword] === 'typed') reached.add(part);
    }
    // All schemas that were reached have been searched completely.
    for (const node of reached) known.set(node, false);
    return false;
  }
}

/** Whether a member of a union is null and nothing else. */
function isNull({ certain }: SchemaNode): boolean {
  return certain.some(({ object }) => String(object.type) === 'null');
}
