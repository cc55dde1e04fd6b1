/** Checks the types of the project's own generated files, which its compiler only reads. */

import { expect } from 'chai';
import { ROOT } from '../architecture/source-tree.js';
import { complaints } from '../codegen/strict-compiler.js';

describe('the generated files of this project', function () {
  this.timeout(60_000);

  it('have no type errors', () => {
    const settings = { customConditions: ['@concordat/source'] };
    const found = complaints(`${ROOT}generated`.replace('//', '/'), ['routing.ts'], settings);
    expect(found).to.deep.equal([]);
  });
});
