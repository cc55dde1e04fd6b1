/** Pairs of operations whose responses change. */

import { type OperationPair, gives, givesAs, integer, objectOf, plain, text } from './operation-pairs.js';

const json = { 'application/json': { schema: text } };
const header = (more: object): object =>
  givesAs(json, { headers: { 'X-Total': { schema: integer, ...more } } });

const failed = (schema: object): object => ({
  description: 'Failed',
  content: { 'application/json': { schema } },
});
const crash = { 204: { description: 'Done' }, 500: failed(objectOf({ crash: text }, ['crash'])) };
const error = (required: readonly string[]): object => failed(objectOf({ a: text }, required));

export const responsePairs: readonly OperationPair[] = [
  {
    title: 'a property is no longer required',
    old: gives(objectOf({ a: text, b: text }, ['a', 'b'])),
    new: gives(objectOf({ a: text, b: text }, ['a'])),
    changes: [['property-became-optional', 'breaking', 'safe']],
  },
  {
    title: 'a property becomes required',
    old: gives(objectOf({ a: text })),
    new: gives(objectOf({ a: text }, ['a'])),
    changes: [['property-became-required', 'safe', 'breaking']],
  },
  {
    title: 'a required property is removed',
    old: gives(objectOf({ a: text }, ['a'])),
    new: gives(objectOf({})),
    changes: [['property-removed', 'breaking', 'safe']],
  },
  {
    title: 'an optional property is removed',
    old: gives(objectOf({ a: text })),
    new: gives(objectOf({})),
    changes: [['property-removed', 'dangerous', 'safe']],
  },
  {
    title: 'a required property can no longer be read',
    old: gives(objectOf({ a: text }, ['a'])),
    new: gives(objectOf({ a: { ...text, writeOnly: true } }, ['a'])),
    changes: [['writeOnly-changed', 'breaking', 'breaking']],
  },
  {
    title: 'an optional property can no longer be read',
    old: gives(objectOf({ a: text })),
    new: gives(objectOf({ a: { ...text, writeOnly: true } })),
    changes: [['writeOnly-changed', 'dangerous', 'breaking']],
  },
  {
    title: 'a property is added to an open object',
    old: gives(objectOf({ a: text })),
    new: gives(objectOf({ a: text, b: text })),
    changes: [['property-added', 'safe', 'safe']],
  },
  {
    title: 'a property is added to a closed object',
    old: gives(objectOf({ a: text }, [], { additionalProperties: false })),
    new: gives(objectOf({ a: text, b: text }, [], { additionalProperties: false })),
    changes: [['property-added', 'breaking', 'safe']],
  },
  {
    title: 'a value of an enum is added',
    old: gives({ ...text, enum: ['a'] }),
    new: gives({ ...text, enum: ['a', 'b'] }),
    changes: [['enum-value-added', 'breaking', 'safe']],
  },
  {
    title: 'a value may be null',
    old: gives(objectOf({ a: text }, ['a'])),
    new: gives(objectOf({ a: { anyOf: [text, { type: 'null' }] } }, ['a'])),
    changes: [['type-changed', 'breaking', 'safe']],
  },
  {
    title: 'a number gets larger',
    old: gives({ ...integer, maximum: 10 }),
    new: gives({ ...integer, maximum: 20 }),
    changes: [['maximum-changed', 'breaking', 'safe']],
  },
  {
    title: 'the items of a list have another type',
    old: gives({ type: 'array', items: integer }),
    new: gives({ type: 'array', items: text }),
    changes: [['type-changed', 'breaking', 'breaking']],
  },
  {
    title: 'an alternative is added',
    old: gives({ oneOf: [integer] }),
    new: gives({ oneOf: [integer, text] }),
    changes: [
      ['type-changed', 'breaking', 'safe'],
      ['alternative-added', 'breaking', 'safe'],
    ],
  },
  {
    title: 'one of two types becomes the only one',
    old: gives({ oneOf: [integer, text] }),
    new: gives(integer),
    changes: [['type-changed', 'safe', 'breaking']],
  },
  {
    title: 'a type becomes one of two, and another is restricted',
    old: gives(integer),
    new: gives({ anyOf: [text, { ...integer, minimum: 3 }] }),
    changes: [
      ['type-changed', 'breaking', 'safe'],
      ['minimum-changed', 'safe', 'breaking'],
    ],
  },
  {
    title: 'a success is added',
    old: givesAs(json),
    new: {
      responses: { ...(givesAs(json) as { responses: object }).responses, 202: { description: 'Later' } },
    },
    changes: [['status-added', 'breaking', 'safe']],
  },
  {
    title: 'an error is added',
    old: plain,
    new: { responses: { 204: { description: 'Done' }, 409: { description: 'Taken' } } },
    changes: [['status-added', 'dangerous', 'safe']],
  },
  {
    title: 'a status is removed that a range describes',
    old: {
      responses: {
        204: { description: 'Done' },
        404: { description: 'Gone' },
        '4XX': { description: 'Other' },
      },
    },
    new: { responses: { 204: { description: 'Done' }, '4XX': { description: 'Other' } } },
    changes: [],
  },
  {
    title: 'the default response changes beside a response for 500',
    old: { responses: { ...crash, default: error(['a']) } },
    new: { responses: { ...crash, default: error([]) } },
    changes: [['property-became-optional', 'breaking', 'safe']],
  },
  {
    title: 'a success is removed',
    old: { responses: { 200: { description: 'Found' }, 204: { description: 'Done' } } },
    new: plain,
    changes: [['status-removed', 'safe', 'breaking']],
  },
  {
    title: 'a media type is no longer given',
    old: givesAs({ ...json, 'text/plain': { schema: text } }),
    new: givesAs(json),
    changes: [['response-media-type-removed', 'breaking', 'safe']],
  },
  {
    title: 'a body is no longer given',
    old: givesAs(json),
    new: givesAs({}),
    changes: [['response-media-type-removed', 'breaking', 'dangerous']],
  },
  {
    title: 'a header is removed',
    old: header({ required: true }),
    new: givesAs(json),
    changes: [['response-header-removed', 'breaking', 'safe']],
  },
  {
    title: 'a header is added',
    old: givesAs(json),
    new: header({ required: true }),
    changes: [['response-header-added', 'safe', 'breaking']],
  },
  {
    title: 'a header may be negative',
    old: header({ schema: { ...integer, minimum: 0 } }),
    new: header({ schema: integer }),
    changes: [['minimum-changed', 'breaking', 'safe']],
  },
];
