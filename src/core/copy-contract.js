/** Copies what the compiler leaves out into the build of `@concordat/core`: the contracts, and the document as JSON, also compressed. */

import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { parse } from 'yaml';

const root = new URL('../../', import.meta.url);
const dist = new URL('dist/', import.meta.url);

for (const file of ['openapi.yaml', 'schema.graphql']) cpSync(new URL(file, root), new URL(file, dist));
const json = JSON.stringify(parse(readFileSync(new URL('openapi.yaml', root), 'utf8')));
writeFileSync(new URL('openapi.json', dist), json);
writeFileSync(new URL('openapi.json.br', dist), brotliCompressSync(json));
