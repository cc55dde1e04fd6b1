/** The sandbox of records whose type contains itself. */

import { expect } from 'chai';
import { answer, object, sandboxed, sent, text } from './sandboxed.js';

describe('the sandbox of recursive records', () => {
  const node = { $ref: '#/components/schemas/Node' };
  const list = { type: 'array', items: node };
  const recursive: readonly (readonly [string, object, unknown])[] = [
    ['a member', object({ next: node, text }), { next: { next: { text: 'c' }, text: 'b' }, text: 'a' }],
    ['a member of `allOf`', { allOf: [object({ next: node })] }, { next: { next: {} } }],
    ['a member with a description', object({ next: { ...node, description: 'Next' } }), { next: {} }],
    ['an alternative', { oneOf: [object({ next: node }), object({ text })] }, { next: { text: 'b' } }],
    [
      'one of several members',
      object({ next: node, other: object({ text }) }),
      { next: { next: {} }, other: { text: 'a' } },
    ],
    ['a list', object({ items: list, text }), { items: [{ items: [], text: 'b' }], text: 'a' }],
    ['a list in a member', object({ data: object({ items: list }) }), { data: { items: [{}] } }],
  ];
  for (const [name, Node, value] of recursive) {
    it(`takes no type that has itself as ${name} for an envelope`, async () => {
      const single = { get: { responses: { 200: answer(node) } }, put: {} };
      single.put = { requestBody: sent(node), responses: { 200: answer(node) } };
      const { send } = await sandboxed({ '/tree': single }, { Node });
      expect((await send('PUT', '/tree', value)).body).to.deep.equal(value);
      expect((await send('GET', '/tree')).body).to.deep.equal(value);
    });
  }
});
