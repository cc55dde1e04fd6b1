/** The bridge and its test that `concordat bridge` writes, as a project runs them. */

import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { removeDirectory, temporaryPackage } from '../codegen/generated-contract.js';
import { completed } from '../tools/bridge/pairs/pair.js';
import { payments } from '../tools/bridge/pairs/payments.js';

describe('concordat bridge in a project', function () {
  this.timeout(60_000);
  let directory = '';
  /** Runs a command in the project. @returns what it prints, and whether it succeeds */
  async function run(command: string, ...parameters: readonly string[]): Promise<readonly [string, boolean]> {
    try {
      const { stdout } = await promisify(execFile)(command, parameters, { cwd: directory });
      return [stdout, true];
    } catch (error) {
      return [(error as { readonly stdout: string }).stdout, false];
    }
  }
  const runTest = () => run(process.execPath, '--import', 'tsx', '--test', 'src/v1/bridge.test.ts');

  before(async () => {
    directory = await temporaryPackage();
    await mkdir(join(directory, 'src'));
    await writeFile(join(directory, 'old.yaml'), payments.old);
    await writeFile(join(directory, 'openapi.yaml'), payments.new);
    const [written, isWritten] = await run(
      'npx',
      'concordat',
      'bridge',
      'old.yaml',
      'openapi.yaml',
      '--out',
      'src/v1',
    );
    expect(isWritten).to.equal(true);
    expect(written).to.match(/^wrote src\/v1\/v1\/openapi\.ts\n[^]*wrote src\/v1\/bridge\.test\.ts\n$/);
  });
  after(() => removeDirectory(directory));

  it('its test fails until the bridge is written, and names each function', async () => {
    const [output, isPassed] = await runTest();
    expect(isPassed).to.equal(false);
    expect(output).to.include('Write the response of getPayment');
    expect(output).to.include('GET /payments/{id}');
  });

  it('its test passes when the bridge is written', async () => {
    const bridge = join(directory, 'src/v1/bridge.ts');
    await writeFile(bridge, completed(await readFile(bridge, 'utf8'), payments));
    const [output, isPassed] = await runTest();
    expect(isPassed, output).to.equal(true);
  });
});
