/** Starts the service and runs one test file per package on other versions of Node, which come from npm: a step of `.ci/run`. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../architecture/source-tree.js';
import { runChecks } from './install/checks.js';
import { Project, makePlace, runIn } from './install/project.js';
import { npm, quiet } from './install/tools.js';

/** The newest of each line that the packages run on, beside the Node that runs all tests. */
const LINES = [22, 24];

/** A test file per package: each goes through most of its package, and needs no other program. */
const TESTS = [
  'test/runtime/rest/engine.test.ts',
  'test/codegen/contracts.test.ts',
  'test/core/storage/sqlite.test.ts',
  'test/service/shutdown.test.ts',
];

const place = makePlace();
try {
  const nodes = new Project(place);
  const specs = LINES.map((line) => `node${String(line)}@npm:node@${String(line)}`);
  // This package's script links the binary of the platform, and is not needed to find it.
  await nodes.succeeds(npm, ['install', ...quiet, ...specs]);
  const { passed, failed } = await runChecks(LINES.flatMap((line) => checksOn(nodeOf(nodes, line), line)));
  console.log(`${String(passed)} checks of other versions of Node passed, ${String(failed)} failed`);
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
} finally {
  rmSync(place, { recursive: true, force: true });
}
