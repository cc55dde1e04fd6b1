/** Pairs of webhooks and callbacks: the server sends the request, and the client answers it. */

import {
  type OperationPair,
  givesAs,
  integer,
  objectOf,
  parameter,
  plain,
  takes,
  text,
} from './operation-pairs.js';

const closed = { additionalProperties: false };

const webhooks: readonly Omit<OperationPair, 'sent'>[] = [
  {
    title: 'a required property of an event is added to an open object',
    old: takes(objectOf({ a: text })),
    new: takes(objectOf({ a: text, b: text }, ['b'])),
    // A new client misses it from an old server.
    changes: [['property-added', 'safe', 'breaking']],
  },
  {
    title: 'an optional property of an event is added to an open object',
    old: takes(objectOf({ a: text })),
    new: takes(objectOf({ a: text, b: text })),
    changes: [['property-added', 'safe', 'safe']],
  },
  {
    title: 'an optional property is added to an event of which no example can be made',
    old: takes(objectOf({ a: { ...text, pattern: '^(?=a)b' } }, ['a'])),
    new: takes(objectOf({ a: { ...text, pattern: '^(?=a)b' }, b: text }, ['a'])),
    changes: [['property-added', 'safe', 'safe']],
  },
  {
    title: 'an optional property of an event is added to a closed object',
    old: takes(objectOf({ a: text }, [], closed)),
    new: takes(objectOf({ a: text, b: text }, [], closed)),
    changes: [['property-added', 'breaking', 'safe']],
  },
  {
    title: 'a required property of an event is removed',
    old: takes(objectOf({ a: text, b: text }, ['b'])),
    new: takes(objectOf({ a: text })),
    changes: [['property-removed', 'breaking', 'safe']],
  },
  {
    title: 'an optional property of an event is removed',
    old: takes(objectOf({ a: text, b: text })),
    new: takes(objectOf({ a: text })),
    changes: [['property-removed', 'dangerous', 'safe']],
  },
  {
    title: 'a property of an event becomes required',
    old: takes(objectOf({ a: text })),
    new: takes(objectOf({ a: text }, ['a'])),
    changes: [['property-became-required', 'safe', 'breaking']],
  },
  {
    title: 'an event gets a value of an enum',
    old: takes({ ...text, enum: ['a'] }),
    new: takes({ ...text, enum: ['a', 'b'] }),
    changes: [['enum-value-added', 'breaking', 'safe']],
  },
  {
    title: 'a number of an event gets larger',
    old: takes({ ...integer, maximum: 10 }),
    new: takes({ ...integer, maximum: 20 }),
    changes: [['maximum-changed', 'breaking', 'safe']],
  },
  {
    title: 'a header is sent',
    old: plain,
    new: parameter({ in: 'header', name: 'X-Signature', required: true, schema: text }),
    changes: [['parameter-added', 'safe', 'breaking']],
  },
  {
    title: 'a header is no longer sent',
    old: parameter({ in: 'header', name: 'X-Signature', schema: text }),
    new: plain,
    changes: [['parameter-removed', 'dangerous', 'safe']],
  },
  {
    title: 'an event gets a body',
    old: plain,
    new: takes(text),
    changes: [['request-body-added', 'safe', 'breaking']],
  },
  {
    title: 'a status is no longer read of a client',
    old: { responses: { 200: { description: 'Done' }, 202: { description: 'Later' } } },
    new: { responses: { 200: { description: 'Done' } } },
    changes: [['status-removed', 'breaking', 'safe']],
  },
  {
    title: 'a client answers with a property that it did not have to',
    old: givesAs({ 'application/json': { schema: objectOf({ a: text }) } }),
    new: givesAs({ 'application/json': { schema: objectOf({ a: text }, ['a']) } }),
    changes: [['property-became-required', 'breaking', 'safe']],
  },
  {
    title: 'an event is added',
    old: undefined,
    new: plain,
    changes: [['webhook-added', 'dangerous', 'dangerous']],
  },
  {
    title: 'an event is no longer sent',
    old: plain,
    new: undefined,
    changes: [['webhook-removed', 'dangerous', 'dangerous']],
  },
  { title: 'an event stays', old: takes(text), new: takes(text), changes: [] },
];

export const sentPairs: readonly OperationPair[] = [
  ...webhooks.map((pair): OperationPair => ({ ...pair, sent: 'webhook' })),
  {
    title: 'a callback carries less',
    sent: 'callback',
    old: takes(objectOf({ a: text }, ['a'])),
    new: takes(objectOf({ a: text })),
    changes: [['property-became-optional', 'breaking', 'safe']],
  },
  {
    title: 'a callback is added',
    sent: 'callback',
    old: undefined,
    new: plain,
    changes: [['callback-added', 'dangerous', 'dangerous']],
  },
  {
    title: 'what a client asks of the service in answer to a callback',
    sent: 'callback of a callback',
    old: takes(objectOf({ a: text })),
    new: takes(objectOf({ a: text, b: text }, ['b'])),
    changes: [['property-added', 'breaking', 'dangerous']],
  },
];
