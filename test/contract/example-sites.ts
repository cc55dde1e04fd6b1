/** Finds the examples of an OpenAPI document, each with the schema that it must match. */
import { child, entries, follow, isNode, items, type Node, type Place, rootOf } from './contract-document.js';

export interface ExampleSite {
  readonly example: Place;
  /** JSON Pointer of the schema. */
  readonly schema: string;
}

/** The keywords of a schema that contain schemas (JSON Schema 2020-12, core and applicator vocabularies). */
const ONE_SCHEMA = [
  'not', 'if', 'then', 'else', 'items', 'contains', 'additionalProperties', 'propertyNames',
  'unevaluatedItems', 'unevaluatedProperties',
]; // prettier-ignore
const LISTS_OF_SCHEMAS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const MAPS_OF_SCHEMAS = ['properties', 'patternProperties', 'dependentSchemas', '$defs'];

/** All examples of the document: of media types, parameters, headers and schemas. */
export function exampleSites(document: Node): ExampleSite[] {
  return sitesBelow(document, rootOf(document));
}

/** The examples of one media type, parameter or header. */
export function examplesOf(document: Node, carrier: Place): Place[] {
  const named = entries(child(carrier, 'examples')).map(([, example]) =>
    child(follow(document, example), 'value'),
  );
  return [child(carrier, 'example'), ...named].filter(({ value }) => value !== undefined);
}

function sitesBelow(document: Node, place: Place): ExampleSite[] {
  if (Array.isArray(place.value)) return items(place).flatMap((item) => sitesBelow(document, item));
  const schema = child(place, 'schema');
  if (isNode(schema.value)) {
    const own = examplesOf(document, place).map((example) => ({ example, schema: schema.pointer }));
    return [...own, ...schemaSites(schema)];
  }
  return entries(place).flatMap(([key, entry]) => {
    if (place.pointer === '#/components' && key === 'schemas') {
      return entries(entry).flatMap(([, component]) => schemaSites(component));
    }
    // An example is data, even where it looks like a media type.
    return key === 'example' || key === 'examples' ? [] : sitesBelow(document, entry);
  });
}

function schemaSites(schema: Place): ExampleSite[] {
  const own = [...items(child(schema, 'examples')), child(schema, 'example')]
    .filter(({ value }) => value !== undefined)
    .map((example) => ({ example, schema: schema.pointer }));
  const below = [
    ...ONE_SCHEMA.map((keyword) => child(schema, keyword)),
    ...LISTS_OF_SCHEMAS.flatMap((keyword) => items(child(schema, keyword))),
    ...MAPS_OF_SCHEMAS.flatMap((keyword) => entries(child(schema, keyword)).map(([, entry]) => entry)),
  ];
  return [...own, ...below.filter(({ value }) => isNode(value)).flatMap(schemaSites)];
}
