/** Starts the service and runs one test file per package on other versions of Node, which npm brings: a step of `.ci/run`. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../architecture/source-tree.js';
import { type Check, runChecks } from './install/checks.js';
import { Project, makePlace } from './install/project.js';
import { serves, succeeds } from './install/run.js';
import { npm, quiet } from './install/tools.js';

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

/** Installs a Node from the package of this platform, which needs no script. @returns its program */
async function installNode(line: string, place: string): Promise<string> {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${platform}-${process.arch}`;
  const project = new Project(place);
  await project.succeeds(npm, ['install', ...quiet, `${name}@${line}`]);
  return join(project.directory, 'node_modules', name, 'bin/node');
}

function checksOn(line: string, node: string, place: string): readonly Check[] {
  const mocha = join(ROOT, 'node_modules/mocha/bin/mocha.js');
  const program = join(ROOT, 'src/service/bin/concordat-service.js');
  return [
    {
      title: `Node ${line} starts the service`,
      run: () => serves(node, [program], new Project(place).directory),
    },
    ...TESTS.map((file) => ({
      title: `Node ${line} passes ${file}`,
      run: () => succeeds(node, [mocha, '--no-parallel', file], ROOT),
    })),
  ];
}

const place = makePlace();
try {
  // A line as the only parameter runs its checks alone.
  const lines = LINES.filter((line) => (process.argv[2] ?? line) === line);
  const checks: Check[] = [];
  for (const line of lines) checks.push(...checksOn(line, await installNode(line, place), place));
  const { passed, failed } = await runChecks(checks);
  console.log(`${String(passed)} checks on other versions of Node passed, ${String(failed)} failed`);
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
} finally {
  rmSync(place, { recursive: true, force: true });
}
