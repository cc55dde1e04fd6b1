/**
 * Runs tests: `npm test -- TEXT` those of the files whose path contains a text. `--systems` chooses the tests that need servers or whole
 * processes, and `--all` every test; without them, the others run. `--list` only prints the files. What else begins with a dash goes to mocha.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';

const MODES = ['--systems', '--all'];
const parameters = process.argv.slice(2);
const mode = MODES.find((each) => parameters.includes(each));
const texts = parameters.filter((each) => !each.startsWith('-')).map((each) => each.toLowerCase());
const options = parameters.filter(
  (each) => each.startsWith('-') && !MODES.includes(each) && each !== '--list',
);

const all = readdirSync('test', { recursive: true })
  .filter((path) => path.endsWith('.test.ts') && !path.includes('node_modules'))
  .map((path) => `test/${path}`)
  .sort();
/**
 * Those that start processes in another way, those that need what `npm run build` makes, and those that play whole programs: adoptions, new
 * projects, what packages are to their users, programs of types, services with contracts of their own, and servers that are verified with many
 * contracts.
 */
const SYSTEMS = new RegExp(
  [
    'adoption/',
    'crash/',
    'codegen/(?:complete-graph|drift|cli/(?:generate|init|init-[a-z]+))\\.',
    'http/(?:full-disk|stored-fields)',
    'package/',
    'random-contracts/many-contracts',
    'runtime/transports/any-handler',
    'service/(?:first-answer|mcp|secrets|stored-fields|terminal|production-process|webhooks-command)\\.',
    'tools/(?:bridge/pairs|mock/(?:every-contract|sandbox-contracts)|verify/planted/)',
    'types/',
  ]
    .map((each) => `^test/${each}`)
    .join('|'),
);
/** What starts servers and programs for tests. */
const STARTERS =
  /support\/(?:browser|compiled-service|held-service|nginx-server|pgbouncer-server|postgres-server|pseudo-terminal|redis-server|started-process)\.js/;
/** Those that take longest, which begin first: at the end, they would leave a core idle. */
const FIRST = [
  'types/drift',
  'crash/crash',
  'tools/verify/graphql/verify-graphql',
  'tools/bridge/pairs',
  'simulation/simulation',
].map((name) => `test/${name}.test.ts`);
const place = (file) => FIRST.indexOf(file) + 1 || Infinity;
const isOfSystems = (file) => SYSTEMS.test(file) || STARTERS.test(readFileSync(file, 'utf8'));
// Its suites run on a list of stores, of which those in servers are for `--systems`.
const hasStores = (file) => readFileSync(file, 'utf8').includes('support/stores.js');
const files = all
  .filter((file) => {
    if (mode === '--all') return true;
    return mode === '--systems' ? isOfSystems(file) || hasStores(file) : !isOfSystems(file);
  })
  .filter((file) => texts.length === 0 || texts.some((text) => file.toLowerCase().includes(text)))
  .sort((one, other) => (place(one) === place(other) ? 0 : place(one) - place(other)));

if (files.length === 0) {
  process.stderr.write(`no test file has a path with ${texts.join(' or ')}\n`);
  process.exit(1);
}
if (parameters.includes('--list')) {
  process.stdout.write(files.map((file) => `${file}\n`).join(''));
  process.exit();
}
// What the tests print, which would hide their report.
const output = 'node_modules/.cache/test-output.txt';
mkdirSync('node_modules/.cache', { recursive: true });
writeFileSync(output, '');
const servers = mode === undefined ? [] : ['--require', './test/support/shared-servers.ts'];
const { status } = spawnSync(
  process.execPath,
  [
    'node_modules/mocha/bin/mocha.js',
    '--reporter',
    './.ci/compact-reporter.cjs',
    ...servers,
    ...options,
    ...files,
  ],
  {
    stdio: 'inherit',
    env: { ...process.env, TEST_STORES: (mode ?? '--local').slice(2), TEST_OUTPUT: output },
  },
);
process.exit(status ?? 1);
