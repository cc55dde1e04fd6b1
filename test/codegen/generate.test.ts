/** `generate()`: the text of each file by its name, from either contract or both, and from documents that are not files. */

import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate as runGraphqlCodegen } from '@graphql-codegen/cli';
import type { Types } from '@graphql-codegen/plugin-helpers';
import { codegenConfig, generate } from 'concordat';
import { expect } from 'chai';
import { ROOT } from '../architecture/source-tree.js';
import { schemas } from './contract-list.js';
import { bodyOf, schemaOf, textOf } from './written-contract.js';
import { ERASABLE, complaints } from './strict-compiler.js';

const REST = ['openapi.ts', 'operations.ts', 'response-validators.ts', 'routing.ts', 'validators.ts'];
const GRAPHQL = ['constraints.ts', 'graphql.ts', 'schema.ts'];

describe('generate()', () => {
  let directory = '';
  let openapi = '';
  const schema = schemas[0]?.file ?? '';

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'concordat-generate-'));
    openapi = join(directory, 'openapi.json');
    await writeFile(
      openapi,
      textOf(bodyOf('application/json', { schema: { type: 'string', format: 'date' } })),
    );
  });
  afterEach(() => rm(directory, { recursive: true }));

  it('returns the files of the given contracts', async () => {
    const [rest, graphql, both] = await Promise.all([
      generate({ openapi }),
      generate({ schema }),
      generate({ openapi, schema }),
    ]);
    expect(Object.keys(rest).sort()).to.deep.equal(REST);
    expect(Object.keys(graphql).sort()).to.deep.equal(GRAPHQL);
    expect(both).to.deep.equal({ ...rest, ...graphql });
  });

  it('writes the types of paths, and the standard schemas, only where they are asked for', async () => {
    await writeFile(openapi, textOf(schemaOf({ type: 'object', properties: { a: { type: 'string' } } })));
    const least = await generate({ openapi });
    expect(Object.keys(least).sort()).to.deep.equal(REST);
    const exported = (text = '') => [...text.matchAll(/^export \w+ (\w+)/gm)].map(([, name]) => name);
    expect(exported(least['openapi.ts'])).to.deep.equal(['components', 'A']);
    const all = await generate({ openapi, clientTypes: true, standardSchemas: true });
    expect(Object.keys(all).sort()).to.deep.equal([...REST, 'standard-schemas.ts'].sort());
    expect(exported(all['openapi.ts'])).to.include.members([
      'paths',
      'webhooks',
      'components',
      'operations',
      'A',
    ]);
    // What no file imports is not exported.
    expect(least['validators.ts']?.length).to.be.at.most(all['validators.ts']?.length ?? 0);
  });

  it('asks for a contract, and for one that the acceptances are of', async () => {
    const failureOf = (reason: unknown) => String(reason);
    expect(await generate({}).catch(failureOf)).to.equal(
      'Error: generate: name an openapi document, a GraphQL schema, or both',
    );
    expect(await generate({ schema, accept: ['servers'] }).catch(failureOf)).to.match(
      /unused-acceptance: "servers" is accepted, and the contract has no such unsupported feature$/,
    );
  });

  it('checks formats, or takes them for annotations, known or not', async () => {
    const asserted = await generate({ openapi });
    const annotated = await generate({ openapi, formats: 'annotate' });
    expect(asserted['validators.ts']).to.include('date');
    expect(annotated['validators.ts']).not.to.include('date');
    expect(annotated['openapi.ts']).to.equal(asserted['openapi.ts']);
    await writeFile(
      openapi,
      textOf(bodyOf('application/json', { schema: { type: 'string', format: 'postcode' } })),
    );
    expect(Object.keys(await generate({ openapi, formats: 'annotate' })).sort()).to.deep.equal(REST);
  });

  it('imports files as Node needs them when it removes the types itself', async () => {
    const schema = { type: 'string', format: 'date', maxLength: 10 };
    await writeFile(openapi, textOf(bodyOf('application/json', { schema })));
    const options = { openapi, values: { date: 'Date' } } as const;
    const [js, ts] = [await generate(options), await generate({ ...options, importExtension: '.ts' })];
    const values = (files: Readonly<Record<string, string>>) =>
      files['routing.ts']?.match(/^import \* as .*$/gm);
    expect(values(js)).to.deep.equal([
      'import * as check from "./validators.js";',
      'import * as value from "./values.js";',
    ]);
    expect(values(ts)).to.deep.equal([
      'import * as check from "./validators.ts";',
      'import * as value from "./values.ts";',
    ]);
    for (const [name, text] of Object.entries(ts)) await writeFile(join(directory, name), text);
    await writeFile(join(directory, 'package.json'), '{ "type": "module" }');
    await symlink(join(ROOT, 'node_modules'), join(directory, 'node_modules'));
    const settings = { allowImportingTsExtensions: true, ...ERASABLE };
    expect(complaints(directory, ['routing.ts'], settings)).to.deep.equal([]);
  });

  for (const uri of ['https://schemas.invalid/parts.json', 'urn:example:parts']) {
    it(`follows a reference to ${uri} into the document that it is given`, async () => {
      await writeFile(
        openapi,
        textOf(bodyOf('application/json', { schema: { $ref: `${uri}#/$defs/Name` } })),
      );
      const remotes = {
        [uri]: {
          $defs: {
            Name: { type: 'object', properties: { first: { $ref: '#/$defs/Text' } }, required: ['first'] },
            Text: { type: 'string', maxLength: 77 },
          },
        },
      };
      const { 'validators.ts': validators, 'openapi.ts': types } = await generate({ openapi, remotes });
      expect(validators).to.include('"first"').and.include('77');
      expect(types).to.include('first: Text;');
    });
  }

  it('names a problem in a document without a file by its URI', async () => {
    const uri = 'https://schemas.invalid/parts.json';
    await writeFile(openapi, textOf(bodyOf('application/json', { schema: { $ref: uri } })));
    const remotes = { [uri]: { type: 'string', pattern: '(' } };
    const failure = await generate({ openapi, remotes }).catch((reason: unknown) => String(reason));
    expect(failure).to.match(
      /^ContractError: https:\/\/schemas\.invalid\/parts\.json:3:3 unsupported feature bad-pattern at #\/components\/schemas\/parts\/pattern: /,
    );
  });

  for (const { name, file } of schemas) {
    it(`makes of ${name} what graphql-codegen makes with the same options`, async () => {
      const options = {
        schema: file,
        resolvers: { contextType: './context.js#Context', immutableTypes: true },
      };
      // Our declarations do not name the types of graphql-codegen, which not every consumer has.
      const config = codegenConfig({ ...options, out: directory }) as Types.Config;
      await runGraphqlCodegen({ ...config, silent: true });
      for (const [written, text] of Object.entries(await generate(options))) {
        expect(await readFile(join(directory, written), 'utf8'), written).to.equal(text);
      }
    });
  }
});
