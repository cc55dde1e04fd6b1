/** Texts of a contract that are made to run or to break its code: the generated files hold them, and run none of them. */

import { expect } from 'chai';
import { loadModules } from './generated-modules.js';
import { documentOf, generated, operationOf } from './written-contract.js';

const RUNS = '*/globalThis.PWNED=1;/*';
const sent = { post: { responses: { 204: { description: 'Nothing' } } } };

describe('a contract with hostile texts', () => {
  const rows: readonly (readonly [place: string, document: object])[] = [
    ['an operationId', operationOf({ operationId: RUNS })],
    ['the name of a webhook', documentOf({ webhooks: { [RUNS]: sent } })],
    ['the name of a callback', operationOf({ callbacks: { [RUNS]: { '{$request.body#/url}': sent } } })],
    ['a path with parameters', documentOf({ paths: { '/a\u2028{b}\u2029/\u2028': pathItem() } })],
  ];
  for (const [place, document] of rows) {
    it(`runs nothing from ${place}`, async () => {
      const { global } = loadModules(await generated(document));
      expect(global).to.not.have.property('PWNED');
    });
  }
});

function pathItem(): object {
  return { ...sent, parameters: [{ name: 'b', in: 'path', required: true, schema: { type: 'string' } }] };
}
