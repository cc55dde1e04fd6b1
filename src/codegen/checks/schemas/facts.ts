/**
 * Facts about a schema and all schemas that it refers to, which decide whether requests and responses need different checks; and the
 * defaults that requests get.
 */

import { APPLICATORS, once, reached } from '@concordat/runtime/parts';
import type { ContractSchemas, InnerNode, SchemaNode } from '../../contract/schemas/contract-schemas.js';
import { defaultOf, defaultPlace, hasOwnDefault, nearestDefault } from '../../contract/schemas/defaults.js';
import { heirsOf } from '../../contract/schemas/discriminators.js';
import { elements, isObject } from '../../contract/schemas/document.js';
import type { Files, NormalSchema } from './units.js';

interface Facts {
  readonly readOnly: boolean;
  readonly writeOnly: boolean;
  /** The places of the defaults of properties and of alternatives. */
  readonly defaults: readonly string[];
}

export type Direction = 'request' | 'response';

/** The flag of properties that are not allowed in a direction. */
export const HIDDEN: Readonly<Record<Direction, 'readOnly' | 'writeOnly'>> = {
  request: 'readOnly',
  response: 'writeOnly',
};

/** The facts of a schema and of all that it refers to. */
export function factsOf(node: SchemaNode): Facts {
  return once(node, readFacts);
}

function readFacts(node: SchemaNode): Facts {
  const nodes = reached([node], (each) => once(each, ownFacts).references);
  const all = [...nodes].map((each) => once(each, ownFacts));
  return {
    readOnly: all.some((own) => own.readOnly),
    writeOnly: all.some((own) => own.writeOnly),
    defaults: all.flatMap((own) => own.defaults),
  };
}

interface OwnFacts {
  readOnly: boolean;
  writeOnly: boolean;
  readonly defaults: string[];
  readonly references: Set<SchemaNode>;
}

function ownFacts(node: SchemaNode): OwnFacts {
  const facts: OwnFacts = { readOnly: false, writeOnly: false, defaults: [], references: new Set() };
  gather(node, facts);
  return facts;
}

function gather(node: SchemaNode, facts: OwnFacts): void {
  for (const next of [...node.possibleReferences, ...heirsOf(node)]) facts.references.add(next);
  for (const part of node.parts) {
    if (part.keyword === 'properties' || part.keyword === 'patternProperties') {
      facts.readOnly ||= part.flagged('readOnly');
      facts.writeOnly ||= part.flagged('writeOnly');
    }
    // Also a default that its own schema refuses counts.
    const isInserted = part.keyword === 'properties' && nearestDefault(part) !== undefined;
    if (isInserted || (isTentative(part) && hasOwnDefault(part))) facts.defaults.push(defaultPlace(part));
    gather(part, facts);
  }
}

/** Whether a schema holds for the value of the schema that has it, if it applies at all. */
function isTentative({ keyword }: InnerNode): boolean {
  return APPLICATORS[keyword].appliesTo === 'value' && APPLICATORS[keyword].isTentative;
}

/** The properties of a schema's value, at any depth of composition, that a direction does not allow. */
export function hiddenNames(node: SchemaNode, direction: Direction): ReadonlySet<string> {
  const properties = sameValue(node).flatMap((each) => each.under('properties'));
  return new Set(properties.filter((part) => part.flagged(HIDDEN[direction])).map(({ key }) => String(key)));
}

/** The properties that a schema requires of its value, at any depth of composition. */
export function requiredNames(node: SchemaNode): ReadonlySet<string> {
  const names = sameValue(node).flatMap(({ object }) => elements(object.required));
  return new Set(names.filter((name) => typeof name === 'string'));
}

/**
 * The files inside a part of a value, which have no check.
 *
 * @param files - those of the value
 * @returns undefined if the whole part is a file
 */
export function filesAt(part: InnerNode, files: Files): Files | undefined {
  if (files === 'items') return part.keyword === 'items' ? undefined : [];
  if (part.keyword !== 'properties' || !files.includes(String(part.key))) return [];
  return sameValue(part).some((each) => each.under('items').length > 0) ? 'items' : undefined;
}

/** The files, if the schema describes one of them; else none, so that it shares its check with other uses. */
export function filesWithin(node: SchemaNode, files: Files): Files {
  const isFile = ({ keyword, key }: InnerNode): boolean =>
    files === 'items' ? keyword === 'items' : keyword === 'properties' && files.includes(String(key));
  return files.length > 0 && sameValue(node).some(({ parts }) => parts.some(isFile)) ? files : [];
}

/** A schema, and all schemas that apply or may apply to the same value. */
function sameValue(node: SchemaNode, found = new Map<unknown, SchemaNode>()): readonly SchemaNode[] {
  if (!isObject(node.schema) || found.has(node.schema)) return [];
  found.set(node.schema, node);
  for (const next of node.possibleReferences) sameValue(next, found);
  for (const part of node.parts)
    if (APPLICATORS[part.keyword].appliesTo === 'value' && part.keyword !== 'not') sameValue(part, found);
  return [...found.values()];
}

/** `lost`: in a request, inside alternatives that are only tried, so that nothing may be inserted. */
export type Defaults = 'insert' | 'lost' | 'none';

/** A property's schema, with its default if it is inserted. */
export function withDefault(schema: NormalSchema, property: SchemaNode, defaults: Defaults): NormalSchema {
  const found = defaults === 'none' ? undefined : defaultOf(property, defaults === 'insert');
  if (found === undefined) return schema;
  if (defaults === 'insert') {
    const checks = typeof schema === 'boolean' ? (schema ? {} : { not: {} }) : schema;
    return { ...checks, default: found.value };
  }
  reportLost(property.schemas, defaultPlace(property));
  return schema;
}

/** Reports the default of an alternative: only defaults of properties are inserted. */
export function reportOwnDefault(alternative: SchemaNode, defaults: Defaults): void {
  if (hasOwnDefault(alternative) && defaults !== 'none')
    reportLost(alternative.schemas, defaultPlace(alternative));
}

/** Reports a default that is not inserted. */
export function reportLost(schemas: ContractSchemas, at: string): void {
  const message =
    'a default inside anyOf, oneOf, not, if, contains or propertyNames is not inserted: it is not known which alternative applies';
  schemas.unsupported('default-in-composition', at, message);
}
