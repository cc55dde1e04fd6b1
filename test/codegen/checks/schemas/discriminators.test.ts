/** Tests that a discriminator picks the schema, and that errors come from the schema it picked. */
import { expect } from 'chai';
import type { AnySchema } from '../any-schema.js';
import { failuresOf } from '../../../../src/runtime/failures/failures-of.js';
import { checkOf, compiled, component, documentOf } from './compiled.js';

const ref = (name: string): AnySchema => ({ $ref: `#/components/schemas/${name}` });
const animal = (extra: string): AnySchema => ({
  type: 'object',
  required: ['kind', extra],
  properties: { kind: { type: 'string' }, [extra]: { type: 'integer' } },
});
const inherits = (...parts: AnySchema[]): AnySchema => ({ allOf: parts });
const own = (name: string): AnySchema => ({
  type: 'object',
  required: [name],
  properties: { [name]: { type: 'integer' } },
});

const counted = (extra: string, kind: AnySchema = { type: 'integer' }): AnySchema => ({
  type: 'object',
  required: ['kind', extra],
  properties: { kind, [extra]: { type: 'integer' } },
});

const among = { Cat: animal('claws'), Dog: animal('bark') };
const family = {
  Pet: {
    type: 'object',
    required: ['kind'],
    properties: { kind: { type: 'string' }, friend: ref('Pet') },
    discriminator: { propertyName: 'kind' },
  },
  Cat: inherits(ref('Pet'), own('claws')),
  Dog: inherits(ref('Pet'), own('bark')),
  Poodle: inherits(ref('Dog'), own('curls')),
} as const;

type Case = readonly [value: unknown, error: string | undefined];
type Row = readonly [what: string, schemas: Readonly<Record<string, AnySchema>>, cases: readonly Case[]];

