/** The bundle of a Fetch handler, as a Worker is deployed: small, and without a module of Node. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect } from 'chai';
import { useConsumers } from './consumer.js';
import { installed } from './installed-packages.js';
import { type BlockName, block } from './readme-blocks.js';

const KILOBYTE = 1000;

describe('the bundle of a Fetch handler', function () {
  this.timeout(60_000);
  const consumerWith = useConsumers();

  it('has at most 64 kB, 23 kB compressed, and imports nothing', async () => {
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
    const { metafile } = await build({
      absWorkingDir: team.directory,
      entryPoints: ['worker.ts'],
      outfile: 'bundle.js',
      bundle: true,
      minify: true,
      format: 'esm',
      // Modules of Node are not found on this platform.
      platform: 'neutral',
      mainFields: ['module', 'main'],
      metafile: true,
      logLevel: 'silent',
    });
    const text = readFileSync(join(team.directory, 'bundle.js'));
    const parts = Object.entries(metafile.outputs['bundle.js']?.inputs ?? {});
    const largest = parts
      .sort(([, a], [, b]) => b.bytesInOutput - a.bytesInOutput)
      .slice(0, 20)
      .map(([name, { bytesInOutput }]) => `${String(bytesInOutput)} ${name}`)
      .join('\n');
    expect(text.length, largest).to.be.at.most(64 * KILOBYTE);
    expect(gzipSync(text).length, largest).to.be.at.most(23 * KILOBYTE);
    expect(metafile.outputs['bundle.js']?.imports).to.deep.equal([]);

    const { stdout, stderr: faults } = team.run(`
      import worker from './bundle.js';
      const response = await worker.fetch(new Request('https://example.com/greetings/Ada'), {}, {});
      console.log(response.status, await response.text());
    `);
    expect(stdout, faults).to.equal('200 {"text":"Hello, Ada"}\n');
  });
});
