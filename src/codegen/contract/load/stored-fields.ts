/**
 * Expands the fields that a contract adds to the records of a service, with `x-stored`: `x-records` of the document names, by the schema
 * of a record, the schemas of its requests and the list that `x-filter` filters.
 */

import { type OpenApiDocument, type SchemaObject, isObject } from '../schemas/document.js';
import { visitObjects } from '../schemas/document-structure.js';
import type { Fault } from '../problems/contract-problem.js';
import { joinPointer, resolvePointer } from '../../text/pointer.js';

interface RecordPlaces {
  /** The schemas of whole records to create. */
  readonly create?: readonly string[];
  /** The schemas of whole records, with which clients may send back read-only fields. */
  readonly replace?: readonly string[];
  /** The schemas of merge patches (RFC 7396), in which every field is optional, and null removes it. */
  readonly change?: readonly string[];
  /** The path of the list. */
  readonly list?: string;
  /** Further names that no field may have. */
  readonly taken?: readonly string[];
  /** The fields, which the expansion writes. */
  stored?: Record<string, { readonly readOnly?: unknown; readonly required?: unknown }>;
}

type Records = Readonly<Record<string, RecordPlaces>>;
type Field = SchemaObject & { readOnly?: unknown } & Readonly<Record<string, unknown>>;
type MutableSchema = { properties?: Record<string, unknown>; required?: string[] };

const recordsOf = (document: object) => (document as { readonly 'x-records'?: Records })['x-records'];

/** The longest text that an index of PostgreSQL has room for, in characters. */
const mostCharacters = 500;

/** With one of these, a field would be shown and never stored. */
const misspellings = /^(?!x-stored$|x-filter$)[xX]-?(?:[sS]tored?|[sS]tores|[fF]ilter(?:s|ed|able)?)$/;

/**
 * @param isOwn - whether the document that overlays extend has a place itself
 * @returns what is wrong with the fields
 */
