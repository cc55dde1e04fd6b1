/** Texts that are made to be slow: the check of each format decides them in time that grows with their length only. */

import { expect } from 'chai';
import { formatValues } from '../../../../src/tools/values/format-values.js';
import { FORMATS } from '../../../../src/codegen/checks/formats/format-table.js';
import { compiledSchema } from './compiled-schema.js';
import { cpuTime } from '../../../support/durations.js';

/** Exponential checks take seconds for the short length, quadratic ones for the long one. */
const LENGTHS = [26, 20_000];
const MILLISECONDS = 1000;

describe('the check of a long text', () => {
  for (const [format, { tests }] of Object.entries(FORMATS)) {
    if (tests.string === undefined) continue;
    it(`is quick for ${format}`, async () => {
      const check = await compiledSchema({ type: 'string', format });
      const samples = formatValues(format)?.samples ?? [];
      const sample = String(samples.find((each) => typeof each === 'string'));
      for (const length of LENGTHS) {
        for (const piece of ['a', '1', '/', '.', '-', ':', '%41', 'a.', 'a/', '{a}', '~0', '🙂']) {
          for (const end of ['', '?', '!', '\n', '{', '%']) {
            const text = sample + piece.repeat(length) + end;
            const taken = cpuTime();
            check(text);
            expect(taken(), `${sample}${piece}… ${String(length)} times ${end}`).to.be.below(MILLISECONDS);
          }
        }
      }
    });
  }
});
