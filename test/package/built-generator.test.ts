/** The built generator, which has parts of TypeScript within it, writes what the sources write with the whole of it. */

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { generate } from 'concordat';
import { expect } from 'chai';
import { ROOT } from '../architecture/source-tree.js';
import { contracts, schemas } from '../codegen/contract-list.js';
import { someOf } from '../support/budget.js';

describe('the built generator', () => {
  let built: { readonly generate: typeof generate };
  before(async () => {
    const file = join(ROOT, 'src/codegen/dist/index.js');
    built = (await import(pathToFileURL(file).href)) as typeof built;
    expect(built.generate, 'npm run build').not.to.equal(generate);
  });

  for (const { name, file: openapi, accept } of someOf(contracts, 4)) {
    it(`writes the same for ${name}`, async () => {
      const options = { openapi, accept, clientTypes: true };
      expect(await built.generate(options)).to.deep.equal(await generate(options));
    });
  }

  for (const { name, file: schema } of someOf(schemas, 2)) {
    it(`writes the same for ${name}`, async () => {
      expect(await built.generate({ schema })).to.deep.equal(await generate({ schema }));
    });
  }
});
