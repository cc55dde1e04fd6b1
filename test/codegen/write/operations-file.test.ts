/** What the generated handlers say of their operations, for editors to show, and which view of a schema they answer. */

import { expect } from 'chai';
import { generated, operationOf } from '../written-contract.js';

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

describe('the answer of a handler', () => {
  const marked = { type: 'object', properties: { id: { type: 'string', readOnly: true } } };
  for (const keyword of ['additionalProperties', 'unevaluatedProperties', 'items']) {
    it(`is what a client reads, where a property in ${keyword} is for one direction`, async () => {
      const content = { 'application/json': { schema: { $ref: '#/components/schemas/A' } } };
      const { 'operations.ts': text = '' } = await generated(
        operationOf(
          { responses: { 200: { description: 'Some', content } } },
          { components: { schemas: { A: { type: 'object', [keyword]: marked } } } },
        ),
      );
      expect(text).to.contain('readonly body: Readable<Schemas["A"]>');
    });
  }

  it('is what a client reads, where the property has a name like that of a keyword', async () => {
    const schema = { type: 'object', properties: { examples_id: { type: 'string', readOnly: true } } };
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/A' } } };
    const files = await generated(
      operationOf(
        { responses: { 200: { description: 'Some', content } } },
        { components: { schemas: { A: schema } } },
      ),
    );
    expect(files['operations.ts']).to.contain('readonly body: Readable<Schemas["A"]>');
    expect(files['openapi.ts']).to.contain('export type Readable<').and.to.contain('$Read<string>');
  });
});
