/** Pairs of operations whose requests change: parameters and bodies. */

import {
  type OperationPair,
  integer,
  objectOf,
  parameter,
  plain,
  query,
  takes,
  takesIn,
  text,
} from './operation-pairs.js';

const kinds = [
  objectOf({ kind: { const: 'a' }, size: integer }, ['kind', 'size']),
  objectOf({ kind: { const: 'b' } }, ['kind']),
];

/** An operation with path parameters. */
const inPath = (
  operationId: string,
  ...parameters: readonly (readonly [name: string, schema: object])[]
): object => ({
  ...plain,
  operationId,
  parameters: parameters.map(([name, schema]) => ({ name, in: 'path', required: true, schema })),
});

export const requestPairs: readonly OperationPair[] = [
  {
    title: 'a required parameter is added',
    old: plain,
    new: parameter({ required: true, schema: text }),
    changes: [['parameter-added', 'breaking', 'dangerous']],
  },
  {
    title: 'an optional parameter is added',
    old: plain,
    new: query(text),
    changes: [['parameter-added', 'safe', 'dangerous']],
  },
  {
    title: 'an optional parameter is removed',
    old: query(text),
    new: plain,
    changes: [['parameter-removed', 'dangerous', 'safe']],
  },
  {
    title: 'a required header is removed',
    old: parameter({ in: 'header', required: true, schema: text }),
    new: plain,
    changes: [['parameter-removed', 'dangerous', 'breaking']],
  },
  {
    title: 'a parameter becomes required',
    old: query(integer),
    new: parameter({ required: true, schema: integer }),
    changes: [['parameter-became-required', 'breaking', 'safe']],
  },
  {
    title: 'a cookie becomes optional',
    old: parameter({ in: 'cookie', required: true, schema: text }),
    new: parameter({ in: 'cookie', schema: text }),
    changes: [['parameter-became-optional', 'safe', 'breaking']],
  },
  {
    title: 'a list is written in another style',
    old: parameter({ explode: false, schema: { type: 'array', items: integer, minItems: 2 } }),
    new: parameter({ explode: true, schema: { type: 'array', items: integer, minItems: 2 } }),
    changes: [['parameter-style-changed', 'breaking', 'breaking']],
  },
  {
    title: 'a path parameter is renamed',
    path: '/{id}',
    newPath: '/{key}',
    old: inPath('renamed', ['id', text]),
    new: inPath('renamed', ['key', text]),
    changes: [],
  },
  {
    title: 'a path parameter is renamed and gets narrower',
    path: '/{id}',
    newPath: '/{key}',
    old: inPath('narrowed', ['id', text]),
    new: inPath('narrowed', ['key', { ...text, maxLength: 3 }]),
    changes: [['maxLength-changed', 'breaking', 'safe']],
  },
  {
    title: 'a path parameter is renamed and gets another default',
    path: '/{id}',
    newPath: '/{key}',
    old: inPath('defaulted', ['id', { ...integer, default: 1 }]),
    new: inPath('defaulted', ['key', { ...integer, default: 2 }]),
    changes: [['default-changed', 'dangerous', 'safe']],
  },
  {
    title: 'two path parameters exchange their names, and are declared in another order',
    path: '/{a}/{b}',
    newPath: '/{b}/{a}',
    old: inPath('exchanged', ['a', text], ['b', integer]),
    new: inPath('exchanged', ['a', { ...integer, minimum: 3 }], ['b', text]),
    changes: [['minimum-changed', 'breaking', 'safe']],
  },
  {
    title: 'a maximum is lowered',
    old: query({ ...integer, maximum: 100 }),
    new: query({ ...integer, maximum: 50 }),
    changes: [['maximum-changed', 'breaking', 'safe']],
  },
  {
    title: 'a minimum is lowered',
    old: query({ ...integer, minimum: 1 }),
    new: query({ ...integer, minimum: 0 }),
    changes: [['minimum-changed', 'safe', 'breaking']],
  },
  {
    title: 'a lenient parameter has a lower maximum',
    old: parameter({ schema: { ...integer, minimum: 1, maximum: 100 }, 'x-lenient': { fallback: 1 } }),
    new: parameter({ schema: { ...integer, minimum: 1, maximum: 50 }, 'x-lenient': { fallback: 1 } }),
    changes: [
      ['parameter-leniency-changed', 'dangerous', 'dangerous'],
      ['maximum-changed', 'dangerous', 'safe'],
    ],
  },
  {
    title: 'a default changes',
    old: query({ ...integer, default: 10 }),
    new: query({ ...integer, default: 20 }),
    changes: [['default-changed', 'dangerous', 'safe']],
  },
  {
    title: 'text becomes a number',
    old: query(text),
    new: query({ type: 'number' }),
    changes: [['type-changed', 'breaking', 'dangerous']],
  },
  {
    title: 'a value of an enum is removed, another is added',
    old: query({ ...text, enum: ['a', 'b'] }),
    new: query({ ...text, enum: ['a', 'c'] }),
    changes: [
      ['enum-value-removed', 'breaking', 'safe'],
      ['enum-value-added', 'safe', 'breaking'],
    ],
  },
  {
    title: 'a body is asked for',
    old: plain,
    new: takes(text),
    changes: [['request-body-added', 'breaking', 'dangerous']],
  },
  {
    title: 'a body becomes required',
    old: takes(objectOf({}), false),
    new: takes(objectOf({}), true),
    changes: [['request-body-became-required', 'breaking', 'safe']],
  },
  {
    title: 'a body may be shorter only',
    old: { ...takes(text), 'x-body-limit': 2000 },
    new: { ...takes(text), 'x-body-limit': 1000 },
    changes: [['request-body-limit-changed', 'unproven', 'safe']],
  },
  {
    title: 'a body has a limit of its own',
    old: takes(text),
    new: { ...takes(text), 'x-body-limit': 1000 },
    changes: [['request-body-limit-changed', 'dangerous', 'safe']],
  },
  {
    title: 'a media type is no longer taken',
    old: { ...plain, requestBody: { required: true, content: { 'application/json': {}, 'text/plain': {} } } },
    new: { ...plain, requestBody: { required: true, content: { 'application/json': {} } } },
    changes: [['request-media-type-removed', 'breaking', 'safe']],
  },
  {
    title: 'a property becomes required',
    old: takes(objectOf({ a: text, b: integer })),
    new: takes(objectOf({ a: text, b: integer }, ['b'])),
    changes: [['property-became-required', 'breaking', 'safe']],
  },
  {
    title: 'a required property is added to a closed object',
    old: takes(objectOf({ a: text }, ['a'], { additionalProperties: false })),
    new: takes(objectOf({ a: text, b: text }, ['a', 'b'], { additionalProperties: false })),
    changes: [['property-added', 'breaking', 'breaking']],
  },
  {
    title: 'an optional property is added to an open object',
    old: takes(objectOf({ a: text })),
    new: takes(objectOf({ a: text, b: text })),
    changes: [['property-added', 'safe', 'dangerous']],
  },
  {
    title: 'a property of a closed object is removed',
    old: takes(objectOf({ a: text, b: text }, [], { additionalProperties: false })),
    new: takes(objectOf({ a: text }, [], { additionalProperties: false })),
    changes: [['property-removed', 'breaking', 'safe']],
  },
  {
    title: 'a required property is removed from an open object',
    old: takes(objectOf({ a: text }, ['a'])),
    new: takes(objectOf({})),
    changes: [['property-removed', 'dangerous', 'breaking']],
  },
  {
    title: 'a property is added that only responses carry',
    old: takes(objectOf({ a: text })),
    new: takes(objectOf({ a: text, id: { ...text, readOnly: true } }, ['id'])),
    changes: [],
  },
  {
    title: 'an object is closed',
    old: takes(objectOf({ a: text })),
    new: takes(objectOf({ a: text }, [], { additionalProperties: false })),
    changes: [['object-closed', 'breaking', 'safe']],
  },
  {
    title: 'a pattern gets narrower',
    old: takesIn({ ...text, pattern: '^[a-zA-Z]+$' }),
    new: takesIn({ ...text, pattern: '^[a-z]+$' }),
    changes: [['pattern-changed', 'breaking', 'dangerous']],
  },
  {
    title: 'a format is asked for',
    old: takesIn(text),
    new: takesIn({ ...text, format: 'email' }),
    changes: [['format-changed', 'breaking', 'safe']],
  },
  {
    title: 'a text may be shorter',
    old: takesIn({ ...text, minLength: 5, maxLength: 9 }),
    new: takesIn({ ...text, minLength: 2, maxLength: 9 }),
    changes: [['minLength-changed', 'safe', 'breaking']],
  },
  {
    title: 'null is no longer taken',
    old: takesIn({ type: ['string', 'null'] }),
    new: takesIn(text),
    changes: [['type-changed', 'breaking', 'safe']],
  },
  {
    title: 'a number must be whole',
    old: takesIn({ type: 'number' }),
    new: takesIn(integer),
    changes: [['type-changed', 'breaking', 'safe']],
  },
  {
    title: 'a list takes fewer items, and each once',
    old: takesIn({ type: 'array', items: integer, maxItems: 5 }),
    new: takesIn({ type: 'array', items: integer, maxItems: 3, uniqueItems: true }),
    changes: [
      ['maxItems-changed', 'breaking', 'safe'],
      ['uniqueItems-changed', 'breaking', 'safe'],
    ],
  },
  {
    title: 'a multiple changes',
    old: takesIn({ ...integer, multipleOf: 2 }),
    new: takesIn({ ...integer, multipleOf: 3 }),
    changes: [['multipleOf-changed', 'breaking', 'breaking']],
  },
  {
    title: 'an alternative is removed',
    old: takes({ oneOf: kinds }),
    new: takes({ oneOf: kinds.slice(0, 1) }),
    changes: [['alternative-removed', 'breaking', 'safe']],
  },
  {
    title: 'alternatives without names stay as they are',
    old: takes({ anyOf: [objectOf({ a: text }, ['a']), objectOf({ b: integer }, ['b'])] }),
    new: takes({ anyOf: [objectOf({ a: text }, ['a']), objectOf({ b: integer }, ['b'])] }),
    changes: [],
  },
  {
    title: 'an alternative gets narrower deep inside',
    old: takes({ type: 'array', items: { oneOf: kinds } }),
    new: takes({
      type: 'array',
      items: {
        oneOf: [
          objectOf({ kind: { const: 'a' }, size: { ...integer, minimum: 3 } }, ['kind', 'size']),
          kinds[1],
        ],
      },
    }),
    changes: [['minimum-changed', 'breaking', 'safe']],
  },
  {
    title: 'a schema moves into allOf',
    old: takes(objectOf({ a: text }, ['a'])),
    new: takes({ allOf: [objectOf({ a: text }), { required: ['a'] }] }),
    changes: [],
  },
  {
    title: 'a property can no longer be written',
    old: takesIn(text),
    new: takesIn({ ...text, readOnly: true }),
    changes: [['readOnly-changed', 'breaking', 'safe']],
  },
  {
    title: 'a keyword forbids a value',
    old: takesIn(text),
    new: takesIn({ ...text, not: { const: 'never tried' } }),
    changes: [['not-changed', 'breaking', 'safe']],
  },
  {
    title: 'a schema is recursive, and its end gets narrower',
    old: takes({ $ref: '#/components/schemas/Tree' }),
    new: takes({ $ref: '#/components/schemas/Tree' }),
    changes: [['maxLength-changed', 'breaking', 'safe']],
  },
];
