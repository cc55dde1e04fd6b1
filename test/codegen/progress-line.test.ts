/** Tests that the progress of a large contract is shown on a terminal only, and is removed at the end. */

import { expect } from 'chai';
import { progressLine, progressStages } from '../../src/codegen/generator/progress-line.js';

function written(isTTY: boolean, total: number): readonly string[] {
  const texts: string[] = [];
  const progress = progressLine('checks', { isTTY, write: (text) => texts.push(text) });
  for (let done = 1; done <= total; done += 1) progress(done, total);
  return texts;
}

describe('the progress line', () => {
  it('is redrawn for each percent, and removed at the end', () => {
    const texts = written(true, 2000);
    expect(texts).to.have.lengthOf(101);
    expect(texts[50]).to.equal(`\r\u001B[Kchecks ${'█'.repeat(15)}${'░'.repeat(15)} 50 %`);
    expect(texts.at(-1)).to.equal('\r\u001B[K');
  });

  it('is not drawn for a small contract, nor when the output is not a terminal', () => {
    expect(written(true, 100)).to.deep.equal([]);
    expect(written(false, 2000)).to.deep.equal([]);
  });

  it('shows each stage of work that takes longer than a second, and is removed after each', () => {
    const texts: string[] = [];
    let now = 0;
    const stages = progressStages({ isTTY: true, write: (text) => texts.push(text) }, () => now);
    const reading = stages('reading');
    now = 900;
    reading(1, 4);
    now = 1100;
    reading(2, 4);
    reading(4, 4);
    stages('checks')(1, 2);
    const bar = `${'█'.repeat(15)}${'░'.repeat(15)} 50 %`;
    expect(texts).to.deep.equal([`\r\u001B[Kreading ${bar}`, '\r\u001B[K', `\r\u001B[Kchecks ${bar}`]);
  });

  it('shows no stage of quick work, nor when the output is not a terminal', () => {
    for (const isTTY of [true, false]) {
      const texts: string[] = [];
      let now = 0;
      const stages = progressStages({ isTTY, write: (text) => texts.push(text) }, () => now);
      stages('reading')(1, 2);
      now = isTTY ? 10 : 2000;
      stages('checks')(1, 2);
      stages('checks')(2, 2);
      expect(texts).to.deep.equal([]);
    }
  });
});
