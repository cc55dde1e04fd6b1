/** The list of known deviations in a project. */

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { newDeviations, writeDeviations } from '../../../src/runtime/testing/index.js';

describe('known deviations', () => {
  let directory: string;
  let file: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'concordat-deviations-'));
    file = join(directory, 'concordat.json');
  });
  after(() => rm(directory, { recursive: true }));

  const [a, b, c] = [
    'getA response 200 body/name type',
    'getB request body/x required',
    'getC request query/y type',
  ].map((id) => ({ id })) as [{ id: string }, { id: string }, { id: string }];

  it('are none without a file', async () => {
    expect(await newDeviations(file, [b, a])).to.deep.equal([a.id, b.id]);
  });

  it('are written sorted, one per line, beside the other lists', async () => {
    await writeFile(file, '{"notServed":["getA"]}');
    await writeDeviations(file, [b, a, b]);
    const text = await readFile(file, 'utf8');
    expect(text).to.equal(
      `{\n  "notServed": [\n    "getA"\n  ],\n  "deviations": [\n    "${a.id}",\n    "${b.id}"\n  ]\n}\n`,
    );
    expect(await newDeviations(file, [a, b])).to.deep.equal([]);
    expect(await newDeviations(file, [c, a])).to.deep.equal([c.id]);
    await writeDeviations(file, [a]);
    expect(await newDeviations(file, [a, b])).to.deep.equal([b.id]);
  });

  it('name the file that is no list', async () => {
    for (const text of ['{', '[]', '{"deviations":{}}', '{"deviations":[1]}']) {
      await writeFile(file, text);
      const error = await newDeviations(file, []).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect((error as Error).message).to.equal(
        `${file} must be a JSON object, whose "deviations" are a list of texts`,
      );
    }
  });
});
