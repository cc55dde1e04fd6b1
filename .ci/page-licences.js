/**
 * Writes `page-licences.txt`: the licences of the packages whose code is in GraphiQL's script. They are installed for this alone, so a
 * checkout has the file in their place. `npm run build` fails where it is of another version of GraphiQL.
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeLicences } from './licences.js';
import { PAGE_LICENCES, packagesWithin } from './page-assets.js';

const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'concordat-page-licences-'));
try {
  const packages = ['graphiql', 'react', 'react-dom'].map((name) => `${name}@${devDependencies[name]}`);
  const parameters = [
    'install',
    '--prefix',
    folder,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    ...packages,
  ];
  execFileSync('npm', parameters, { stdio: 'inherit' });
  const modules = join(folder, 'node_modules');
  const names = ['graphiql', ...packagesWithin(join(modules, 'graphiql/graphiql.min.js'), modules)];
  writeLicences(PAGE_LICENCES, names, new Map(), modules);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
