/** The structure of OpenAPI documents: the kinds of objects, and the fields of each that hold other objects. */

import { words } from '../../text/identifiers.js';
import { canonicalPointer, joinPointer, valueAt } from '../../text/pointer.js';
import { ANCHORS, METHODS, isObject } from './document.js';

/** The kinds of objects that are visited. */
export type Kind =
  | 'document'
  | 'components'
  | 'pathItem'
  | 'operation'
  | 'parameter'
  | 'header'
  | 'requestBody'
  | 'response'
  | 'mediaType'
  | 'encoding'
  | 'schema';

/** The contents of a field: objects of a kind, alone or in a list; objects by name (1); or callbacks, with two levels of names (2). */
type Field = readonly [kind: Kind, levels?: 1 | 2];

const each = (names: string, ...field: Field): Readonly<Record<string, Field>> =>
  Object.fromEntries(words(names).map((name) => [name, field]));

/** The fields that may hold references, by kind of object (OpenAPI 3.0 to 3.2, JSON Schema 2020-12). */
export const FIELDS: Readonly<Record<Kind, Readonly<Record<string, Field>>>> = {
  document: { ...each('paths webhooks', 'pathItem', 1), components: ['components'] },
  components: {
    schemas: ['schema', 1],
    parameters: ['parameter', 1],
    headers: ['header', 1],
    requestBodies: ['requestBody', 1],
    responses: ['response', 1],
    pathItems: ['pathItem', 1],
    mediaTypes: ['mediaType', 1],
    callbacks: ['pathItem', 2],
  },
  pathItem: {
    ...each(METHODS.join(' '), 'operation'),
    parameters: ['parameter'],
    additionalOperations: ['operation', 1],
  },
  operation: {
    parameters: ['parameter'],
    requestBody: ['requestBody'],
    responses: ['response', 1],
    callbacks: ['pathItem', 2],
  },
  parameter: { schema: ['schema'], content: ['mediaType', 1] },
  header: { schema: ['schema'], content: ['mediaType', 1] },
  requestBody: { content: ['mediaType', 1] },
  response: { headers: ['header', 1], content: ['mediaType', 1] },
  mediaType: {
    ...each('schema itemSchema', 'schema'),
    ...each('itemEncoding prefixEncoding', 'encoding'),
    encoding: ['encoding', 1],
  },
  encoding: { headers: ['header', 1] },
  schema: {
    ...each(`properties patternProperties dependentSchemas $defs definitions ${ANCHORS}`, 'schema', 1),
    ...each(
      'allOf anyOf oneOf not if then else items prefixItems additionalItems contains contentSchema',
      'schema',
    ),
    ...each('additionalProperties propertyNames unevaluatedItems unevaluatedProperties', 'schema'),
  },
};

/** Visits an object of a document. @param at - a place of the object; one that aliases repeat is visited only at its first place */
type Visit = (value: Record<string, unknown>, kind: Kind, at: string) => void;

/** Visits a part of a document and all objects in it, each once and before those inside. @param seen - objects to leave out */
export function visitObjects(
  part: unknown,
  kind: Kind,
  visit: Visit,
  at = '#',
  seen: Set<object> = new Set(),
): void {
  if (Array.isArray(part)) {
    for (const [index, item] of part.entries()) visitObjects(item, kind, visit, joinPointer(at, index), seen);
    return;
  }
  if (!isObject(part) || seen.has(part)) return;
  seen.add(part);
  const named = (value: unknown, inside: Kind, place: string, levels: number): void => {
    if (levels === 0) visitObjects(value, inside, visit, place, seen);
    else if (isObject(value)) {
      for (const [name, member] of Object.entries(value))
        named(member, inside, joinPointer(place, name), levels - 1);
    }
  };
  visit(part, kind, at);
  for (const [name, [inside, levels = 0]] of Object.entries(FIELDS[kind]))
    if (Object.hasOwn(part, name)) named(part[name], inside, joinPointer(at, name), levels);
}

/** Visits all schemas of a document, each once, with those to which only a reference leads: it may lead to a place where no field holds schemas. */
export function visitSchemas(
  document: unknown,
  visit: (schema: Record<string, unknown>, at: string) => void,
): void {
  const references = new Set<string>();
  const seen = new Set<object>();
  const visitSchema: Visit = (schema, kind, at) => {
    if (kind !== 'schema') return;
    const { $ref } = schema;
    if (typeof $ref === 'string' && $ref.startsWith('#/')) references.add(canonicalPointer($ref));
    visit(schema, at);
  };
  visitObjects(document, 'document', visitSchema, '#', seen);
  // The set grows while it is read.
  for (const at of references) visitObjects(valueAt(document, at), 'schema', visitSchema, at, seen);
}
