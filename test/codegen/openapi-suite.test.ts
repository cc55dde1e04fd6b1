/** Holds generation against the documents of the OpenAPI 3.2 schema tests, which lie beside this checkout. */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ContractError, type ContractNotice, type ContractProblem, generate } from 'concordat';
import { expect } from 'chai';
import { describeWith, suitesFolder } from '../support/outside-files.js';

const folder = `${suitesFolder}openapi-3.2/tests/schema`;

/** Documents that refer to places on the web. */
const remotes = {
  'https://example.com/api/openapi.json': {
    components: { externalDocs: { ThingExternalDocs: { type: 'http', scheme: 'basic' } } },
  },
};

/** Documents that keep to the schema of OpenAPI and yet are wrong, with the reason. */
const WRONG: Readonly<Record<string, string>> = {
  'operation-object-example.yaml':
    'its path parameter has another name than the path, and its security scheme is missing',
};

/** The documents that are right, by whether they generate or name an unsupported feature. The first count may only rise. */
const GENERATED = 31;
const PASSING = 37;
const FAILING = 29;

describeWith(folder, 'the OpenAPI 3.2 schema tests in ../shared/suites', () => {
  /** @param notes - gets the notes of a document that generates */
  async function problemsOf(path: string, notes: ContractNotice[] = []): Promise<readonly ContractProblem[]> {
    try {
      await generate({ openapi: join(folder, path), remotes, notice: (each) => notes.push(each) });
      return [];
    } catch (error) {
      if (error instanceof ContractError) return error.problems;
      throw error;
    }
  }

  it(`generate, or name the feature that is not supported: ${PASSING}, of which ${GENERATED} generate`, async () => {
    const files = readdirSync(join(folder, 'pass'));
    let generated = 0;
    for (const file of files) {
      const problems = await problemsOf(`pass/${file}`);
      if (problems.length === 0) generated += 1;
      const faults = problems.filter(({ fault }) => fault !== undefined);
      expect(faults.length > 0, `${file}: ${JSON.stringify(faults)}`).to.equal(file in WRONG);
      for (const { line } of problems) expect(line, file).to.be.above(0);
    }
    expect(files.length).to.be.at.least(PASSING);
    expect(generated).to.be.at.least(GENERATED);
  });

  it(`are refused or noted with their place where they must be: ${FAILING}`, async () => {
    const files = readdirSync(join(folder, 'fail'));
    for (const file of files) {
      const notes: ContractNotice[] = [];
      const problems = await problemsOf(`fail/${file}`, notes);
      const found = problems.length > 0 ? problems : notes;
      expect(found, file).to.not.deep.equal([]);
      for (const { line, pointer } of found) {
        expect(line, file).to.be.above(0);
        expect(pointer, file).to.match(/^#/);
      }
    }
    expect(files.length).to.be.at.least(FAILING);
  });
});
