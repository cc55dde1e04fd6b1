/** What the generated handlers say of their operations, for editors to show, and which view of a schema they answer. */

import { expect } from 'chai';
import { generated, operationOf } from '../../written-contract.js';

describe('the comment of a handler', () => {
  const rows: readonly (readonly [what: string, operation: object, comment: string])[] = [
    ['is the summary', { summary: 'Makes an a.', description: 'Long.' }, '`POST /a`: Makes an a.'],
    [
      'is the first sentence of a description, without a summary',
      { description: 'Makes an a, e.g.one. It is long.\n\nAnd more.' },
      '`POST /a`: Makes an a, e.g.one.',
    ],
    ['is a first line that has no end', { description: '\nMakes an a\n- and b' }, '`POST /a`: Makes an a'],
    ['ends no comment', { description: 'Makes */ an a.' }, '`POST /a`: Makes *\\/ an a.'],
    ['is the route alone, without both', {}, '`POST /a`'],
  ];
  for (const [what, operation, comment] of rows) {
    it(what, async () => {
      const { 'operations.ts': text = '' } = await generated(operationOf(operation));
      expect(/\/\*\* (.*) \*\/\n {2}readonly a:/.exec(text)?.[1]).to.equal(comment);
    });
  }
});

describe('the types of requests and responses', () => {
  const ref = { $ref: '#/components/schemas/Parcel' };
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });
  const operation = { requestBody: json(ref), responses: { 200: { description: 'Some', ...json(ref) } } };
  const typesOf = async (schema: object, others: object = {}): Promise<string> => {
    const components = { schemas: { Parcel: schema, ...others } };
    const { 'openapi.ts': text = '' } = await generated(operationOf(operation, { components }));
    return text.replaceAll(/\s+/g, ' ');
  };
  const parcel = {
    type: 'object',
    required: ['id', 'weight', 'secret'],
    properties: {
      id: { type: 'string', readOnly: true },
      examples_id: { type: 'string', readOnly: true },
      weight: { type: 'number' },
      secret: { type: 'string', writeOnly: true },
    },
  };

  it('are plain and have names of their own where a property is for one direction', async () => {
    const text = await typesOf(parcel);
    expect(text).to.contain(
      'export type Parcel = { readonly id: string; readonly examples_id?: string; weight: number; };',
    );
    expect(text).to.contain('export type ParcelInput = { weight: number; secret: string; };');
    expect(text).not.to.contain('$Read');
  });

  for (const keyword of ['additionalProperties', 'unevaluatedProperties', 'items', 'allOf']) {
    it(`are two where a property in ${keyword} is for one direction`, async () => {
      const held = { $ref: '#/components/schemas/Held' };
      const schema = {
        type: keyword === 'items' ? 'array' : 'object',
        [keyword]: keyword === 'allOf' ? [held] : held,
      };
      expect(await typesOf(schema, { Held: parcel }))
        .to.contain('export type ParcelInput =')
        .and.to.contain('export type HeldInput = { weight: number; secret: string; };');
    });
  }

  it('are one where no property is for one direction', async () => {
    expect(await typesOf({ type: 'object', properties: { id: { type: 'string' } } })).not.to.contain(
      'ParcelInput',
    );
  });

  it('keep the names of components that the contract has', async () => {
    const others = { ParcelInput: { type: 'string' } };
    expect(await typesOf(parcel, others))
      .to.contain('export type ParcelInput = string;')
      .and.to.contain('export type ParcelInput2 = {');
  });

  it('are imported by name, unless a type of the file has the name', async () => {
    const requestBody = json({ $ref: '#/components/schemas/ARequest' });
    const schemas = { Parcel: parcel, ARequest: { type: 'object' } };
    const { 'operations.ts': text = '' } = await generated(
      operationOf({ ...operation, requestBody }, { components: { schemas } }),
    );
    expect(text)
      .to.contain('import type { Parcel, components } from "./openapi.js";')
      .and.to.contain('readonly body: Parcel ')
      .and.to.contain('readonly body?: Schemas["ARequest"];');
  });

  it('have a name of the operation for the body that the contract writes in place', async () => {
    const body = (properties: object) => json({ type: 'object', properties });
    const text = await generated(
      operationOf(
        {
          requestBody: body({ weight: { type: 'number' } }),
          responses: {
            200: { description: 'Some', ...body({ id: { type: 'string' } }) },
            default: { $ref: '#/components/responses/Refused' },
          },
        },
        {
          components: {
            responses: { Refused: { description: 'Refused', ...body({ error: { type: 'string' } }) } },
          },
        },
      ),
    );
    expect(text['operations.ts'])
      .to.contain('readonly body?: ABody;')
      .and.to.contain('readonly body: A200Body')
      .and.to.contain('readonly body: RefusedBody')
      .and.not.to.contain('paths');
  });
});
