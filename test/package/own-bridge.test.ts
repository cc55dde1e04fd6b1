/** The bridge and its test that `concordat bridge` writes, as a project runs them. */

import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { removeDirectory, temporaryPackage } from '../codegen/generated-contract.js';
import { completed } from '../tools/bridge/pairs/pair.js';
import { tickets } from '../tools/bridge/pairs/tickets.js';
import { complaints } from '../codegen/strict-compiler.js';
import { block } from './readme-blocks.js';

describe('concordat bridge in a project', () => {
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
  const runTest = () => run(process.execPath, '--import', 'tsx', '--test', 'src/bridge/bridge.test.ts');

  before(async () => {
    directory = await temporaryPackage();
    await mkdir(join(directory, 'src'));
    const [git = '', command = ''] = block('write a bridge').trim().split('\n');
    const [, file = ''] = / > (\S+)$/.exec(git) ?? [];
    await writeFile(join(directory, file), tickets.old);
    await writeFile(join(directory, 'openapi.yaml'), tickets.new);
    const [program = '', ...words] = command.split(' ');
    const [written, isWritten] = await run(program, ...words);
    expect(isWritten).to.equal(true);
    expect(written).to.match(
      /^wrote src\/bridge\/v1\/openapi\.ts\n[^]*wrote src\/bridge\/bridge\.test\.ts\n$/,
    );
  });
  after(() => removeDirectory(directory));

  it('has the functions that the guide shows', async () => {
    const text = await readFile(join(directory, 'src/bridge/bridge.ts'), 'utf8');
    expect(text.replaceAll(/^ {6}/gm, '')).to.include(block('written bridge'));
  });

  it('its test fails until the bridge is written, and names each function', async () => {
    const [output, isPassed] = await runTest();
    expect(isPassed).to.equal(false);
    expect(output).to.include('Write the request of getTicket');
    expect(output).to.include('GET /tickets/{id}');
  });

  it('its test passes when the bridge is written', async () => {
    const bridge = join(directory, 'src/bridge/bridge.ts');
    await writeFile(bridge, completed(await readFile(bridge, 'utf8'), tickets));
    const [output, isPassed] = await runTest();
    expect(isPassed, output).to.equal(true);
  });
});

describe('guide: keep version 1 alive', () => {
  let directory = '';

  before(async () => {
    directory = await temporaryPackage();
    for (const name of ['openapi-v1.yaml', 'versions.ts'] as const)
      await writeFile(join(directory, name), block(name));
    await promisify(execFile)('sh', ['-e', '-c', block('generate two versions')], { cwd: directory });
  });
  after(() => removeDirectory(directory));

  it('compiles', () => {
    expect(complaints(directory, ['versions.ts'])).to.deep.equal([]);
  });

  it('serves both versions', async () => {
    const source = `import { once } from 'node:events';
import { server } from './versions.ts';
await once(server.listen(0, '127.0.0.1'), 'listening');
for (const path of ['/v1/users/1', '/v2/users/1', '/v1/users/2']) {
  const response = await fetch('http://127.0.0.1:' + server.address().port + path);
  console.log(response.status, response.headers.get('sunset'), response.headers.get('link'), await response.text());
}
server.close();
`;
    await writeFile(join(directory, 'ask.ts'), source);
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', 'ask.ts'], {
      cwd: directory,
    });
    const end = 'Fri, 31 Dec 2027 00:00:00 GMT </v2>; rel="successor-version"';
    expect(stdout.split('\n').map((line) => line.replace(/\{"type".*/, 'a problem'))).to.deep.equal([
      `200 ${end} {"fullname":"Ada Lovelace"}`,
      '200 null null {"name":"Ada Lovelace"}',
      `404 ${end} a problem`,
      '',
    ]);
  });
});
