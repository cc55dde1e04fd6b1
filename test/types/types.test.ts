/** What the types of any contract refuse and take, held against the compiler itself: handlers for the fixtures. */

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { type ListedContract, fixture } from '../codegen/contract-list.js';
import { removeDirectory, runCodegen, temporaryPackage } from '../codegen/generated-contract.js';
import { complaints } from '../codegen/strict-compiler.js';
import { type Snippet, snippets } from './snippets.js';

const fixtures: Readonly<Record<Snippet['fixture'], ListedContract>> = {
  bodies: fixture('bodies.openapi-3.1.yaml'),
  responses: fixture('responses.openapi-3.0.yaml'),
  routing: fixture('routing.openapi-3.0.yaml'),
  schemas: fixture('schemas.openapi-3.0.yaml'),
  security: fixture('security.openapi-3.1.yaml'),
  uploads: fixture('uploads.openapi-3.0.yaml'),
};

const fileOf = (index: number): string => `snippet-${String(index)}.ts`;

describe('the generated types', function () {
  this.timeout(60_000);
  let home = '';
  let said: readonly string[] = [];

  // One program for all snippets, because the compiler reads its libraries once for each.
  before(async () => {
    home = await temporaryPackage();
    for (const [name, { file }] of Object.entries(fixtures)) {
      await mkdir(join(home, name));
      await runCodegen({ openapi: file, out: join(home, name) });
    }
    for (const [index, { fixture: name, source }] of snippets.entries()) {
      const types = source.match(/\b(?:Operations|SecuritySchemeName|\w+Response)\b/)?.slice(0, 1) ?? [];
      const imports = `import type { ${types.join(', ')} } from './${name}/operations.js';\n`;
      await writeFile(join(home, fileOf(index)), imports + source);
    }
    said = complaints(
      home,
      snippets.map((_, index) => fileOf(index)),
    );
  });

  after(() => removeDirectory(home));

  it('compile themselves', () => {
    expect(said.filter((line) => !line.startsWith('snippet-'))).to.deep.equal([]);
  });

  for (const [index, { what, refused }] of snippets.entries()) {
    it(`${refused === undefined ? 'take this' : 'refuse this'}: ${what}`, () => {
      const own = said.filter((line) => line.startsWith(`${fileOf(index)}:`));
      if (refused === undefined) {
        expect(own).to.deep.equal([]);
        return;
      }
      const [code, message] = refused;
      expect(own).to.have.lengthOf(1);
      expect(own[0])
        .to.match(/: TS\d+: /)
        .and.include(`: ${code}: `);
      expect(own[0]).to.match(message);
    });
  }
});
