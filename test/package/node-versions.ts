/**
 * Starts the service and a CommonJS project, and runs one test file per package, on other versions of Node, and on graphql 16, which npm
 * brings to Node 20: a step of `.ci/run`.
 */

import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../architecture/source-tree.js';
import { type Check, runChecks } from './install/checks.js';
import { answers } from './install/new-projects.js';
import { Project, makePlace } from './install/project.js';
import { serves, succeeds } from './install/run.js';
import { npm, packPackages, quiet } from './install/tools.js';

/** The lines of Node that the packages run on, beside that of the Node which runs all tests. */
const LINES = ['20', '22', '24'].filter((line) => !process.versions.node.startsWith(`${line}.`));

/** A file of tests per package, each of which goes through most of its package. */
const TESTS = [
  'test/runtime/rest/rest-engine.test.ts',
  'test/codegen/generate.test.ts',
  'test/core/storage/sqlite.test.ts',
  'test/core/storage/sqlite-driver.test.ts',
  'test/service/masked-graphql.test.ts',
];

/** What asks graphql itself to execute or to read a schema, beside the files of each package. */
const GRAPHQL_TESTS = [
  'test/runtime/graphql/graphql-values.test.ts',
  'test/runtime/graphql/compiler/query-compiler.test.ts',
  'test/runtime/graphql/graphql-engine.test.ts',
  'test/runtime/graphql/execution-limits.test.ts',
  'test/http/graphql-subscriptions.test.ts',
  'test/http/graphql-sse.test.ts',
];

/** Installs a Node from the package of this platform, which needs no script. @returns its program */
async function installNode(line: string, place: string): Promise<string> {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${platform}-${process.arch}`;
  const project = new Project(place);
  await project.succeeds(npm, ['install', ...quiet, `${name}@${line}`]);
  return join(project.directory, 'node_modules', name, 'bin/node');
}

/** Starts a project of CommonJS modules from the packed packages, and builds it. @returns its folder */
async function commonJsProject(place: string): Promise<string> {
  const tarballs = await packPackages(place);
  const project = new Project(place);
  const folder = dirname(tarballs.get('concordat') ?? '');
  await project.succeeds(join(ROOT, 'src/codegen/bin/concordat.js'), [
    ...['init', '--host', 'node', '--packages', folder],
  ]);
  await project.succeeds(npm, ['install', ...quiet]);
  await project.succeeds(npm, ['run', 'build']);
  return project.directory;
}

function checksOn(line: string, node: string, place: string, commonJs: string): readonly Check[] {
  const mocha = join(ROOT, 'node_modules/mocha/bin/mocha.js');
  const program = join(ROOT, 'src/service/bin/concordat-service.js');
  return [
    {
      title: `Node ${line} starts the service`,
      run: () => serves(node, [program], new Project(place).directory),
    },
    {
      title: `Node ${line} runs the tests of a CommonJS project, and its server`,
      run: async () => {
        const tests = ['test/rest.test.ts', 'test/graphql.test.ts'];
        await succeeds(node, ['--import', 'tsx', '--test', ...tests], commonJs);
        await answers(commonJs, node);
      },
    },
    ...TESTS.map((file) => ({
      title: `Node ${line} passes ${file}`,
      run: () => succeeds(node, [mocha, '--no-parallel', file], ROOT),
    })),
  ];
}

/** The checks on graphql 16, which is what npm installs where graphql 17 does not promise to run. */
async function checksOnGraphql16(place: string): Promise<readonly Check[]> {
  const project = new Project(place);
  await project.succeeds(npm, ['install', ...quiet, 'graphql@16']);
  const hook = new URL('other-graphql.mjs', import.meta.url);
  hook.searchParams.set('folder', project.directory);
  const mocha = join(ROOT, 'node_modules/mocha/bin/mocha.js');
  return [...TESTS, ...GRAPHQL_TESTS].map((file) => ({
    title: `graphql 16 passes ${file}`,
    run: () =>
      succeeds(process.execPath, [mocha, '--no-parallel', file], ROOT, {
        NODE_OPTIONS: `--import=${hook.href}`,
      }),
  }));
}

const place = makePlace();
try {
  // A line as the only parameter runs its checks alone.
  const lines = LINES.filter((line) => (process.argv[2] ?? line) === line);
  const commonJs = await commonJsProject(place);
  const checks: Check[] = [];
  for (const line of lines) {
    const node = await installNode(line, place);
    checks.push(...checksOn(line, node, place, commonJs));
  }
  if (process.argv[2] === undefined) checks.push(...(await checksOnGraphql16(place)));
  const { passed, failed } = await runChecks(checks);
  console.log(`${String(passed)} checks on other versions of Node passed, ${String(failed)} failed`);
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
} finally {
  rmSync(place, { recursive: true, force: true });
}
