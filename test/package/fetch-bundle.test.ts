/** The bundle of a Fetch handler, as a Worker is deployed: small, and without a module of Node. */

import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { bundleOf, largestParts } from '../support/bundle.js';
import { useConsumers } from './consumer.js';
import { installed } from './installed-packages.js';
import { type BlockName, block } from './readme-blocks.js';

const KILOBYTE = 1000;

describe('the bundle of a Fetch handler', () => {
  const consumerWith = useConsumers();

  it('has at most 68 kB, 25 kB compressed, and imports nothing', async () => {
    const team = consumerWith(installed(block('install the runtime')).flatMap(({ names }) => names));
    const names: readonly BlockName[] = ['openapi.yaml', 'engine.ts', 'worker.ts'];
    for (const name of names) team.write(name, block(name));
    const { status, stderr } = team.node(
      'node_modules/.bin/concordat',
      'generate',
      '--openapi',
      'openapi.yaml',
    );
    expect(status, stderr).to.equal(0);
    const bundle = await bundleOf("export { default } from './worker.js'", team.directory);
    team.write('bundle.js', bundle.text);
    expect(bundle.text.length, largestParts(bundle)).to.be.at.most(68 * KILOBYTE);
    expect(gzipSync(bundle.text).length, largestParts(bundle)).to.be.at.most(25 * KILOBYTE);
    expect(Object.values(bundle.metafile.outputs).flatMap(({ imports }) => imports)).to.deep.equal([]);

    const { stdout, stderr: faults } = team.run(`
      import worker from './bundle.js';
      const response = await worker.fetch(new Request('https://example.com/greetings/Ada'), {}, {});
      console.log(response.status, await response.text());
    `);
    expect(stdout, faults).to.equal('200 {"text":"Hello, Ada"}\n');
  });
});