const rows: readonly Row[] = [
  [
    'schema names pick where no mapping does',
    { ...among, Pet: { oneOf: [ref('Cat'), ref('Dog')], discriminator: { propertyName: 'kind' } } },
    [
      [{ kind: 'Cat', claws: 1 }, undefined],
      [{ kind: 'Dog', bark: 1 }, undefined],
      [{ kind: 'Cat', bark: 1 }, " must have required property 'claws'"],
      [{ kind: 'Dog', bark: 'x' }, '/bark must be integer'],
      [{ kind: 'Cow' }, '/kind must be equal to one of the allowed values ["Cat","Dog"]'],
      [{ claws: 1 }, " must have required property 'kind'"],
      ['Cat', ' must be object'],
    ],
  ],
  [
    'a mapping by name and by reference takes the place of the schema name',
    {
      ...among,
      Pet: {
        anyOf: [ref('Cat'), ref('Dog')],
        discriminator: {
          propertyName: 'kind',
          mapping: { cat: 'Cat', tiger: 'Cat', dog: '#/components/schemas/Dog' },
        },
      },
    },
    [
      [{ kind: 'tiger', claws: 1 }, undefined],
      [{ kind: 'cat', claws: 1 }, undefined],
      [{ kind: 'dog', bark: 1 }, undefined],
      [{ kind: 'Dog', bark: 1 }, '/kind must be equal to one of the allowed values ["cat","tiger","dog"]'],
    ],
  ],
  [
    'what the alternatives say of the property picks before their names do, unless they say the same',
    {
      Base: {
        type: 'object',
        required: ['kind'],
        properties: { kind: { enum: ['cat', 'dog', 'Cow', 'Pig'] } },
      },
      Cat: { allOf: [ref('Base'), { type: 'object', properties: { kind: { enum: ['cat'] } } }] },
      Dog: { allOf: [ref('Base'), { type: 'object', properties: { kind: ref('DogKind') } }] },
      DogKind: { type: 'string', enum: ['dog'] },
      Cow: { allOf: [ref('Base'), own('milk')] },
      Pig: { allOf: [ref('Base'), own('mud')] },
      Pet: {
        oneOf: [ref('Cat'), ref('Dog'), ref('Cow'), ref('Pig')],
        discriminator: { propertyName: 'kind' },
      },
    },
    [
      [{ kind: 'cat' }, undefined],
      [{ kind: 'dog' }, undefined],
      [{ kind: 'Cow', milk: 1 }, undefined],
      [{ kind: 'Pig' }, " must have required property 'mud'"],
      [{ kind: 'Cat' }, '/kind must be equal to one of the allowed values ["cat","dog","Cow","Pig"]'],
    ],
  ],
  [
    'a partial mapping leaves the other names',
    {
      ...among,
      Pet: {
        oneOf: [ref('Cat'), ref('Dog')],
        discriminator: { propertyName: 'kind', mapping: { cat: 'Cat' } },
      },
    },
    [
      [{ kind: 'cat', claws: 1 }, undefined],
      [{ kind: 'Dog', bark: 1 }, undefined],
      [{ kind: 'Cat', claws: 1 }, '/kind must be equal to one of the allowed values ["cat","Dog"]'],
    ],
  ],
  [
    'inline alternatives are picked by their own enum',
    {
      Pet: {
        oneOf: [
          {
            type: 'object',
            properties: { kind: { type: 'string', enum: ['a', 'b'] }, n: { type: 'integer' } },
          },
          { type: 'object', properties: { kind: { type: 'string', enum: ['c'] } }, required: ['m'] },
        ],
        discriminator: { propertyName: 'kind' },
      },
    },
    [
      [{ kind: 'b', n: 1 }, undefined],
      [{ kind: 'b', n: 'x' }, '/n must be integer'],
      [{ kind: 'c' }, " must have required property 'm'"],
    ],
  ],
  [
    'keywords beside the alternatives hold as well',
    {
      ...among,
      Pet: { required: ['name'], oneOf: [ref('Cat'), ref('Dog')], discriminator: { propertyName: 'kind' } },
    },
    [
      [{ kind: 'Cat', claws: 1, name: 'a' }, undefined],
      [{ kind: 'Cat', claws: 1 }, " must have required property 'name'"],
    ],
  ],
  [
    'schemas that extend the parent are picked',
    family,
    [
      [{ kind: 'Cat', claws: 1 }, undefined],
      [{ kind: 'Cat' }, " must have required property 'claws'"],
      [{ kind: 'Poodle', bark: 1, curls: 1 }, undefined],
      [{ kind: 'Poodle', curls: 1 }, " must have required property 'bark'"],
      [{ kind: 'Pet' }, undefined],
      [{ kind: 'Dog', bark: 1, friend: { kind: 'Cat' } }, "/friend must have required property 'claws'"],
      [{ kind: 'Cow' }, '/kind must be equal to one of the allowed values ["Cat","Dog","Poodle","Pet"]'],
    ],
  ],
  [
    'a mapping names integers, where the property is one',
    {
      Cat: counted('claws'),
      Dog: counted('bark'),
      Pet: {
        oneOf: [ref('Cat'), ref('Dog')],
        discriminator: {
          propertyName: 'kind',
          mapping: { '1': '#/components/schemas/Cat', '2': '#/components/schemas/Dog' },
        },
      },
    },
    [
      [{ kind: 1, claws: 1 }, undefined],
      [{ kind: 2, bark: 1 }, undefined],
      [{ kind: 1, bark: 1 }, " must have required property 'claws'"],
      [{ kind: '1', claws: 1 }, '/kind must be equal to one of the allowed values [1,2]'],
      [{ kind: 3, claws: 1 }, '/kind must be equal to one of the allowed values [1,2]'],
    ],
  ],
  [
    'integers of an enum pick',
    {
      Cat: counted('claws', { type: 'integer', enum: [1, 3] }),
      Dog: counted('bark', { enum: [2] }),
      Pet: { oneOf: [ref('Cat'), ref('Dog')], discriminator: { propertyName: 'kind' } },
    },
    [
      [{ kind: 3, claws: 1 }, undefined],
      [{ kind: 2, bark: 1 }, undefined],
      [{ kind: 2 }, " must have required property 'bark'"],
      [{ kind: 4, bark: 1 }, '/kind must be equal to one of the allowed values [1,3,2]'],
    ],
  ],
  [
    'booleans pick heirs',
    {
      Pet: {
        type: 'object',
        required: ['kind'],
        properties: { kind: { type: 'boolean' } },
        discriminator: { propertyName: 'kind', mapping: { true: 'Cat', false: 'Pet' } },
      },
      Cat: inherits(ref('Pet'), own('claws')),
    },
    [
      [{ kind: true, claws: 1 }, undefined],
      [{ kind: false }, undefined],
      [{ kind: true }, " must have required property 'claws'"],
      [{ kind: 'true', claws: 1 }, '/kind must be equal to one of the allowed values [true,false]'],
    ],
  ],
  [
    'a parent that lists its heirs ends',
    {
      Pet: {
        type: 'object',
        oneOf: [ref('Cat'), ref('Dog')],
        discriminator: { propertyName: 'kind' },
        properties: { name: { type: 'string' } },
      },
      Cat: inherits(ref('Pet'), own('claws')),
      Dog: inherits(ref('Pet'), own('bark')),
    },
    [
      [{ kind: 'Cat', claws: 1 }, undefined],
      [{ kind: 'Cat', claws: 1, name: 1 }, '/name must be string'],
      [{ kind: 'Dog' }, " must have required property 'bark'"],
    ],
  ],
];

