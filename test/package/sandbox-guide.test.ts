/** The guide of the sandbox, block by block. */

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { runProgram } from '../../src/codegen/cli/program.js';
import { whileMocking } from '../tools/mock/mock-server.js';
import { Sink } from '../support/run-program.js';
import { useConsumers } from './consumer.js';
import { programCommands } from './installed-packages.js';
import { type BlockName, block, blockAt } from './readme-blocks.js';

const run = promisify(execFile);

describe('the guide of the sandbox', () => {
  const consumerWith = useConsumers();
  let directory: string;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'concordat-sandbox-'));
    for (const name of ['notebook.yaml', 'overlay.yaml', 'notebook.graphql', 'notebook.json'] as const)
      await writeFile(join(directory, name), block(name));
  });
  after(() => rm(directory, { recursive: true }));

  const explained = async (file: string): Promise<string> => {
    const stdout = new Sink();
    const untilStopped = (): Promise<void> => Promise.reject(new Error('it serves'));
    const terminal = { stdin: Readable.from([]), stdout, stderr: new Sink(), env: {}, untilStopped };
    expect(await runProgram(['mock', join(directory, file), '--explain'], terminal)).to.equal(0);
    return stdout.text;
  };

  /** Runs the command of a block, and the requests of another one. @returns their answers */
  async function answersOf(name: BlockName, requests: BlockName): Promise<string> {
    const [[program, command, ...parameters]] = programCommands(block(name)) as [string[]];
    expect([program, command]).to.deep.equal(['concordat', 'mock']);
    const port = parameters.indexOf('--port');
    const own = parameters.filter((_, index) => index !== port && index !== port + 1);
    const files = own.map((each) => (/^\w+\.\w+$/.test(each) ? join(directory, each) : each));
    const answers: string[] = [];
    await whileMocking(files, async (url) => {
      const lines = blockAt(requests, Number(new URL(url).port))
        .trim()
        .split('\n');
      for (const line of lines) answers.push((await run('sh', ['-c', line])).stdout);
    });
    return `${answers.filter((each) => each !== '').join('\n')}\n`;
  }

  it('shows a sandbox that remembers', async () => {
    expect(await answersOf('sandbox', 'sandbox requests')).to.equal(block('sandbox answers'));
  });

  it('shows both contracts on the same records', async () => {
    expect(await answersOf('sandbox of both', 'requests of both')).to.equal(block('answers of both'));
  });

  it('shows first and last records', async () => {
    expect(await answersOf('seeded sandbox', 'control requests')).to.equal(block('control answers'));
    expect(JSON.parse(await readFile(join(directory, 'notebook.json'), 'utf8'))).to.deep.equal({
      notes: [{ id: 1, text: 'Call Cy' }],
    });
  });

  it('says what it infers, and corrects it', async () => {
    expect(programCommands(block('explain'))).to.deep.equal([
      ['concordat', 'mock', 'notebook.yaml', '--explain'],
    ]);
    expect(await explained('notebook.yaml')).to.equal(block('explanation'));
    expect(await explained('overlay.yaml')).to.include('GET /latest: read notes (');
  });

  it('has a sandbox in a test', () => {
    const team = consumerWith(['@concordat/tools', '@concordat/runtime', '@types/node']);
    for (const name of ['notebook.yaml', 'notebook.ts'] as const) team.write(name, block(name));
    expect(team.typeProblems('notebook.ts')).to.deep.equal([]);
    team.compile('notebook.ts', '.');
    expect(team.node('notebook.js').stdout).to.equal('{"id":1,"text":"Call Ada"}\n');
  });
});
