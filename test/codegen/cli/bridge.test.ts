/** The output and the exit codes of `concordat bridge`, and the module that it writes. */

import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { runProgram } from '../../../src/codegen/cli/program.js';
import { runInProcess } from '../../support/run-program.js';

const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };

function contractOf(version: string, operations: object, key = 'X-Key'): string {
  const securitySchemes = { key: { type: 'apiKey', in: 'header', name: key } };
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'A', version },
    paths: { '/a/{id}': operations },
    components: { securitySchemes },
  });
}

/** The parameters and the answers of an operation. */
function operation(operationId: string, maximum: number, member: string): object {
  const schema = { type: 'object', required: [member], properties: { [member]: { type: 'string' } } };
  return {
    operationId,
    parameters: [id, { name: 'limit', in: 'query', schema: { type: 'integer', maximum } }],
    responses: {
      200: { description: 'It', content: { 'application/json': { schema } } },
      404: { description: 'None' },
    },
  };
}
const removal = { operationId: 'drop-it', parameters: [id], responses: { 204: { description: 'Gone' } } };

describe('concordat bridge', () => {
  let directory = '';
  const at = (name: string): string => join(directory, name);
  const run = (...parameters: readonly string[]) => runInProcess(runProgram, ['bridge', ...parameters]);

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'concordat-bridge-'));
    const put = operation('put', 5, 'c');
    const files = {
      'old.json': contractOf('1.0.0', { get: operation('read', 100, 'a'), put, delete: removal }),
      'new.json': contractOf('2.0.0', { get: operation('get', 50, 'b'), put }, 'X-Api-Key'),
      'same.json': contractOf('1.0.1', { get: operation('read', 100, 'a'), put, delete: removal }),
      'servers.json': contractOf('1.0.1', {
        get: { ...operation('read', 100, 'a'), servers: [{ url: '/b' }] },
        put,
        delete: removal,
      }),
      'harmless.json': contractOf('1.0.0', {
        get: { ...operation('read', 100, 'a'), produces: ['text/plain'] },
        put,
        delete: removal,
      }),
      'shared.json': contractOf('2.0.0', { get: operation('read', 50, 'a'), put, delete: removal }),
      'schema.graphql': 'type Query { a: Int }\n',
    };
    for (const [name, text] of Object.entries(files)) await writeFile(at(name), text);
  });
  after(() => rm(directory, { recursive: true }));

  it('writes a function for each part that differs by its types, or that diff proves to break', async () => {
    const { exitCode, stdout, stderr } = await run(at('old.json'), at('new.json'), '--out', at('bridge'));
    expect([exitCode, stderr]).to.deep.equal([0, '']);
    expect(stdout).to.include(`wrote ${at('bridge/v1/routing.ts')}\n`);
    expect(stdout).to.match(/bridge\.ts\nwrote .*bridge\.test\.ts\n$/);
    const text = await readFile(at('bridge/bridge.ts'), 'utf8');
    expect(text.slice(text.indexOf('    convert:'))).to.equal(`    convert: {
      // GET /a/{id}
      read: {
        to: 'get',
        because: 'request query limit: maximum 100 → 50',
        // request query limit: maximum 100 → 50
        // the old version takes
        //  GET /a/text?limit=100
        // the new version refuses it: 400 query/limit must be <= 50
        request: () => {
          throw new Error('Write the request of read');
        },
        // response body/a is removed that was required
        // the new version gives
        //  GET /a/{id} → 200
        //  content-type: application/json
        //  {"b":"text"}
        // the old version refuses it: body must have required property 'a'
        // response body/b is added and required
        // as above shows
        response: (answer) => {
          if (answer.status !== 200) return answer;
          throw new Error('Write the response of read');
        },
      },
      // DELETE /a/{id}
      'drop-it': {
        handler: () => {
          throw new Error('Write the handler of drop-it');
        },
      },
    },
  });
}
`);
  });

  it('keeps a bridge and a test that are there', async () => {
    const [old, next, out] = [at('old.json'), at('same.json'), at('kept')];
    await run(old, next, '--out', out);
    await writeFile(at('kept/bridge.ts'), 'mine');
    const { exitCode, stdout } = await run(old, next, '--out', out, '--json');
    expect(exitCode).to.equal(0);
    expect(JSON.parse(stdout)).to.deep.equal({
      written: [],
      notes: ['bridge.ts', 'bridge.test.ts'].map((name) => `${join(out, name)} exists, and stays as it is`),
    });
    expect(await readFile(at('kept/bridge.ts'), 'utf8')).to.equal('mine');
  });

  it('has no conversions for a version that changes nothing', async () => {
    await run(at('old.json'), at('same.json'), '--out', at('same'));
    expect(await readFile(at('same/bridge.ts'), 'utf8')).to.include('    convert: {\n    },\n');
  });

  it('accepts a feature that one version has', async () => {
    const accepting = (feature: string) =>
      run(at('old.json'), at('servers.json'), '--out', at('accepted'), '--accept', feature);
    expect((await accepting('servers')).stderr).to.equal('');
    const { exitCode, stderr } = await accepting('xml-form');
    expect(exitCode).to.equal(1);
    expect(stderr).to.include('"xml-form" is accepted, and the contract has no such unsupported feature');
  });

  it('accepts the harmless faults of both versions, and features that only one has, in one folder', async () => {
    const lenient = (...options: readonly string[]) =>
      run(at('harmless.json'), at('servers.json'), '--out', at('lenient'), '--accept', 'servers', ...options);
    const strict = await lenient();
    expect([strict.exitCode, strict.stderr]).to.satisfy(
      ([exitCode, stderr]: [number, string]) => exitCode === 1 && stderr.includes('unexpected-field'),
    );
    const { exitCode, stderr, stdout } = await lenient('--lenient');
    expect([exitCode, stderr]).to.deep.equal([0, '']);
    const folders = stdout
      .split('\n')
      .flatMap((line) => /^wrote (.*)\/(?:v1|v2|bridge)/.exec(line)?.[1] ?? []);
    expect([...new Set(folders)]).to.deep.equal([at('lenient')]);
  });

  it('shows the proof of a break once, and refers to it in the other operations', async () => {
    await run(at('old.json'), at('shared.json'), '--out', at('shared'));
    const bridge = await readFile(at('shared/bridge.ts'), 'utf8');
    expect(bridge.match(/the new version refuses it: .*limit must be <= 50/g)).to.have.lengthOf(1);
  });

  const misuses: readonly (readonly [string, string, string])[] = [
    [
      'none.json',
      'new.json',
      'none.json is no file with an OpenAPI document; git show writes one of a revision',
    ],
    [
      'old.json',
      'schema.graphql',
      'schema.graphql is no file with an OpenAPI document; git show writes one of a revision',
    ],
  ];
  for (const [old, next, sentence] of misuses) {
    it(`writes nothing for ${old} and ${next}`, async () => {
      const { exitCode, stdout, stderr } = await run(at(old), at(next), '--out', at('none'));
      expect([exitCode, stdout, stderr]).to.deep.equal([2, '', `${directory}/${sentence}\n`]);
      expect(existsSync(at('none'))).to.equal(false);
    });
  }

  it('writes into no file', async () => {
    const { exitCode, stderr } = await run(at('old.json'), at('new.json'), '--out', at('new.json'));
    expect([exitCode, stderr]).to.deep.equal([2, `${at('new.json')} is no folder\n`]);
  });
});