for (const version of ['3.0.3', '3.1.0'] as const) {
  describe(`a discriminator, OpenAPI ${version}`, () => {
    for (const [what, schemas, cases] of rows) {
      it(what, async () => {
        const check = await checkOf(documentOf(version, schemas), 'Pet');
        for (const [value, error] of cases) {
          const holds = check(structuredClone(value));
          const [first] = failuresOf(check, structuredClone(value));
          const allowed = first?.params['allowedValues'];
          const text =
            first && `${first.instancePath} ${first.message}${allowed ? ` ${JSON.stringify(allowed)}` : ''}`;
          expect(text, JSON.stringify(value)).to.equal(error);
          expect(holds).to.equal(error === undefined);
        }
      });
    }
  });
}

describe('a discriminator beside null (3.1)', () => {
  for (const other of [[{ type: 'null' }], [{ type: 'null' }, { type: 'string' }]]) {
    it(`leaves ${JSON.stringify(other)} to its alternative`, async () => {
      const Pet = { oneOf: [ref('Cat'), ref('Dog'), ...other], discriminator: { propertyName: 'kind' } };
      const check = await checkOf(documentOf('3.1.0', { ...among, Pet }), 'Pet');
      expect(check(null)).to.equal(true);
      expect(check('a')).to.equal(other.length === 2);
      expect(check({ kind: 'Dog', bark: 1 })).to.equal(true);
      expect(check({ kind: 'Dog' })).to.equal(false);
    });
  }
});

describe('a discriminator that cannot be honoured', () => {
  const inline = { type: 'object', properties: { kind: { type: 'string' } } };
  const unsupported: readonly (readonly [
    code: string,
    at: string,
    schemas: Readonly<Record<string, AnySchema>>,
  ])[] = [
    [
      'discriminator-inheritance',
      '#/components/schemas/Pet/discriminator',
      { Pet: { type: 'object', discriminator: { propertyName: 'kind' } } },
    ],
    [
      'discriminator-branch',
      '#/components/schemas/Pet/oneOf/1',
      { ...among, Pet: { oneOf: [ref('Cat'), inline], discriminator: { propertyName: 'kind' } } },
    ],
    [
      'discriminator-branch',
      '#/components/schemas/Pet/oneOf/0',
      {
        Cat: counted('claws'),
        Dog: counted('bark'),
        Pet: { oneOf: [ref('Cat'), ref('Dog')], discriminator: { propertyName: 'kind' } },
      },
    ],
    [
      'discriminator-mapping',
      '#/components/schemas/Pet/discriminator/mapping/cow',
      {
        ...among,
        Pet: { oneOf: [ref('Cat')], discriminator: { propertyName: 'kind', mapping: { cow: 'Cow' } } },
      },
    ],
    [
      'discriminator-mapping',
      '#/components/schemas/Pet/discriminator/mapping',
      {
        ...among,
        Pet: { oneOf: [ref('Cat')], discriminator: { propertyName: 'kind', mapping: { dog: 'Dog' } } },
      },
    ],
    [
      'discriminator-inheritance',
      '#/components/schemas/Pet',
      {
        Pet: { type: 'object', discriminator: { propertyName: 'kind', mapping: { loop: 'Loop' } } },
        Loop: { anyOf: [ref('Pet'), { type: 'object' }] },
      },
    ],
  ];
  for (const [code, at, schemas] of unsupported) {
    it(`is an unsupported feature ${code} at ${at}`, () => {
      const found = compiled(documentOf('3.0.3', schemas), [component('Pet')]).unsupported;
      expect(found.map((feature) => [feature.feature, feature.at])).to.deep.include([code, at]);
    });
  }
});
