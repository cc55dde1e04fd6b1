/** Tests that the progress of long work is shown on a terminal only, and is removed at the end. */

import { expect } from 'chai';
import { progressLine } from '../../../src/runtime/terminal/terminal.js';

/** The texts that are written for 2,000 steps, each of which takes some milliseconds. */
function written(isTTY: boolean, milliseconds: number): readonly string[] {
  const texts: string[] = [];
  let now = 0;
  const progress = progressLine('checks', { isTTY, write: (text) => texts.push(text) }, () => now);
  for (let done = 1; done <= 2000; done += 1) {
    now += milliseconds;
    progress(done, 2000);
  }
  return texts;
}

describe('the progress line', () => {
  it('is redrawn for each percent after a second, and removed at the end', () => {
    const texts = written(true, 1);
    expect(texts).to.have.lengthOf(51);
    expect(texts[0]).to.equal(`\r\u001B[Kchecks ${'█'.repeat(15)}${'░'.repeat(15)} 50 %`);
    expect(texts.at(-1)).to.equal('\r\u001B[K');
  });

  it('is not drawn for quick work, nor when the output is not a terminal', () => {
    expect(written(true, 0.4)).to.deep.equal([]);
    expect(written(false, 10)).to.deep.equal([]);
  });
});
