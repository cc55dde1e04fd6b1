/** Tests that read-only properties stay out of requests and write-only ones out of responses. */
import { expect } from 'chai';
import type { AnySchema } from '../any-schema.js';
import { failuresOf } from '../../../../src/runtime/failures/failures-of.js';
import { checkOf, compiled, component, documentOf } from './compiled.js';

const schemas: Readonly<Record<string, AnySchema>> = {
  User: {
    type: 'object',
    required: ['id', 'name', 'password'],
    properties: {
      id: { type: 'string', readOnly: true },
      name: { type: 'string' },
      password: { type: 'string', writeOnly: true },
      manager: { $ref: '#/components/schemas/User' },
    },
  },
  Team: {
    type: 'object',
    properties: { members: { type: 'array', items: { $ref: '#/components/schemas/User' } } },
  },
  ByReference: {
    type: 'object',
    required: ['id'],
    properties: {
      id: { $ref: '#/components/schemas/Id' },
      wrapped: { allOf: [{ $ref: '#/components/schemas/Id' }] },
    },
  },
  Id: { type: 'string', readOnly: true },
  RequiredElsewhere: {
    allOf: [{ $ref: '#/components/schemas/WithId' }, { $ref: '#/components/schemas/NeedsId' }],
    required: ['id', 'name'],
  },
  WithId: { type: 'object', properties: { id: { type: 'string', readOnly: true } } },
  NeedsId: { type: 'object', required: ['id', 'name'] },
  InAlternatives: { oneOf: [{ $ref: '#/components/schemas/User' }, { type: 'string' }] },
  Plain: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
};

type Row = readonly [
  schema: string,
  direction: 'request' | 'response',
  value: unknown,
  error: string | undefined,
];

const sent = 'must NOT be sent: it is read-only';
const returned = 'must NOT be returned: it is write-only';
const rows: readonly Row[] = [
  ['User', 'request', { name: 'a', password: 'b' }, undefined],
  ['User', 'request', { name: 'a', password: 'b', id: '1' }, `/id ${sent}`],
  ['User', 'request', { name: 'a' }, " must have required property 'password'"],
  ['User', 'response', { name: 'a', id: '1' }, undefined],
  ['User', 'response', { name: 'a' }, " must have required property 'id'"],
  ['User', 'response', { name: 'a', id: '1', password: 'b' }, `/password ${returned}`],
  [
    'User',
    'request',
    { name: 'a', password: 'b', manager: { name: 'c', password: 'd', id: '1' } },
    `/manager/id ${sent}`,
  ],
  [
    'User',
    'response',
    { name: 'a', id: '1', manager: { name: 'c', id: '2', manager: { name: 'e', id: '3' } } },
    undefined,
  ],
  ['Team', 'request', { members: [{ name: 'a', password: 'b' }] }, undefined],
  ['Team', 'request', { members: [{ name: 'a', password: 'b', id: '1' }] }, `/members/0/id ${sent}`],
  [
    'Team',
    'response',
    { members: [{ name: 'a', id: '1', password: 'b' }] },
    `/members/0/password ${returned}`,
  ],
  ['ByReference', 'request', {}, undefined],
  ['ByReference', 'request', { id: '1' }, `/id ${sent}`],
  ['ByReference', 'request', { wrapped: '1' }, `/wrapped ${sent}`],
  ['ByReference', 'response', {}, " must have required property 'id'"],
  ['RequiredElsewhere', 'request', { name: 'a' }, undefined],
  ['RequiredElsewhere', 'request', {}, " must have required property 'name'"],
  ['RequiredElsewhere', 'request', { name: 'a', id: '1' }, `/id ${sent}`],
  ['RequiredElsewhere', 'response', { name: 'a' }, " must have required property 'id'"],
  ['RequiredElsewhere', 'response', { name: 'a', id: '1' }, undefined],
  ['NeedsId', 'request', { name: 'a' }, " must have required property 'id'"],
  ['InAlternatives', 'request', { name: 'a', password: 'b' }, undefined],
  ['InAlternatives', 'response', { name: 'a', id: '1' }, undefined],
];

for (const version of ['3.0.3', '3.1.0'] as const) {
  describe(`the direction of a check, OpenAPI ${version}`, () => {
    for (const [schema, direction, value, error] of rows) {
      it(`${error === undefined ? 'takes' : 'refuses'} ${JSON.stringify(value)} as ${schema} in a ${direction}`, async () => {
        const check = await checkOf(documentOf(version, schemas), schema, direction);
        const holds = check(structuredClone(value));
        const [first] = failuresOf(check, structuredClone(value));
        expect(first && `${first.instancePath} ${first.message}`).to.equal(error);
        expect(holds).to.equal(error === undefined);
      });
    }
  });
}

describe('the variants of a schema', () => {
  const document = documentOf('3.0.3', schemas);
  const functions = (js: string): readonly string[] =>
    [...js.matchAll(/^function (check\w+)/gm)].map(([, name]) => name ?? '');

  it('are two only where something in the closure makes the directions differ', () => {
    const wanted = ['User', 'Plain'].flatMap((name) => [
      { ...component(name), name: `send${name}` },
      { ...component(name, 'response'), name: `return${name}` },
    ]);
    const { requests, responses } = compiled(document, wanted);
    expect(functions(requests.js)).to.deep.equal(['checkUserRequest', 'checkPlain']);
    expect(functions(responses.js)).to.deep.equal(['checkUserResponse', 'checkPlain']);
  });

  it('leave out a default of a property that must not be sent', async () => {
    const check = await checkOf(
      documentOf('3.1.0', {
        A: { type: 'object', properties: { a: { type: 'string', default: 'x', readOnly: true } } },
      }),
      'A',
    );
    const value = {};
    expect(check(value)).to.equal(true);
    expect(value).to.deep.equal({});
  });
});
