/** The copies of bodies: bounded alone and together, and released. */

import { expect } from 'chai';
import { BodySample, SampleMemory } from '../../../src/runtime/observe/body-sample.js';

describe('observe: samples of bodies', () => {
  it('keep the beginning of a body, as text or as bytes', async () => {
    const sample = new BodySample(10, new SampleMemory(100));
    sample.add('héll');
    sample.add(Buffer.from('o w'));
    expect([sample.isCut, sample.text()]).to.deep.equal([false, 'héllo w']);
    expect(await sample.whole(undefined)).to.deep.equal(new TextEncoder().encode('héllo w'));
    sample.add('orld, and more');
    expect([sample.isCut, sample.text(), sample.size]).to.deep.equal([true, 'héllo worl', 10]);
    expect(await sample.whole(undefined)).to.equal('unread');
  });

  it('are not changed by a server that uses its buffer again', () => {
    const sample = new BodySample(10, new SampleMemory(100));
    const buffer = Buffer.from('first');
    sample.add(buffer);
    buffer.fill('x');
    expect(sample.text()).to.equal('first');
  });

  it('share one memory, which they release', () => {
    const memory = new SampleMemory(25);
    const samples = [1, 2, 3].map(() => new BodySample(10, memory));
    for (const sample of samples) sample.add('ten bytes!');
    expect(samples.map(({ isCut }) => isCut)).to.deep.equal([false, false, true]);
    samples[0]?.release();
    samples[0]?.release();
    const next = new BodySample(10, memory);
    next.add('ten bytes!');
    expect(next.isCut).to.equal(false);
    const last = new BodySample(10, memory);
    last.add('ten bytes!');
    expect(last.isCut).to.equal(true);
  });

  it('do not grow when they are decompressed', async () => {
    const { gzipSync, brotliCompressSync } = await import('node:zlib');
    const text = '{"a":1}';
    for (const [coding, bytes] of [
      ['gzip', gzipSync(text)],
      ['br', brotliCompressSync(text)],
      ['gzip, Br', brotliCompressSync(gzipSync(text))],
    ] as const) {
      const sample = new BodySample(1000, new SampleMemory(5000));
      sample.add(bytes);
      expect(Buffer.from((await sample.whole(coding)) as Uint8Array).toString()).to.equal(text);
      expect(await sample.whole('other')).to.equal('unread');
    }
    const bomb = new BodySample(5000, new SampleMemory(5000));
    bomb.add(gzipSync('x'.repeat(100_000)));
    expect(bomb.isCut).to.equal(false);
    expect(await bomb.whole('gzip')).to.equal('unread');
    expect(await bomb.whole('gzip', 100_000)).to.have.lengthOf(100_000);
    const faulty = new BodySample(100, new SampleMemory(5000));
    faulty.add('no gzip');
    expect(await faulty.whole('gzip')).to.equal('unread');
  });
});
