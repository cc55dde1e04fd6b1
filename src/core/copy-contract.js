/** Copies what the compiler leaves out into the build of `@concordat/core`: the contracts. */

import { cpSync } from 'node:fs';

const root = new URL('../../', import.meta.url);
const dist = new URL('dist/', import.meta.url);

for (const file of ['openapi.yaml', 'schema.graphql']) cpSync(new URL(file, root), new URL(file, dist));
