/** Texts in CSV cells: never a formula, and the same after an import. */

import { expect } from 'chai';
import fc from 'fast-check';
import { fromSpreadsheet, toSpreadsheet } from '../../src/service/cli/records/csv.js';

describe('texts in a spreadsheet', () => {
  for (const text of ['=1+1', '+1 555 0100', '-1', '@SUM(A1)', '\t=1', '\r=1', "'=1", "''@x"]) {
    it(`starts with an apostrophe: ${JSON.stringify(text)}`, () => {
      expect(toSpreadsheet(text)).to.equal(`'${text}`);
    });
  }

  it('are unchanged where they start like no formula', () => {
    for (const text of ['Ada', "'tis", "O'Hara = x", '1-1', '']) expect(toSpreadsheet(text)).to.equal(text);
  });

  it('are read as they were written', () => {
    const starts = fc.constantFrom('', "'", "''", '=', '+', '-', '@', '\t', '\r');
    fc.assert(
      fc.property(starts, starts, fc.string(), (first, second, rest) => {
        const text = first + second + rest;
        expect(toSpreadsheet(text)).to.not.match(/^[=+\-@\t\r]/);
        expect(fromSpreadsheet(toSpreadsheet(text))).to.equal(text);
      }),
    );
  });
});