export function expandStoredFields(
  document: OpenApiDocument,
  isOwn: (pointer: string) => boolean,
): readonly Fault[] {
  const records = recordsOf(document);
  if (records === undefined) return [];
  const faults: Fault[] = [];
  const schemas = (document.components?.schemas ?? {}) as Record<string, MutableSchema | undefined>;
  const known = new Set<unknown>();
  const fault = (at: string, message: string) => faults.push({ fault: 'invalid-extension', at, message });

  for (const [name, places] of Object.entries(records)) {
    const { properties = {}, required = [] } = schemas[name] ?? {};
    const place = joinPointer('#/components/schemas', name);
    // The merge of an overlay sets a property of this name as the prototype.
    if (isMeant(Object(Object.getPrototypeOf(properties)) as Field))
      fault(`${place}/properties/__proto__`, 'the name of a stored field must not be __proto__');
    const unknown = required.findIndex((field) => !Object.hasOwn(properties, field));
    if (unknown >= 0) fault(`${place}/required`, `${name} has no property ${String(required[unknown])}`);
    for (const [field, property] of Object.entries(properties)) {
      if (!isObject(property)) continue;
      const at = joinPointer(place, 'properties', field);
      const misspelt = Object.keys(property).find((key) => misspellings.test(key));
      if (misspelt !== undefined) {
        const meant = /sto/i.test(misspelt) ? 'x-stored' : 'x-filter';
        fault(joinPointer(at, misspelt), `${misspelt} says nothing: write ${meant}`);
      }
      if (!isMeant(property)) continue;
      known.add(property);
      const isTaken = isOwn(at) || places.taken?.includes(field) === true;
      const message = isTaken
        ? `the service has its own field ${field}`
        : (faultOf(field, property, places) ?? expand(name, field, property, places));
      if (message !== undefined)
        fault(joinPointer(at, 'x-stored' in property ? 'x-stored' : 'x-filter'), message);
    }
  }
  visitObjects(document, 'document', (schema, kind, at) => {
    if (kind === 'schema' && isMeant(schema) && !known.has(schema))
      fault(at, `only a property of ${Object.keys(records).join(', ')} can be stored`);
  });
  return faults;

  function faultOf(field: string, property: Field, { list }: RecordPlaces): string | undefined {
    const { 'x-stored': stored, 'x-filter': filter, readOnly, writeOnly } = property;
    const { type, format, enum: values, maxLength = Infinity, ...others } = whole(property);
    if (stored === undefined) return 'x-filter needs x-stored: true';
    if (stored !== true) return 'x-stored must be true';
    if (!/^[A-Za-z]\w*$/.test(field)) return 'the name of a stored field must be letters, digits and _';
    if (field in {}) return `${field} is a property of every object`;
    if (readOnly === true && writeOnly === true) return 'readOnly and writeOnly exclude each other';
    if (format === 'binary' || 'contentEncoding' in others || 'contentMediaType' in others)
      return 'a stored field must be a value of JSON, not binary data';
    if (filter === undefined) return undefined;
    if (filter !== true) return 'x-filter must be true';
    if (list === undefined) return 'x-filter needs a record that has a list of its own';
    if (writeOnly === true) return 'x-filter would show what writeOnly hides';
    if (typeof type !== 'string' || !/^(?:string|integer|number|boolean)$/.test(type))
      return 'x-filter needs one type: string, integer, number or boolean';
    if (type === 'string' && values === undefined && Number(maxLength) > mostCharacters)
      return `x-filter needs a maxLength of at most ${mostCharacters}, because an index has the texts`;
    return undefined;
  }

  /** Adds a field to the requests and the parameters of its record. @returns what is in the way */
  function expand(name: string, field: string, part: Field, places: RecordPlaces): string | undefined {
    const { 'x-stored': _, 'x-filter': filter, readOnly: own, writeOnly, default: given, ...schema } = part;
    const readOnly = own ?? places.stored?.[field]?.readOnly;
    // The requests of the service lack the field. An event, which has it, is a request to its receiver, and would be refused.
    delete part.readOnly;
    const input = { ...schema, ...(given !== undefined && { default: given }) };
    const { create = [], replace = [], change = [], list = '' } = places;
    // With a default, a request may leave it out.
    const record = schemas[name];
    const isRequired = given === undefined && record?.required?.includes(field) === true;
    const inputs = readOnly === true ? [] : [...create, ...replace];
    for (const into of new Set([...create, ...replace, ...change])) {
      const target = schemas[into];
      const there = target?.properties?.[field];
      if (isObject(there) ? there['x-stored'] !== true : there !== undefined)
        return `${into} has its own field ${field}`;
      known.add(there);
      // Clients may send back what they have read.
      const has = readOnly !== true || replace.includes(into) || change.includes(into);
      if (target === undefined || there !== undefined || !has) continue;
      const plain = inputs.includes(into) ? input : schema;
      const form = change.includes(into) ? patchOf(schema, isRequired) : plain;
      const copy = structuredClone({ ...form, 'x-stored': true });
      known.add(copy);
      target.properties = { ...target.properties, [field]: copy };
      if (isRequired && inputs.includes(into)) target.required = [...(target.required ?? []), field];
    }
    // Records from before the field have no value of it.
    if (isRequired) record.required = (record.required ?? []).filter((each) => each !== field);
    const get = (document.paths?.[list] as { get?: { parameters?: object[] } } | undefined)?.get;
    if (filter === true && get !== undefined) {
      const isThere = get.parameters
        ?.map((each) => whole(each as Field))
        .some((each) => each['name'] === field && each['in'] === 'query');
      if (isThere !== true) {
        const description = `Only those whose \`${field}\` is this value.`;
        get.parameters = [...(get.parameters ?? []), { name: field, in: 'query', description, schema }];
      } else if (places.stored?.[field] === undefined) return `the list has its own parameter ${field}`;
    }
    const required = isRequired && readOnly !== true ? true : places.stored?.[field]?.required;
    const facts = { default: given, required, readOnly, writeOnly, filter };
    (places.stored ??= {})[field] = JSON.parse(JSON.stringify(facts)) as typeof facts;
    return undefined;
  }

  /** The schema of a field in a merge patch. The parts of an object need not fit it: what is made of them must. */
  function patchOf(schema: Field, isRequired: boolean): Field {
    const { type, description } = whole(schema);
    if (type === undefined || [type].flat().includes('object'))
      return { ...(description !== undefined && { description }) };
    return isRequired ? schema : { anyOf: [schema, { type: 'null' }] };
  }

  /** A schema or parameter with the members of those that it refers to. */
  function whole(part: Field): Field {
    const { $ref, ...own } = part;
    return typeof $ref === 'string' ? { ...whole(resolvePointer(document, $ref) as Field), ...own } : part;
  }
}

function isMeant(schema: Readonly<Record<string, unknown>>): boolean {
  return schema['x-stored'] !== undefined || schema['x-filter'] !== undefined;
}

/** The types of the stored fields of each record that has any, as schemas. */
export function storedTypes(document: OpenApiDocument): readonly (readonly [record: string, SchemaObject])[] {
  return Object.entries(recordsOf(document) ?? {}).flatMap(([name, { stored }]) => {
    if (stored === undefined) return [];
    const { properties = {}, required = [] } = (document.components?.schemas?.[name] ?? {}) as SchemaObject;
    // A part of a contract may lack the record.
    const names = Object.keys(stored).filter((field) => field in properties);
    if (names.length === 0) return [];
    const entries = names.map((field) => {
      const { readOnly: _, writeOnly: __, ...schema } = properties[field] as Field;
      return [field, schema] as const;
    });
    const fields = { type: 'object', properties: Object.fromEntries(entries), additionalProperties: false };
    return [[name, { ...fields, required: required.filter((field) => field in stored) }] as const];
  });
}
