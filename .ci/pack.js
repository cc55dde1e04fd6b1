/**
 * `npm run pack -- FOLDER` builds the five packages and writes them to a folder as npm would publish them, for projects that are to
 * use them before they are on a registry: `concordat init --packages FOLDER`.
 */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folders = readdirSync(join(root, 'src')).map((name) => join(root, 'src', name));
const [given = '', ...others] = process.argv.slice(2);
// npm starts scripts in the root, wherever it is called.
const folder = resolve(process.env.INIT_CWD ?? '.', given);

if (given === '' || others.length > 0 || given.startsWith('-'))
  fail('Name one folder: npm run pack -- FOLDER');
if (existsSync(folder) && !statSync(folder).isDirectory()) fail(`${folder} is not a folder`);

mkdirSync(folder, { recursive: true });
// Packages of an earlier version would be found beside the new ones.
for (const file of readdirSync(folder)) if (/^concordat-.*\.tgz$/.test(file)) rmSync(join(folder, file));
const npm = process.env.npm_execpath;
const [program, first] = npm === undefined ? ['npm', []] : [process.execPath, [npm]];
try {
  const parameters = [...first, 'pack', '--workspaces', '--silent', '--pack-destination', folder];
  execFileSync(program, parameters, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
} finally {
  // A pack that failed has not put its package.json back.
  for (const cwd of folders)
    execFileSync(process.execPath, [join(root, '.ci/published-manifest.js'), 'restore'], { cwd });
}
for (const file of readdirSync(folder).filter((each) => each.endsWith('.tgz'))) {
  process.stdout.write(`${join(folder, file)}\n`);
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
