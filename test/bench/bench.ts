/**
 * `npm run bench`, after `npm run build`: runs all benchmarks in turn, or a single one
 * with its options: `npm run bench -- peers --rounds 9`. Figures depend on the machine; ratios much less so.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The benchmarks by file name, with a description of each. */
const BENCHMARKS: Readonly<Record<string, string>> = {
  peers:
    'the core, the whole service, GraphQL and subscriptions beside those of other frameworks, in one table',
  growth: 'what work costs among more operations, rows, subscribers, connections, bytes and processes',
  operations:
    'restarts behind nginx under load, posts of several processes, 10,000 subscribers: -- operations [restarts|posts|subscribers]',
  crashes: 'repeated requests after `kill -9` have one effect, and stored writes one event, 200 times',
  webhooks:
    'creating a user with an outbox, without a receiver and with a webhook, beside the same without: -- webhooks [--only SQLite]',
  'schema-checks': "generated checks beside Ajv's own code: -- schema-checks [openapi file …]",
};

async function run(name: string, options: readonly string[]): Promise<void> {
  console.log(`\n== ${name}: ${BENCHMARKS[name] ?? ''}`);
  const file = fileURLToPath(new URL(`${name}.ts`, import.meta.url));
  const child = spawn(
    process.execPath,
    ['--conditions=@concordat/source', '--import', 'tsx', file, ...options],
    { stdio: 'inherit' },
  );
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) process.exitCode = 1;
}

const [name, ...options] = process.argv.slice(2);
if (name === undefined) {
  for (const each of Object.keys(BENCHMARKS)) await run(each, []);
} else if (Object.hasOwn(BENCHMARKS, name)) {
  await run(name, options);
} else {
  console.error(`There is no benchmark ${name}; there are:`);
  for (const [each, what] of Object.entries(BENCHMARKS)) console.error(`  ${each.padEnd(16)}${what}`);
  process.exitCode = 2;
}
