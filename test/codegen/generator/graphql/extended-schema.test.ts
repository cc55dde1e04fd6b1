/** A schema in several files: types of one file extend those of another, wherever a schema is read. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { generate as runGraphqlCodegen } from '@graphql-codegen/cli';
import type { Types } from '@graphql-codegen/plugin-helpers';
import { codegenConfig, generate } from 'concordat';
import { memoryRequest } from '@concordat/runtime';
import { expect } from 'chai';
import { contractsAmong } from '../../../../src/codegen/cli/shared-options.js';
import { ContractError } from '../../../../src/codegen/contract/problems/contract-problem.js';
import { mockGraphql } from '../../../../src/tools/mock/mock-schema.js';

const BASE = 'type Query { lamp: Lamp }\ntype Mutation { light: Lamp! }\ntype Lamp { id: ID! }\n';
const SHELVES = 'extend type Lamp { shelf: Shelf }\ntype Shelf { name: String! }\n';

describe('a schema in several files', () => {
  let directory = '';
  let base = '';
  let shelves = '';
  before(() => {
    directory = mkdtempSync(join(tmpdir(), 'concordat-schema-'));
    base = write('base.graphql', BASE);
    shelves = write('shelves.graphql', SHELVES);
  });
  after(() => {
    rmSync(directory, { recursive: true });
  });

  function write(name: string, text: string): string {
    const file = join(directory, name);
    writeFileSync(file, text);
    return file;
  }

  it('is generated as one, by either program', async () => {
    const files = await generate({ schema: [base, shelves] });
    expect(files['schema.ts'])
      .to.include('light: Lamp!')
      .and.to.match(/type Lamp \{\s+id: ID!\s+shelf: Shelf\s+\}/);
    expect(files['graphql.ts']).to.include("'Lamp.shelf'").and.to.include("'Mutation.light'");
    const config = codegenConfig({ schema: [base, shelves], out: directory });
    const made = (await runGraphqlCodegen(config, false)) as readonly Types.FileOutput[];
    const texts = made.map(({ filename, content }) => [basename(filename), content]);
    expect(Object.fromEntries(texts)).to.deep.equal(files);
  });

  it('has each problem in its own file', async () => {
    const problems = async (text: string): Promise<readonly string[]> => {
      const file = write('broken.graphql', text);
      const error: unknown = await generate({ schema: [base, file] }).catch((reason: unknown) => reason);
      if (!(error instanceof ContractError)) throw error;
      return error.problems.map(
        ({ file: at, line, message }) => `${at.replace(`${directory}/`, '')}:${String(line)} ${message}`,
      );
    };
    expect(await problems('\nextend type Lmp { shelf: String }')).to.deep.equal([
      'broken.graphql:2 Cannot extend type "Lmp" because it is not defined. Did you mean "Lamp"?',
    ]);
    expect(await problems('extend type Lamp { id: ID! }')).to.deep.equal([
      'broken.graphql:1 Field "Lamp.id" can only be defined once.',
    ]);
    expect(await problems('extend type Lamp @key(fields: "id")')).to.deep.equal([
      'broken.graphql:1 nothing makes this schema a subgraph: @key is ignored',
    ]);
    expect(await problems('extend type Lamp {')).to.deep.equal([
      'broken.graphql:1 Syntax Error: Expected Name, found <EOF>.',
    ]);
  });

  it('is mocked', async () => {
    expect(contractsAmong([base, shelves])).to.deep.equal({ schema: [base, shelves] });
    const mock = await mockGraphql([base, shelves]);
    const body = JSON.stringify({ query: '{ lamp { shelf { name } } }' });
    const headers = { 'content-type': 'application/json' };
    const answer = await mock(memoryRequest({ method: 'POST', path: '/graphql', headers, body }));
    expect(JSON.parse(answer.body as string)).to.deep.equal({ data: { lamp: { shelf: { name: 'name' } } } });
    mock.close();
  });
});
