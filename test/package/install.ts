/** Packs the five packages and uses them as their readers do, from npm's registry: the step of `.ci/run` that needs a network. */

import { spawn } from 'node:child_process';
import { packages } from './packages.js';
import { type Check, runChecks } from './install/checks.js';
import { debianChecks } from './install/debian.js';
import { clientChecks } from './install/clients.js';
import { newProjectChecks } from './install/new-projects.js';
import { programChecks } from './install/programs.js';
import { Project, makePlace } from './install/project.js';
import { type Workshop, readmeInstalls } from './install/readme-installs.js';
import { installTools, packPackages } from './install/tools.js';
import { typeChecks } from './install/type-checks.js';

/** What publint and are-the-types-wrong say of each tarball. Files that are no code have no types. */
function lintChecks({ place, tool, tarballs }: Workshop): readonly Check[] {
  return packages.flatMap(({ manifest: { name, exports } }) => {
    const tarball = tarballs.get(name) ?? name;
    const files = Object.keys(exports).filter((subpath) => /\.(?:yaml|graphql)$/.test(subpath));
    const without = files.length > 0 ? ['--exclude-entrypoints', ...files] : [];
    return [
      {
        title: `publint finds nothing in ${name}`,
        run: () => new Project(place).succeeds(tool('publint'), [tarball, '--strict']),
      },
      {
        title: `are-the-types-wrong finds nothing in ${name}`,
        run: () =>
          new Project(place).succeeds(tool('attw'), [
            tarball,
            '--profile',
            'esm-only',
            '--format',
            'ascii',
            '--no-color',
            ...without,
          ]),
      },
    ];
  });
}

const place = makePlace();
try {
  const [tool, tarballs] = [await installTools(place), await packPackages(place)];
  const workshop: Workshop = { place, tool, tarballs };
  // A part of a title as the first parameter runs those checks alone; `--quick` leaves out what takes half of the time.
  const [part = ''] = process.argv.slice(2);
  const isQuick = part === '--quick';
  const checks = [
    ...lintChecks(workshop),
    ...programChecks(workshop),
    ...newProjectChecks(workshop, isQuick),
    ...typeChecks(workshop, isQuick),
    ...clientChecks(workshop),
    ...readmeInstalls(workshop, isQuick),
    ...debianChecks(workshop, isQuick),
  ].filter(({ title }) => isQuick || title.includes(part));
  const { passed, failed } = await runChecks(checks);
  console.log(`${String(passed)} checks of the packed packages passed, ${String(failed)} failed`);
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
} finally {
  // Its hundred thousand files take a minute, which nobody waits for.
  spawn('rm', ['-rf', place], { detached: true, stdio: 'ignore' }).unref();
}
