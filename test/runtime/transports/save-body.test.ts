/** Uploads on disk: whole, limited, and never half. */

import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Problem } from '../../../src/runtime/index.js';
import { saveBody } from '../../../src/runtime/transports/node.js';

async function* pieces(texts: readonly string[], failure?: Error): AsyncGenerator<Uint8Array, void, void> {
  for (const text of texts) yield Buffer.from(text);
  await Promise.resolve();
  if (failure !== undefined) throw failure;
}

describe('saveBody', () => {
  let directory = '';
  const file = (): string => join(directory, 'upload');
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'concordat-save-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  const failureOf = (body: AsyncIterable<Uint8Array>, limit: number): Promise<unknown> =>
    saveBody(body, file(), limit).then(
      () => undefined,
      (error: unknown) => error,
    );

  it('writes a body, and tells its size', async () => {
    expect(await saveBody(pieces(['ab', 'cde']), file(), 5)).to.equal(5);
    expect(await readFile(file(), 'utf8')).to.equal('abcde');
  });

  it('leaves nothing of a body that is too long or breaks off', async () => {
    const tooLong = await failureOf(pieces(['ab', 'cde']), 4);
    expect(tooLong).to.be.instanceOf(Problem).and.to.include({ status: 413 });
    expect(existsSync(file())).to.equal(false);
    const broken = new Error('broken off');
    expect(await failureOf(pieces(['ab'], broken), 4)).to.equal(broken);
    expect(existsSync(file())).to.equal(false);
  });

  it('never writes over a file', async () => {
    await writeFile(file(), 'before');
    expect(await failureOf(pieces(['ab']), 4)).to.include({ code: 'EEXIST' });
    expect(await readFile(file(), 'utf8')).to.equal('before');
  });
});
