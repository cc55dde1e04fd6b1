/**
 * What attacks do to the service: `npm run bench -- attacks [name …]`. During each, the memory of the process may grow by 128 MB
 * at most, and `/healthz` answers within 500 ms. A query that reaches a limit takes 100 ms of CPU until it is answered at most,
 * and others wait for 50 ms at once at most.
 */

import { graphqlAliases } from './attacks/graphql-aliases.js';
import { graphqlEnds } from './attacks/graphql-ends.js';
import { pipelining } from './attacks/pipelining.js';
import { signUps } from './attacks/sign-ups.js';
import { sockets } from './attacks/sockets.js';

const ATTACKS: Readonly<Record<string, () => Promise<void>>> = {
  'graphql-aliases': graphqlAliases,
  'graphql-ends': graphqlEnds,
  pipelining,
  'sign-ups': signUps,
  sockets,
};

const names = process.argv.slice(2);
for (const [name, attack] of Object.entries(ATTACKS)) {
  if (names.length > 0 && !names.includes(name)) continue;
  console.log(`\n-- ${name}`);
  await attack();
}
