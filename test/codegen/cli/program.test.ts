/** Tests the arguments and the exit codes of `concordat`. */

import { expect } from 'chai';
import { runProgram } from '../../../src/codegen/cli/program.js';
import { runInProcess } from '../../support/run-program.js';

describe('concordat', () => {
  const run = (parameters: readonly string[]) => runInProcess(runProgram, parameters);

  const commands = [
    'generate',
    'check',
    'diff',
    'bridge',
    'mock',
    'verify',
    'record',
    'proxy',
    'coverage',
    'docs',
    'config',
    'init',
  ];
  for (const command of commands) {
    it(`${command} --help shows how it is called`, async () => {
      const { exitCode, stdout, stderr } = await run([command, '--help']);
      expect(exitCode).to.equal(0);
      expect(stderr).to.equal('');
      expect(stdout).to.match(new RegExp(`^Usage: concordat ${command}`));
      expect(stdout).to.match(/Examples:\n {2}\S/);
    });
  }

  it('--help names every command and every exit code', async () => {
    const { stdout } = await run(['--help']);
    const [, list = ''] = /Commands:\n([^]*?)\n\n/.exec(stdout) ?? [];
    const names = [...list.matchAll(/^ {2}([a-z]+)/gm)].map(([, name]) => name);
    expect(names).to.have.members([...commands, 'help']);
    for (const code of ['0', '1', '2', '130']) expect(stdout).to.match(new RegExp(`^  ${code} +\\S`, 'm'));
  });

  it('shows its help without a command', async () => {
    expect(await run([])).to.deep.equal(await run(['help']));
  });

  it('--version is that of the package', async () => {
    expect((await run(['--version'])).stdout).to.match(/^\d+\.\d+\.\d+\n$/);
  });

  const misuses: readonly (readonly [string, readonly string[]])[] = [
    ["Unknown command 'nonsense'", ['nonsense']],
    ["Unknown option '--nonsense'", ['check', '--nonsense']],
    ['a does not exist', ['generate', '--config', 'a', '--openapi', 'b']],
    ['It must be a number from 0 to 65535', ['mock', '--port', '65536']],
    ['--api billing: codegen.ts names no APIs', ['check', '--api', 'billing']],
    ['the file does not exist', ['mock', 'nowhere.yaml']],
    ['the file does not exist', ['mock', 'nowhere.graphql']],
    ['htps://***@localhost is not', ['verify', 'htps://user:secret@localhost']],
  ];
  for (const [message, parameters] of misuses) {
    it(`${parameters.join(' ')} is not how it is called`, async () => {
      const { exitCode, stdout, stderr } = await run(parameters);
      expect(stderr).to.include(message);
      expect(stderr).not.to.match(/^ +at /m);
      expect(stdout).to.equal('');
      expect(exitCode).to.equal(2);
    });
  }

  const failures: readonly (readonly [exitCode: number, error: string, parameters: readonly string[]])[] = [
    [2, "Unknown option '--nonsense'. See concordat check --help.", ['check', '--json', '--nonsense']],
    [2, 'Name an old and a new version of each contract.', ['diff', 'a.yaml', '--json']],
    [2, 'nowhere is not an address', ['verify', 'nowhere', '--json']],
    [2, 'must be at least 1', ['verify', 'http://localhost:1', '--seconds', '0', '--json']],
    [2, 'must be at least 1', ['verify', 'http://localhost:1', '--requests', '0', '--json']],
    [2, 'The file does not exist', ['diff', '--json', 'nowhere.yaml', 'nowhere.yaml']],
    [1, 'The contract has problems.', ['check', '--openapi', 'nowhere.yaml', '--json']],
  ];
  for (const [code, error, parameters] of failures) {
    it(`${parameters.join(' ')} fails in JSON`, async () => {
      const { exitCode, stderr } = await run(parameters);
      expect(exitCode).to.equal(code);
      expect(stderr).to.match(/^[^\n]+\n$/);
      expect((JSON.parse(stderr) as { readonly error: string }).error.toLowerCase()).to.include(
        error.toLowerCase(),
      );
    });
  }

  it('generate --json fails with the problems of the contract, each with its place', async () => {
    const { exitCode, stdout, stderr } = await run(['generate', '--openapi', 'nowhere.yaml', '--json']);
    expect([exitCode, stdout]).to.deep.equal([1, '']);
    expect(JSON.parse(stderr)).to.deep.equal({
      error: 'nowhere.yaml missing-file: the file does not exist',
      problems: [{ fault: 'missing-file', file: 'nowhere.yaml', message: 'the file does not exist' }],
    });
  });

  it('says in one sentence what fails', async () => {
    expect(await run(['check', '--openapi', 'nowhere.yaml'])).to.deep.equal({
      exitCode: 1,
      stdout: '',
      stderr: 'nowhere.yaml missing-file: the file does not exist\n',
    });
  });
});
