/** The alternatives of large schemas are tried as long as those of small ones, and not as often. */

import { expect } from 'chai';
import { allChoices } from '../../../src/tools/values/inner-parts.js';

describe('the choices among the alternatives of a schema', () => {
  const partsOf = (beside: number): number => {
    const allOf = [
      ...Array.from({ length: 20 }, (_, index) => ({ oneOf: [{ required: [`a${index}`] }, {}] })),
      ...Array.from({ length: beside }, (_, index) => ({ required: [`b${index}`] })),
    ];
    return [...allChoices([{ schema: { allOf }, at: '' }], 'all')].reduce(
      (sum, { length }) => sum + length,
      0,
    );
  };

  it('have no more parts together where each has many', () => {
    expect(partsOf(2)).to.be.within(1000, 100_000);
    expect(partsOf(2000)).to.be.within(1000, 100_000);
  });
});
