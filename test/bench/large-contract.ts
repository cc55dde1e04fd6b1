/**
 * The cost of a large contract: the time to generate from it, and from `node` to the first answer of a server on it.
 * `npm run bench -- large-contract <openapi file> [accepted feature …]`.
 */

import { median } from './compare.js';
import { type FirstAnswer, firstAnswer } from './first-answer.js';
import { generateServer } from './large-contract/generate-server.js';

const ROUNDS = 5;

const [openapi, ...accept] = process.argv.slice(2);
if (openapi === undefined) throw new Error('name an OpenAPI file');

const server = await generateServer(openapi, accept);
try {
  console.log(`generated in ${server.seconds.toFixed(1)} s`);
  for (const [name, size] of server.sizes) {
    if (size > 100_000) console.log(`  ${name}: ${(size / 1e6).toFixed(1)} MB`);
  }
  const starts: FirstAnswer[] = [];
  for (let round = 0; round < ROUNDS; round += 1) starts.push(await firstAnswer([server.file], '/'));
  const milliseconds = median(starts.map((each) => each.milliseconds));
  const mebibytes = median(starts.map((each) => each.mebibytes));
  console.log(
    `first answer ${milliseconds.toFixed(0)} ms after node starts; ${mebibytes.toFixed(0)} MiB resident`,
  );
} finally {
  await server.remove();
}
