/**
 * Lists every package that the five packages of this repository bring, from package-lock.json, in .github/DEPENDENCIES.md.
 * With `--check` it writes nothing, and fails when the list is not up to date.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const FILE = new URL('../.github/DEPENDENCIES.md', import.meta.url);
const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
const own = ['runtime', 'codegen', 'tools', 'core', 'service'].map((folder) => `src/${folder}`);

/** Where Node finds a package from the folder of another. */
function locate(name, from) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const place =
      folder === '' || folder.startsWith('src/') ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    const local = folder.startsWith('src/') ? `${folder}/node_modules/${name}` : place;
    if (packages[local] !== undefined) return packages[local].link ? packages[local].resolved : local;
    if (packages[place] !== undefined) return packages[place].link ? packages[place].resolved : place;
    if (folder === '') return undefined;
  }
}

/** All that a package brings with it: its dependencies, and those of theirs; optional ones where they are in the lock file. */
function broughtBy(folder) {
  const brought = new Set([folder]);
  for (const place of brought) {
    const {
      dependencies = {},
      optionalDependencies = {},
      peerDependencies = {},
      peerDependenciesMeta = {},
    } = packages[place];
    const peers = Object.keys(peerDependencies).filter(
      (name) => peerDependenciesMeta[name]?.optional !== true,
    );
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) {
      const found = locate(name, place);
      if (found !== undefined) brought.add(found);
    }
  }
  return [...brought].filter((place) => !place.startsWith('src/') || place.includes('/node_modules/'));
}

const users = new Map();
for (const folder of own) {
  for (const place of broughtBy(folder))
    users.set(place, [...(users.get(place) ?? []), packages[folder].name]);
}
const rows = [...users]
  .map(([place, names]) => {
    const { version, license = 'not stated', hasInstallScript } = packages[place];
    const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
    return { name, version, license, script: hasInstallScript ? 'yes' : '', names: names.join(', ') };
  })
  .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.version < b.version ? -1 : 1))
  .map((row) => `| ${Object.values(row).join(' | ')} |`);
const counts = own.map((folder) => `${packages[folder].name} ${broughtBy(folder).length}`).join(', ');
const text = `# Dependencies

Every package that an installation brings, as package-lock.json has it: ${counts}. Written by \`node .ci/dependencies.js\`.

The one install script is not needed: \`npm install --ignore-scripts\` gives a working installation.

| Package | Version | Licence | Install script | Brought by |
| --- | --- | --- | --- | --- |
${[...new Set(rows)].join('\n')}
`;
if (process.argv[2] !== '--check') writeFileSync(FILE, text);
else if (readFileSync(FILE, 'utf8') !== text) {
  process.stderr.write('.github/DEPENDENCIES.md is not up to date: run `node .ci/dependencies.js`\n');
  process.exitCode = 1;
}
