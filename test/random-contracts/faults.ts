/** The faults that public documents have, put into a document that has none. */

import type { Random } from '../simulation/random.js';
import { schemasOf } from './parts.js';

type Node = Record<string, unknown>;
type Fault = (document: Node, random: Random) => void;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const nodesOf = (value: unknown): readonly Node[] =>
  isNode(value) ? Object.values(value).filter(isNode) : [];
const METHODS = /^(?:get|put|post|patch|delete|head|options|trace)$/;

function operationsOf({ paths }: Node): readonly Node[] {
  return nodesOf(paths).flatMap((item) =>
    Object.entries(item).flatMap(([method, operation]) =>
      METHODS.test(method) && isNode(operation) ? [operation] : [],
    ),
  );
}

/** Changes a schema of the document. */
const ofSchema =
  (change: (schema: Node, random: Random) => void): Fault =>
  (document, random) => {
    const found = random.pick(schemasOf(document));
    if (found !== undefined) change(found.schema, random);
  };
/** Changes an operation of the document. */
const ofOperation =
  (change: (operation: Node, random: Random, document: Node) => void): Fault =>
  (document, random) => {
    const operation = random.pick(operationsOf(document));
    if (operation !== undefined) change(operation, random, document);
  };

export const FAULTS: Readonly<Record<string, Fault>> = {
  'an operation id twice': (document) => {
    for (const operation of operationsOf(document).slice(0, 2)) operation['operationId'] = 'twice';
  },
  'an unknown keyword': ofSchema((schema) => (schema['requried'] = ['a'])),
  'nullable beside a list of types': ofSchema((schema) =>
    Object.assign(schema, { type: ['string', 'null'], nullable: true }),
  ),
  'no type': ofSchema((schema) => delete schema['type']),
  'a wrong example': ofSchema((schema) => (schema['example'] = { wrong: [null] })),
  'a wrong default': ofSchema((schema) => (schema['default'] = { wrong: 1 })),
  'a flag required': ofSchema((schema) => (schema['required'] = true)),
  'a required name without a property': ofSchema((schema) => (schema['required'] = ['nowhere'])),
  'a wrong bound': ofSchema((schema) => Object.assign(schema, { minLength: 5, maxLength: 2 })),
  'a bad pattern': ofSchema((schema) => Object.assign(schema, { type: 'string', pattern: '(?i)[a-z' })),
  'a slow pattern': ofSchema((schema) => Object.assign(schema, { type: 'string', pattern: '^(a+)+$' })),
  'an empty enum': ofSchema((schema) => (schema['enum'] = [])),
  'an unknown type': ofSchema((schema) => (schema['type'] = 'file')),
  'a null keyword': ofSchema((schema) => (schema['description'] = null)),
  'a keyword of the other version': ofSchema((schema) =>
    Object.assign(schema, { exclusiveMinimum: true, minimum: 1 }),
  ),
  'a reference to nothing': ofSchema(
    (schema) => (schema['properties'] = { a: { $ref: '#/components/schemas/Nowhere' } }),
  ),
  'a reference to the web': ofSchema(
    (schema) => (schema['properties'] = { a: { $ref: 'https://nowhere.example/a.json#/A' } }),
  ),
  'a reference to no file': ofSchema((schema) => (schema['properties'] = { a: { $ref: 'nowhere.yaml#/A' } })),
  'a reference to itself': ({ components }) => {
    if (isNode(components) && isNode(components['schemas']))
      components['schemas']['Itself'] = { $ref: '#/components/schemas/Itself' };
  },
  'a mapping to nothing': ofSchema(
    (schema) =>
      (schema['discriminator'] = { propertyName: 'kind', mapping: { a: '#/components/schemas/Nowhere' } }),
  ),
  'no description of a response': ofOperation((operation) =>
    nodesOf(operation['responses']).forEach((each) => delete each['description']),
  ),
  'no responses': ofOperation((operation) => delete operation['responses']),
  'an undeclared path parameter': ({ paths }) => {
    if (isNode(paths)) paths['/undeclared/{id}'] = { get: { responses: { 200: { description: '' } } } };
  },
  'a path with a query': ({ paths }) => {
    if (isNode(paths)) paths['/query?a=b'] = { get: { responses: { 200: { description: '' } } } };
  },
  'two equal paths': ({ paths }) => {
    const get = { responses: { 200: { description: '' } } };
    const parameters = [{ name: 'a', in: 'path', required: true, schema: { type: 'string' } }];
    if (isNode(paths)) Object.assign(paths, { '/same/{a}': { get, parameters }, '/same/{b}': { get } });
  },
  'a parameter twice': ofOperation((operation) => {
    const one = { name: 'twice', in: 'query', schema: { type: 'string' } };
    operation['parameters'] = [one, one];
  }),
  'a parameter without a schema': ofOperation(
    (operation) => (operation['parameters'] = [{ name: 'bare', in: 'query' }]),
  ),
  'security that nothing declares': ofOperation((operation) => (operation['security'] = [{ nowhere: [] }])),
  'a status as a name': ofOperation(
    (operation) => (operation['responses'] = { NotFound: { description: '' } }),
  ),
  'a body of GET': ofOperation(
    (operation) => (operation['requestBody'] = { content: { 'application/json': {} } }),
  ),
  'a null part': ofOperation(
    (operation, random) =>
      (operation[random.pick(['parameters', 'requestBody', 'responses', 'tags', 'security'])] = null),
  ),
  'a wrong part': ofOperation(
    (operation, random) =>
      (operation[random.pick(['parameters', 'requestBody', 'responses', 'tags', 'callbacks'])] = 'text'),
  ),
  'an unexpected field': ofOperation((operation) => (operation['consumes'] = ['application/json'])),
  'no info': (document) => delete document['info'],
  'a number as the version': (document) => (document['info'] = { title: 'A', version: 1 }),
  'no paths': (document) => delete document['paths'],
};

/** A copy of the document with one fault, or with several. */
export function withFaults(document: object, random: Random): Node {
  const copy = JSON.parse(JSON.stringify(document)) as Node;
  for (let count = random.size(4); count > 0; count -= 1)
    FAULTS[random.pick(Object.keys(FAULTS)) ?? '']?.(copy, random);
  return copy;
}
