/** The contracts that the service serves: the bytes of the files as they are written. */

import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { useWatched } from './watched-service.js';

describe('the contracts', () => {
  const service = useWatched();

  for (const name of ['schema.graphql', 'openapi.yaml']) {
    it(`are served byte for byte: ${name}`, async () => {
      const answer = await fetch(`${service().url}/${name}`);
      const file = await readFile(new URL(`../../../${name}`, import.meta.url));
      expect(Buffer.from(await answer.arrayBuffer()).equals(file)).to.equal(true);
    });
  }
});
