/** Pairs of operations whose requests get another keyword: some message proves each, or it counts without a proof. */

import {
  type Expected,
  type OperationPair,
  integer,
  objectOf,
  query,
  takes,
  takesIn,
  text,
} from './operation-pairs.js';

type Row = readonly [
  title: string,
  old: object,
  next: object,
  kind: string,
  client?: Expected[1],
  server?: Expected[2],
];

const open = objectOf({ a: text, b: text, n: integer });
const list = { type: 'array', items: text };
/** No text is found that the first one matches: it looks behind itself. */
const unread = '^(?<=^)[a-f]{3}$';

/** In a property of a body; breaking for clients, and safe for servers, unless given. */
const rows: readonly Row[] = [
  ['not, of a value', text, { ...text, not: { const: 'secret' } }, 'not'],
  ['not, of a pattern', text, { ...text, not: { pattern: '!' } }, 'not'],
  ['not, of a property', open, { ...open, not: { required: ['a', 'b'] } }, 'not'],
  [
    'not, of one of several',
    integer,
    { ...integer, not: { anyOf: [{ minimum: 100 }, { const: 7 }] } },
    'not',
  ],
  ['not, of a type', { type: ['string', 'integer'] }, { type: ['string', 'integer'], not: text }, 'not'],
  ['not, of a component', open, { ...open, not: { $ref: '#/components/schemas/Named' } }, 'not'],
  ['not, in allOf', text, { allOf: [text, { not: { maxLength: 3 } }] }, 'not'],
  [
    'another not beside one',
    { ...text, not: { const: 'a' } },
    { allOf: [{ ...text, not: { const: 'a' } }, { not: { const: 'b' } }] },
    'not',
  ],
  [
    'if and then, of a requirement',
    open,
    { ...open, if: { required: ['a'] }, then: { required: ['b'] } },
    'if',
  ],
  [
    'if and then, of a length',
    open,
    { ...open, if: { required: ['a'] }, then: { properties: { a: { maxLength: 1 } } } },
    'if',
  ],
  [
    'if and then, of a value',
    open,
    { ...open, if: { properties: { a: { const: 'x' } }, required: ['a'] }, then: { required: ['b'] } },
    'if',
  ],
  ['if and else', open, { ...open, if: { required: ['a'] }, else: { required: ['b'] } }, 'if'],
  ['if and then, of nothing', text, { ...text, if: { const: 'a' }, then: false }, 'if'],
  [
    'if and then, with not',
    open,
    { ...open, if: { required: ['a'] }, then: { not: { required: ['b'] } } },
    'if',
  ],
  [
    'a narrower then',
    { ...open, if: { required: ['a'] }, then: { required: ['b'] } },
    { ...open, if: { required: ['a'] }, then: { required: ['b', 'n'] } },
    'then',
  ],
  ['dependentRequired', open, { ...open, dependentRequired: { a: ['b'] } }, 'dependentRequired'],
  [
    'a name in dependentRequired',
    { ...open, dependentRequired: { a: ['b'] } },
    { ...open, dependentRequired: { a: ['b', 'n'] } },
    'dependentRequired',
  ],
  ['dependentSchemas', open, { ...open, dependentSchemas: { a: { required: ['b'] } } }, 'dependentSchemas'],
  ['names in dependencies', open, { ...open, dependencies: { a: ['b'] } }, 'dependentRequired'],
  [
    'a schema in dependencies',
    open,
    { ...open, dependencies: { a: { required: ['b'] } } },
    'dependentSchemas',
  ],
  ['propertyNames', { type: 'object' }, { type: 'object', propertyNames: { maxLength: 3 } }, 'propertyNames'],
  ['propertyNames, by a pattern', open, { ...open, propertyNames: { pattern: '^[a-z]$' } }, 'propertyNames'],
  [
    'narrower propertyNames',
    { type: 'object', propertyNames: { maxLength: 30 } },
    { type: 'object', propertyNames: { maxLength: 20 } },
    'propertyNames',
  ],
  [
    'a pattern beside a minLength',
    { ...text, minLength: 2 },
    { ...text, minLength: 2, pattern: '^[^!]+$' },
    'pattern',
  ],
  [
    'a pattern beside a long minLength',
    { ...text, minLength: 70 },
    { ...text, minLength: 70, pattern: '\\d' },
    'pattern',
  ],
  [
    'another pattern',
    { ...text, pattern: '^a' },
    { allOf: [{ ...text, pattern: '^a' }, { pattern: 'z$' }] },
    'pattern',
  ],
  [
    'a pattern beside a format',
    { ...text, format: 'date' },
    { ...text, format: 'date', pattern: '^20' },
    'pattern',
  ],
  [
    'a maxLength beside a format',
    { ...text, format: 'uri' },
    { ...text, format: 'uri', maxLength: 250 },
    'maxLength',
  ],
  [
    'a maxLength beside a pattern',
    { ...text, pattern: '^[a-z]+$' },
    { ...text, pattern: '^[a-z]+$', maxLength: 50 },
    'maxLength',
  ],
  ['a long maxLength', { ...text, maxLength: 65_535 }, { ...text, maxLength: 20_000 }, 'maxLength'],
  [
    'a maximum beside a multipleOf',
    { ...integer, multipleOf: 5 },
    { ...integer, multipleOf: 5, maximum: 501 },
    'maximum',
  ],
  [
    'a multipleOf beside a minimum',
    { ...integer, minimum: 1000 },
    { ...integer, minimum: 1000, multipleOf: 3 },
    'multipleOf',
  ],
  [
    'an exclusive bound',
    { type: 'number', minimum: 0 },
    { type: 'number', exclusiveMinimum: 0 },
    'exclusiveMinimum',
  ],
  [
    'a bound in allOf',
    { ...integer, minimum: 1 },
    { allOf: [{ ...integer, minimum: 1 }, { minimum: 5 }] },
    'minimum',
  ],
  ['contains', list, { ...list, contains: { const: 'x' } }, 'contains'],
  [
    'minContains',
    { ...list, contains: { const: 'x' } },
    { ...list, contains: { const: 'x' }, minContains: 2 },
    'minContains',
  ],
  ['uniqueItems', { ...list, minItems: 3 }, { ...list, minItems: 3, uniqueItems: true }, 'uniqueItems'],
  [
    'patternProperties',
    { type: 'object' },
    { type: 'object', patternProperties: { '^x-': integer } },
    'type',
  ],
  [
    'a name that patternProperties forbid',
    { type: 'object' },
    { type: 'object', patternProperties: { '^x-': false } },
    'patternProperties',
  ],
  ['unevaluatedProperties', open, { ...open, unevaluatedProperties: integer }, 'unevaluatedProperties'],
  ['minProperties', open, { ...open, minProperties: 2 }, 'minProperties'],
  ['anyOf', text, { ...text, anyOf: [{ format: 'uuid' }, { maxLength: 2 }] }, 'anyOf'],
  ['a format in a list', list, { ...list, items: { ...text, format: 'uuid' } }, 'format'],
  ['a pattern that matches no text that is made', text, { ...text, pattern: unread }, 'pattern'],
  // No value of the old version can be built, so that no message shows it.
  [
    'a length beside an unread pattern',
    { ...text, pattern: unread },
    { ...text, pattern: unread, maxLength: 2 },
    'maxLength',
    'unproven',
  ],
  [
    'not beside an unread pattern',
    { ...text, pattern: unread },
    { ...text, pattern: unread, not: { maxLength: 5 } },
    'not',
    'unproven',
  ],
  // Values can be built, but not the one that it refuses.
  ['not, of an unread pattern', text, { ...text, not: { pattern: unread } }, 'not', 'unproven'],
  [
    'then, of an unread pattern',
    text,
    { ...text, if: { pattern: unread }, then: { maxLength: 1 } },
    'if',
    'unproven',
  ],
  // Under these keywords it may be without an effect.
  [
    'a keyword under anyOf that no message shows',
    { anyOf: [integer, { ...text, pattern: unread }] },
    { anyOf: [integer, { ...text, pattern: unread, maxLength: 2 }] },
    'maxLength',
    'dangerous',
  ],
  [
    'a keyword under not that no message shows',
    { ...text, not: { pattern: unread, maxLength: 5 } },
    { ...text, not: { pattern: unread } },
    'not',
    'dangerous',
  ],
];

const kindOf = (name: string): string => (name === 'anyOf' ? 'alternative-added' : `${name}-changed`);

export const restrictionPairs: readonly OperationPair[] = [
  ...rows.map(([title, old, next, kind, client = 'breaking', server = 'safe']): OperationPair => ({
    title: `added to a request: ${title}`,
    old: takesIn(old),
    new: takesIn(next),
    changes:
      kind === 'anyOf'
        ? [
            [kindOf(kind), client, server],
            [kindOf(kind), client, server],
          ]
        : [[kindOf(kind), client, server]],
  })),
  {
    title: 'anyOf becomes oneOf',
    old: takes({ anyOf: [objectOf({ a: text }, ['a']), objectOf({ b: integer }, ['b'])] }),
    new: takes({ oneOf: [objectOf({ a: text }, ['a']), objectOf({ b: integer }, ['b'])] }),
    changes: [['alternation-changed', 'breaking', 'safe']],
  },
  {
    title: 'a parameter gets not',
    old: query(text),
    new: query({ ...text, not: { const: 'x' } }),
    changes: [['not-changed', 'breaking', 'safe']],
  },
];
