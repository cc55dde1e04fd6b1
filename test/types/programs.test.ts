/** What generated types refuse and take, by the compiler itself, which compiles all programs at once. */

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { fixture } from '../codegen/contract-list.js';
import { runCodegen } from '../codegen/generated-contract.js';
import { complaintsOfMany } from '../codegen/strict-compiler.js';
import { clients } from './clients.js';
import { hooks } from './hooks.js';
import { hosts } from './hosts.js';
import { operations } from './operations.js';
import { outgoing } from './outgoing.js';
import { type Programs, variantsOf } from './programs.js';
import { resolvers } from './resolvers.js';
import { services } from './services.js';
import { type Snippet, snippets } from './snippets.js';
import { streams } from './streams.js';

const HERE = fileURLToPath(new URL('./', import.meta.url));

const PROGRAMS: readonly Programs[] = [
  clients,
  hooks,
  hosts,
  operations,
  outgoing,
  resolvers,
  services,
  streams,
];

/** The contracts of the programs and of single handlers, each generated into a folder of the name before its first dot. */
const FIXTURES = [
  ...PROGRAMS.flatMap(({ fixture = [] }) => fixture),
  'bodies.openapi-3.1.yaml',
  'responses.openapi-3.0.yaml',
  'routing.openapi-3.0.yaml',
  'schemas.openapi-3.0.yaml',
  'security.openapi-3.1.yaml',
  'uploads.openapi-3.0.yaml',
];

const fileOf = (program: number, variant: number): string => `case-${String(program)}-${String(variant)}.ts`;
const snippetFile = (index: number): string => `snippet-${String(index)}.ts`;

function moduleOf({ fixture: name, source }: Snippet): string {
  const types = source.match(/\b(?:Operations|SecuritySchemeName|\w+Response)\b/)?.slice(0, 1) ?? [];
  return `import type { ${types.join(', ')} } from './${name}/operations.js';\n${source}`;
}

describe('TypeScript', () => {
  let said: readonly string[] = [];
  const saidOf = (file: string): readonly string[] => said.filter((line) => line.startsWith(`${file}:`));

  before(async () => {
    const directory = await mkdtemp(join(HERE, 'tmp-'));
    try {
      for (const name of FIXTURES) {
        const out = join(directory, name.replace(/\..*/, ''));
        await mkdir(out);
        await runCodegen({ openapi: fixture(name).file, out, clientTypes: true });
      }
      const sources = [
        ...PROGRAMS.flatMap((each, of) =>
          variantsOf(each).map((text, variant) => [fileOf(of, variant), text] as const),
        ),
        ...snippets.map((each, index) => [snippetFile(index), moduleOf(each)] as const),
        ['service.ts', `export { contract } from '../../../generated/routing.js';`] as const,
      ];
      for (const [name, text] of sources) await writeFile(join(directory, name), text);
      said = complaintsOfMany(
        directory,
        sources.map(([name]) => name),
      );
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  describe('the generated types', () => {
    it('compile themselves, those of fixtures and of the service', () => {
      expect(said.filter((line) => !/^(?:case|snippet)-/.test(line))).to.deep.equal([]);
    });

    for (const [index, { what, refused }] of snippets.entries()) {
      it(`${refused === undefined ? 'take this' : 'refuse this'}: ${what}`, () => {
        const own = saidOf(snippetFile(index));
        if (refused === undefined) {
          expect(own).to.deep.equal([]);
          return;
        }
        const [code, message] = refused;
        expect(own).to.have.lengthOf(1);
        expect(own[0]).to.include(`: ${code}: `).and.match(message);
      });
    }
  });

  for (const [program, { title, refusals }] of PROGRAMS.entries()) {
    describe(title, () => {
      it('let a right program compile', () => {
        expect(saidOf(fileOf(program, 0))).to.deep.equal([]);
      });

      for (const [index, { what, says }] of refusals.entries()) {
        it(`refuse ${what}`, () => {
          expect(saidOf(fileOf(program, index + 1)).join('\n')).to.match(says);
        });
      }
    });
  }
});
