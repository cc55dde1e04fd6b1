/** The command and the report in the generator's README that verify a server: run against a server with a fault. */

import { expect } from 'chai';
import { runProgram } from '../../src/codegen/cli/program.js';
import { TOKEN, notebookServer } from '../tools/verify/openapi/notebook-server.js';
import { runInProcess } from '../support/run-program.js';
import { libraryServer } from '../tools/verify/graphql/library-server.js';
import { block } from './readme-blocks.js';

const EXAMPLE = 'http://localhost:3000';

describe('README: verify a server', () => {
  it('shows what the command tells of a fault', async () => {
    const server = await notebookServer();
    server.fault = 'a limit is not bounded';
    const [npx, program, ...parameters] = block('verify')
      .trim()
      .replace('openapi.yaml', 'test/tools/verify/openapi/notebook.yaml')
      .replace('"$TOKEN"', TOKEN)
      .replace(EXAMPLE, server.url)
      .split(' ');
    expect([npx, program]).to.deep.equal(['npx', 'concordat']);
    const { exitCode, stdout } = await runInProcess(runProgram, parameters);
    server.stop();
    expect(exitCode).to.equal(1);
    const [line = '', curl = ''] = stdout.replaceAll(server.url, EXAMPLE).split('\n');
    expect(block('verify report')).to.include(`${line}\n${curl}\n  200 {"notes":[`);
  });

  it('shows what the command tells of a fault of a GraphQL server', async () => {
    const server = await libraryServer();
    server.fault = 'an enum has another value';
    const [, , ...parameters] = block('verify schema')
      .trim()
      .replace('schema.graphql', 'test/tools/verify/graphql/library.graphql')
      .replace('"Bearer $TOKEN"', 'Bearer-token')
      .replace(EXAMPLE, server.url)
      .split(' ');
    const { exitCode, stdout } = await runInProcess(runProgram, [...parameters, '--requests', '100']);
    server.stop();
    expect(exitCode).to.equal(1);
    const report = stdout
      .replaceAll(server.url, EXAMPLE)
      .replace(/ \(\d+ times\)$/m, '')
      .split('\n');
    expect(report.slice(0, 3)).to.deep.equal(block('verify schema report').trimEnd().split('\n'));
  });
});
